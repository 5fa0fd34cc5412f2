import pytest

from isogloss.publish.checks.files import check


@pytest.mark.parametrize("name", ["raw.csv", ".env", "a/notes.docx", "index.html.bak", "LICENCE"])
def test_a_file_of_another_kind_is_found(made, name: str) -> None:
    made.write(name, "x")
    assert [text.partition(":")[0] for text in made.found(check)] == [name]


def test_what_a_site_is_made_of_is_not(made) -> None:
    for name in ("a/b.png", "style.css", ".nojekyll", "CNAME", ".snakemake_timestamp"):
        made.write(name, "")
    assert made.found(check) == []


def test_a_time_stamp_with_content_is_found(made) -> None:
    made.write(".snakemake_timestamp", "x")
    assert len(made.found(check)) == 1


def test_a_link_to_a_file_elsewhere_is_found(made) -> None:
    (made.folder / "a.css").symlink_to("/etc/hostname")
    assert made.found(check) == ["a.css: a symbolic link; put the file itself here"]


def test_a_site_without_an_index_is_found(made) -> None:
    (made.folder / "index.html").unlink()
    assert made.found(check) == ["index.html: missing; a visitor would see an error"]
