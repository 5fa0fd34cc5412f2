import base64

import pytest

from isogloss.publish.checks.requests import check


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<img src='https://x.org/a.png'>", "img src asks for https://x.org/a.png"),
        ("<style>@import url(//x.org/a.css)</style>", "style asks for //x.org/a.css"),
        ("<script src='HTTPS://x.org/a.js'></script>", "script src asks for HTTPS://x.org/a.js"),
        ("<img srcset='a.png 1x, http://x.org/b 2x'>", "img srcset asks for http://x.org/b"),
        ("<svg><use href='https://x.org/a#b'/></svg>", "use href asks for https://x.org/a#b"),
        ("<img src='missing.png'>", "img src asks for missing.png, which is not in the site"),
        ("<img src='../a.png'>", "img src asks for ../a.png, which is not in the site"),
    ],
)
def test_a_request_is_found(made, body: str, text: str) -> None:
    made.write("a.png", b"")
    made.page(body)
    assert made.found(check) == [f"index.html:16: {text}"]


def test_a_request_of_a_figure_inside_the_page_is_found(made) -> None:
    svg = base64.b64encode(b"<svg><image href='https://x.org/a'/></svg>").decode()
    made.page(f"<img src='data:image/svg+xml;base64,{svg}'>")
    assert made.found(check) == [
        "index.html:16: image href in image/svg+xml asks for https://x.org/a"
    ]


def test_a_request_of_a_file_beside_the_pages_is_found(made) -> None:
    made.write("a.css", "@import 'https://x.org/b.css'; p { background: url(a.png) }")
    assert made.found(check) == [
        "a.css:1: style asks for https://x.org/b.css",
        "a.css:1: style asks for a.png, which is not in the site",
    ]


def test_what_is_in_the_site_may_be_asked_for(made) -> None:
    made.write("a/b.png", b"")
    made.page("<img src='a/b.png?1' alt=''>")
    assert made.found(check) == []
    assert check(made.read()).summary.endswith("1 beside them")
