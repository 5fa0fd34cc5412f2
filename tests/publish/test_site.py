from pathlib import Path

import pytest

from isogloss.publish.site import PublishError, read_site


def test_pages_and_other_files_are_told_apart(made) -> None:
    made.write("a/b.css", "p {}")
    made.write("c.png", b"\x89PNG")
    site = made.read()
    assert [page.name for page in site.pages] == ["index.html", "second.html"]
    assert site.files["c.png"] == 4
    assert site.texts == (("a/b.css", "p {}"),)


@pytest.mark.parametrize("name", ["missing", "."])
def test_a_folder_without_pages_cannot_be_checked(tmp_path: Path, name: str) -> None:
    with pytest.raises(PublishError, match="render the report first") as caught:
        read_site(tmp_path / name)
    assert caught.value.exit_code == 2


def test_a_page_in_another_encoding_cannot_be_checked(made) -> None:
    made.write("second.html", "<p>ö</p>".encode("latin-1"))
    with pytest.raises(PublishError, match=r"second\.html: not UTF-8 at byte 3"):
        made.read()


def test_a_word_cut_by_markup_is_whole_in_the_lines(made) -> None:
    made.page("<p>to<b>ken</b> &amp; x</p>")
    texts = [text for name, _, text in made.read().lines() if name == "index.html"]
    assert "token & x" in texts
    assert "<p>to<b>ken</b> & x</p>" in texts
