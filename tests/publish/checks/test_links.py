import pytest

from isogloss.publish.checks.links import check, target_of


@pytest.mark.parametrize(
    "body",
    [
        "<a href='second.html#content'>a</a>",
        "<a href='#content'>a</a> <a href='#top'>a</a> <a href='#'>a</a> <a href=''>a</a>",
        "<a href='./second.html?x#content'>a</a>",
        "<p id='ö'><a href='#%C3%B6'>a</a></p>",
        "<p id=a aria-describedby='a content'>a</p>",
        "<a href='https://example.org'>a</a> <a href='mailto:a@example.org'>a</a>",
    ],
)
def test_a_link_that_leads_somewhere_is_no_finding(made, body: str) -> None:
    made.page(body)
    assert made.found(check) == []


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<a href='third.html'>a</a>", "the link third.html leads to no file of the site"),
        ("<a href='Second.html'>a</a>", "the link Second.html leads to no file of the site"),
        ("<a href='second.html#no'>a</a>", "the link second.html#no: no place #no on second.html"),
        ("<a href='#no'>a</a>", "the link #no: no place #no on index.html"),
        ("<a href='../docs/a.md'>a</a>", "the link ../docs/a.md leads out of the site"),
        ("<a href='/second.html'>a</a>", "the link /second.html begins at the host"),
        ("<a href='file:///etc'>a</a>", "the link file:///etc has the scheme file"),
        ("<a href='ftp://x.org'>a</a>", "the link ftp://x.org has the scheme ftp"),
        ("<a href='//x.org'>a</a>", "the link //x.org has the scheme //"),
        ("<svg><a xlink:href='no.html'>a</a></svg>", "the link no.html leads to no file"),
        ("<p aria-labelledby='content no'>a</p>", "aria-labelledby of p names no id: no"),
        ("<label for='no'>a</label>", "for of label names no id: no"),
    ],
)
def test_a_link_that_leads_nowhere_is_found(made, body: str, text: str) -> None:
    made.page(body)
    (found,) = made.found(check)
    assert found.startswith(f"index.html:16: {text}")


def test_a_page_without_a_way_to_it_is_found(made) -> None:
    made.page("<a href='third.html'>a</a>", name="third.html", title="Third")
    assert made.found(check) == [
        "third.html: no link leads here from index.html; link it or take it out"
    ]


def test_hosts_are_noted(made) -> None:
    made.page("<a href='https://doi.org/1'>a</a> <a href='https://doi.org/2'>a</a>")
    assert check(made.read()).notes == ("doi.org: 2 links", "example.org: 2 links")


@pytest.mark.parametrize(
    ("page", "path", "target"),
    [
        ("a/b.html", "../c.html", "c.html"),
        ("a/b.html", "c.html", "a/c.html"),
        ("a/b.html", "", "a/b.html"),
        ("a/b.html", "../", "index.html"),
        ("b.html", "./", "index.html"),
        ("b.html", "x%20y.html", "x y.html"),
        ("b.html", "../c.html", "../c.html"),
    ],
)
def test_relative_addresses(page: str, path: str, target: str) -> None:
    assert target_of(page, path) == target
