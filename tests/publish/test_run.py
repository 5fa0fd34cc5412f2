from isogloss.publish.run import Surroundings, check_site

NAMES = [
    "files",
    "weight",
    "markup",
    "structure",
    "links",
    "requests",
    "scripts",
    "local paths",
    "keys",
    "e-mail",
    "content",
    "browser",
]


def test_every_check_is_made_and_a_missing_browser_is_no_success(made) -> None:
    publication = check_site(made.read(), Surroundings("no Chromium"))
    assert [one.name for one in publication.checked] == NAMES
    assert [one.status for one in publication.checked] == ["passed"] * 11 + ["not_checked"]
    assert publication.exit_code == 2


def test_a_browser_that_is_not_wanted_is_left_out(made) -> None:
    publication = check_site(made.read(), Surroundings("no Chromium", browse=False))
    assert (publication.checked[-1].status, publication.exit_code) == ("left_out", 0)


def test_each_check_finds_its_own_fault(made) -> None:
    made.page(
        "<div><a href='no.html'>a</a><img src='https://x.org/a.png'><p onclick='x'>b</p>"
        "/home/ada/x ghp_" + "a1B" * 12 + " ada@uni.ac.uk"
    )
    made.write("a.csv", "x")
    publication = check_site(made.read(), Surroundings("", browse=False))
    found = [one.name for one in publication.checked if one.status == "found"]
    assert found == [name for name in NAMES if name not in ("weight", "content", "browser")]
