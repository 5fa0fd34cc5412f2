import pytest

from isogloss.report.render.addresses import fetched_addresses


@pytest.mark.parametrize(
    ("page", "address"),
    [
        ('<img src="https://x.org/a.png">', "https://x.org/a.png"),
        ('<img src="a.png">', "a.png"),
        ('<script src="//x.org/a.js"></script>', "//x.org/a.js"),
        ('<link rel="stylesheet" href="http://x.org/a.css">', "http://x.org/a.css"),
        ("<style>@import 'https://x.org/a.css';</style>", "https://x.org/a.css"),
        ("<style>p { background: url(https://x.org/a.png) }</style>", "https://x.org/a.png"),
        ("<p style=\"background:url('/a.png')\">", "/a.png"),
        ("<style>p { background: url( 'https://x.org/b') }</style>", "https://x.org/b"),
        ('<svg><use xlink:href="a.svg#b"/></svg>', "a.svg#b"),
        ('<link rel="alternate stylesheet" href="a.css">', "a.css"),
        ('<link rel="preconnect" href="https://x.org">', "https://x.org"),
        ('<video poster="p.png"></video>', "p.png"),
    ],
)
def test_an_address_that_is_fetched_is_found(page: str, address: str) -> None:
    assert fetched_addresses(page) == [address]


def test_data_places_and_followed_links_are_not_fetched() -> None:
    page = (
        '<img src="data:image/png;base64,AA"><a href="https://x.org">x</a><a href="b.html">b</a>'
        '<svg><use href="#a"/></svg><style>p { fill: url(#a) }</style><link href="data:,">'
        '<link rel="next" href="b.html">'
        "<p>url(https://x.org) in text</p>"
    )
    assert fetched_addresses(page) == []
