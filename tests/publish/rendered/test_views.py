"""The report's own pages in a browser: widths, paper, keyboard; and screenshots of them."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

import pytest
from PIL import Image
from pypdf import PdfReader
from tests.publish.browsing import tools

from isogloss.publish.checks.browser import FLAGS, VIEWS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# The narrowest window at which WCAG 2.2 (1.4.10) wants pages without scrolling sideways is 320.
WIDTHS = (320, 390, 1280)
# A4 is 210 mm wide; the pages' margins leave 174 mm, which are 658 CSS pixels.
PAPER = 658
# Longest picture of a page that is worth keeping.
HEIGHT = 6000

BEYOND = """() => [...document.querySelectorAll('main *')].filter(one => {
  const box = one.closest('.table-scroll, .figure-scroll, pre, math, [tabindex="0"]');
  const edge = one.getBoundingClientRect();
  return edge.width > 0 && edge.right > document.documentElement.clientWidth + 1 && !box;
}).map(one => one.tagName + '.' + one.className)"""

BOXES = """() => [...document.querySelectorAll('main *')].filter(one =>
  one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
  && ['auto', 'scroll'].includes(getComputedStyle(one).overflowX)
).map(one => ({
  name: one.className || one.tagName,
  right: one.getBoundingClientRect().right,
  focusable: one.tabIndex >= 0,
  named: Boolean(one.getAttribute('aria-label') || one.getAttribute('aria-labelledby')),
}))"""

CUT = """() => [...document.querySelectorAll('main *')].filter(one => {
  const style = getComputedStyle(one);
  return one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1
    && style.overflowX !== 'visible' && style.display !== 'inline';
}).map(one => one.tagName + '.' + one.className)"""

FOCUSED = """() => {
  const one = document.activeElement, style = getComputedStyle(one);
  const edge = one.getBoundingClientRect();
  return {
    text: (one.innerText || one.getAttribute('aria-label') || '').slice(0, 40).trim(),
    tag: one.tagName,
    outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
    seen: edge.right > 0 && edge.left < innerWidth && edge.bottom > 0 && edge.top < innerHeight,
  };
}"""


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    given = tools()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=given.chromium, args=list(FLAGS))
        yield opened
        opened.close()


@pytest.fixture
def pages(rendered: Path) -> list[Path]:
    found = sorted(rendered.glob("*.html"))
    assert "index.html" in [path.name for path in found]
    return found


def opened(browser: "Browser", path: Path, width: int, height: int = 900) -> "Page":
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(path.as_uri())
    return page


@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_is_as_wide_as_the_window_and_what_is_wider_scrolls_in_a_box(
    browser, pages, width: int
) -> None:
    boxes = 0
    for path in pages:
        page = opened(browser, path, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path.name
        assert page.evaluate(BEYOND) == [], path.name
        found = page.evaluate(BOXES)
        assert [one for one in found if one["right"] > width + 1] == [], path.name
        assert [one for one in found if not (one["focusable"] and one["named"])] == [], path.name
        boxes += len(found)
        page.close()
    assert boxes > 0 or width == max(WIDTHS)


def test_nothing_is_cut_or_beyond_the_edge_on_paper(browser, pages) -> None:
    for path in pages:
        page = opened(browser, path, PAPER)
        assert lost_on_paper(page) == [], path.name
        page.emulate_media(media="print")
        assert page.evaluate(CUT) == [], path.name
        page.close()


def test_a_word_beyond_the_edge_of_the_paper_would_be_found(browser) -> None:
    page = browser.new_page()
    row = "<th>here</th><th style='min-width:3000px;text-align:right'>gone</th>"
    page.set_content(f"<main><h1>Title</h1><table><tr>{row}</tr></table></main>")
    assert lost_on_paper(page) == ["gone"]
    page.close()


def lost_on_paper(page: "Page") -> list[str]:
    """Words of headings and column heads that are not on the sheets: Chromium draws no others."""
    reader = PdfReader(io.BytesIO(page.pdf(format="A4", prefer_css_page_size=True)))
    # A font may draw two letters as one; the compatible form has them apart again.
    text = normalize("NFKC", "".join(sheet.extract_text() for sheet in reader.pages))
    printed = "".join(text.split())
    heads = page.locator("main h1, .page-body h2, main th").all_inner_texts()
    words = dict.fromkeys(word for text in heads for word in text.split())
    return [word for word in words if word.isalpha() and word not in printed]


@pytest.mark.parametrize("width", [390, 1280])
def test_the_keyboard_reaches_everything_in_order_and_shows_where_it_is(
    browser, pages, width: int
) -> None:
    for path in pages:
        page = opened(browser, path, width)
        page.keyboard.press("Tab")
        first = page.evaluate(FOCUSED)
        assert first["text"] == "Skip to content", path.name
        places = [first]
        for _ in range(25):
            page.keyboard.press("Tab")
            places.append(page.evaluate(FOCUSED))
            if places[-1]["tag"] == "BODY":
                places.pop()
                break
        assert [one for one in places if not (one["outlined"] and one["seen"])] == [], path.name
        titles = page.locator("nav[aria-label=Pages] a").all_inner_texts()
        assert [one["text"] for one in places[1 : len(titles) + 1]] == titles, path.name
        page.close()


def test_the_skip_link_leads_past_the_navigation(browser, pages) -> None:
    page = opened(browser, pages[0], 1280)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    inside = "document.activeElement.closest('main') !== null"
    assert page.evaluate(inside)
    page.close()


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name.replace(" ", "-"))
def test_screenshots_are_kept_where_asked(browser, pages, screenshots, view) -> None:
    if screenshots is None:
        pytest.skip("nobody asked for screenshots: set SCREENSHOTS to a folder")
    context = browser.new_context(
        viewport={"width": view.width, "height": view.height}, color_scheme=view.scheme
    )
    for path in pages:
        page = context.new_page()
        page.goto(path.as_uri())
        tall = page.evaluate("document.documentElement.scrollHeight")
        clip = {"x": 0, "y": 0, "width": view.width, "height": min(tall, HEIGHT)}
        file = screenshots / f"{path.stem}-{view.width}-{view.scheme}.png"
        page.screenshot(path=file, full_page=True, clip=clip)
        assert file.stat().st_size > 0
        page.close()
    context.close()


def test_the_picture_of_the_readme_can_be_taken(browser, rendered, screenshots) -> None:
    if screenshots is None:
        pytest.skip("nobody asked for screenshots: set SCREENSHOTS to a folder")
    page = opened(browser, rendered / "index.html", 1180)
    figure = page.locator("main figure").first.bounding_box()
    assert figure is not None
    clip = {"x": 0, "y": 0, "width": 1180, "height": figure["y"] + figure["height"] + 150}
    picture = Image.open(io.BytesIO(page.screenshot(full_page=True, clip=clip))).convert("RGB")
    # The page has few colours: with a palette that keeps the rare ones, the picture is far smaller.
    few = picture.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(screenshots / "report.png", optimize=True)
    page.close()
