from collections.abc import Callable

import pytest
from tests.publish.browsing import tools

from isogloss.publish.checks.browser import VIEWS, axe_version, check
from isogloss.publish.findings import Checked
from isogloss.publish.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STYLE = """
:root { color-scheme: light dark }
body { background: light-dark(white, black); color: light-dark(black, white) }
a { color: light-dark(#00e, #aaf) }
[href^="#"] { color: inherit; text-decoration: none }
"""


@pytest.fixture(scope="module")
def look() -> Callable[[Site], Checked]:
    given = tools()
    return lambda site: check(site, given, VIEWS[1:3])


def test_a_page_without_a_fault_passes_in_every_view(made) -> None:
    outcome = check(made.read(), tools())
    assert outcome.findings == ()
    assert outcome.summary.startswith("2 pages in 4 views with axe-core 4")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<div style='width:500px'>a</div>", "the page is 508 px wide in a window of 390"),
        ("<img src='data:,'>", "image-alt (critical)"),
        ("<div role='buton'>a</div>", "aria-roles (critical)"),
        ("<p style='color:#999;background:#fff'>Pale words</p>", "color-contrast (serious)"),
        ("<p style='color:light-dark(black, #222)'>Pale words</p>", "color-contrast (serious)"),
        (
            "<p>Words that go with <a href='#content' style='color:#444'>words</a></p>",
            "link-in-text-block (serious)",
        ),
        (
            "<div style='overflow:auto;width:90px;background:linear-gradient(red, red)'>"
            "<p style='color:#999'>Pale words</p></div>",
            "color-contrast (serious)",
        ),
    ],
)
def test_what_only_a_browser_shows_is_found(made, look, body: str, text: str) -> None:
    made.page(
        body,
        head=f"<style>{STYLE}</style>",
    )
    found = made.found(look)
    assert any(one.startswith(f"index.html: {text}") for one in found), found


def test_a_request_and_an_error_are_found(made, look) -> None:
    made.page(
        "<img alt='a' src='http://127.0.0.1:9/a.png'><script>throw Error('ouch')</script>",
        policy="default-src *; script-src 'unsafe-inline'",
    )
    found = made.found(look)
    assert "index.html: the browser asks for http://127.0.0.1:9/a.png (every view)" in found
    assert any("the browser reports: ouch" in one for one in found)


def test_a_blocked_script_is_an_error(made, look) -> None:
    made.page("<script>document.title = 'x'</script>")
    assert any("Content Security Policy" in one for one in made.found(look))


def test_the_view_is_named_where_not_all_show_it(made, look) -> None:
    made.page("<div style='width:500px'>a</div>")
    assert "index.html: the page is 508 px wide in a window of 390 (390 px dark)" in made.found(
        look
    )


def test_the_version_is_that_of_the_file() -> None:
    assert axe_version("/*! axe v4.14.1\n") == "axe-core 4.14.1"
    assert axe_version("x") == "axe-core of unknown version"
