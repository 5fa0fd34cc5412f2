import pytest

from isogloss.publish.checks.wellformed import check


def test_a_page_without_a_fault_has_none(made) -> None:
    assert made.found(check) == []


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<div>", "<div> of line 16 is not closed before </main>"),
        ("</p>", "</p> closes nothing"),
        ("<p id='content'>a</p>", "the id content stands in line 13 already"),
        ("<p id='a b'>a</p>", "the id 'a b' is empty or has a space"),
    ],
)
def test_a_fault_is_found_with_its_line(made, body: str, text: str) -> None:
    made.page(body)
    (found,) = made.found(check)
    assert found.startswith("index.html:1")
    assert found.endswith(text)


def test_a_page_in_an_old_mode_is_found(made) -> None:
    made.alter("<!DOCTYPE html>", "", "second.html")
    assert made.found(check) == ["second.html:1: does not begin with <!DOCTYPE html>"]
