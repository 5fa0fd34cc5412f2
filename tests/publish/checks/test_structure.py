import pytest

from isogloss.publish.checks.structure import check


def test_a_page_without_a_fault_has_none(made) -> None:
    made.page(
        "<h2>a</h2><h3>b</h3><h2>c</h2><img alt='' src='data:,'><svg aria-hidden=true></svg>"
        "<figure><img alt='Points' src='data:,'></figure><svg role=img aria-label='x'></svg>"
        "<table><tr><th>a</th></tr></table><a href='#content'><img alt='up' src='data:,'></a>"
    )
    assert made.found(check) == []


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<h3>a</h3>", "<h3> follows <h1>: a level is left out"),
        ("<img src='data:,'>", "<img> without alternative text"),
        ("<figure><img src='data:,' alt=''></figure>", "<img> without alternative text"),
        ("<svg><path/></svg>", "<svg> without alternative text"),
        ("<table><tr><td>a</td></tr></table>", "a table without header cells"),
        ("<a href='#content'> </a>", "the link #content has no words"),
        ("<a href='#content'><img alt='' src='data:,'></a>", "the link #content has no words"),
    ],
)
def test_a_fault_in_the_body_is_found_with_its_line(made, body: str, text: str) -> None:
    made.page(body)
    assert made.found(check) == [f"index.html:16: {text}"]


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ('<html lang="en">', "<html>", "the language is not stated"),
        ('lang="en"', 'lang="English text"', "the language is not stated"),
        ("<title>First</title>", "<title> </title>", "has no title"),
        ("width=device-width", "width=980", "has no viewport as wide as the device"),
        ("initial-scale=1", "user-scalable=no", "the viewport forbids enlarging"),
        ("initial-scale=1", "maximum-scale=1", "the viewport forbids enlarging"),
        ('<meta charset="utf-8">', "", "does not state the encoding"),
        ('<main id="content">', '<main id="content"></main><main>', "has 2 main parts, not one"),
        ("<h1>First</h1>", "<h1>First</h1><h1>x</h1>", "has 2 headings of the first level"),
    ],
)
def test_a_fault_of_the_whole_page_is_found(made, old: str, new: str, text: str) -> None:
    made.alter(old, new)
    (found,) = made.found(check)
    assert found.startswith(f"index.html: {text}")


def test_a_page_without_headings_is_found(made) -> None:
    made.alter("<h1>First</h1>", "<h2>First</h2>")
    assert made.found(check) == [
        "index.html: has 0 headings of the first level, not one",
        "index.html:14: <h2> follows no heading: a level is left out",
    ]


def test_two_pages_with_one_title_are_found(made) -> None:
    made.page(name="second.html", title="First")
    assert made.found(check) == ["second.html: has the same title as index.html: First"]
