import base64

import pytest

from isogloss.publish.addresses import asked_of_page, asked_of_text, is_elsewhere
from isogloss.publish.site import Page

HOST = "https://x.org/a"
SVG = base64.b64encode(f'<svg><use xlink:href="{HOST}"/></svg>'.encode()).decode()
CSS = base64.b64encode(b"@import url('https://x.org/a')").decode()


def asked(text: str) -> list[str]:
    return [one.address for one in asked_of_page(Page("p.html", text, len(text)))]


@pytest.mark.parametrize(
    "text",
    [
        f"<img src='{HOST}'>",
        f"<img src=' {HOST[:9]}\n{HOST[9:]} '>",
        f"<img srcset='{HOST} 2x'>",
        f"<img srcset='data:image/png;base64,AA, {HOST} 2x'>",
        f"<picture><source srcset='{HOST} 300w'></picture>",
        f"<script src={HOST}></script>",
        f"<svg><script xlink:href='{HOST}'/></svg>",
        f"<link rel=stylesheet href={HOST}>",
        f"<link rel=preconnect href={HOST}>",
        f"<link rel='dns-prefetch next' href={HOST}>",
        f"<link rel=manifest href={HOST}>",
        f"<link href={HOST}>",
        f"<link rel=preload imagesrcset='{HOST} 1x'>",
        f"<iframe src={HOST}></iframe>",
        f"<object data={HOST}></object>",
        f"<embed src={HOST}>",
        f"<video poster={HOST}></video>",
        f"<video><track src={HOST}></video>",
        f"<svg><use href='{HOST}'/></svg>",
        f"<svg><image xlink:href='{HOST}'/></svg>",
        f"<svg><feImage href='{HOST}'/></svg>",
        f"<svg><rect fill='url({HOST})'/></svg>",
        f"<p style='background: url( {HOST} )'>",
        f"<style>@import '{HOST}';</style>",
        f'<style>@font-face {{ src: url("{HOST}") }}</style>',
        f"<style>a {{ background: image-set('{HOST}' 1x) }}</style>",
        f"<td background={HOST}>",
        f"<form action={HOST}></form>",
        f"<button formaction={HOST}>b</button>",
        f"<a href=b.html ping={HOST}>b</a>",
        f"<meta http-equiv=refresh content='0; url={HOST}'>",
        f"<base href={HOST}>",
        f"<img src='data:image/svg+xml;base64,{SVG}'>",
        f"<link rel=stylesheet href='data:text/css;base64,{CSS}'>",
    ],
)
def test_what_a_browser_asks_for_is_found(text: str) -> None:
    assert asked(text) == [HOST]


def test_what_it_does_not_ask_for_is_not() -> None:
    text = (
        f"<a href='{HOST}'>a</a><link rel='canonical' href='{HOST}'><p>url({HOST})</p>"
        f"<style>/* url({HOST}) */ p {{ fill: url(#b) }}</style><svg><use href='#b'/></svg>"
        "<img src='data:image/png;base64,AA'><img alt=''><!-- <img src='https://x.org'> -->"
    )
    assert asked(text) == []


def test_the_line_within_a_style_is_told() -> None:
    page = Page("p.html", "<p>\n<style>\np {}\nq { background: url(a.png) }</style>", 1)
    assert [(one.line, one.by) for one in asked_of_page(page)] == [(4, "style")]


def test_files_beside_the_pages_ask_too() -> None:
    assert asked_of_text("text/css", "@import 'a.css'")[0].address == "a.css"
    svg = '<?xml-stylesheet href="b.css"?><svg><image href="c.png"/></svg>'
    assert {one.address for one in asked_of_text("image/svg+xml", svg)} == {"b.css", "c.png"}
    assert asked_of_text("text/plain", "@import 'a.css'") == ()


@pytest.mark.parametrize(
    ("address", "elsewhere"),
    [
        ("https://x.org", True),
        ("//x.org/a", True),
        ("\\\\x.org", True),
        ("HTTP:x", True),
        ("file:///a", True),
        ("a.png", False),
        ("../a.png", False),
        ("a/b:c", False),
        ("", False),
    ],
)
def test_an_address_with_a_host_is_elsewhere(address: str, elsewhere: bool) -> None:
    assert is_elsewhere(address) is elsewhere
