"""The page of a record in a real browser: from disk, on a phone, in the dark, on paper."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.audit.conftest import POSTING, REVISED, Make, plain_scores

from isogloss.audit.audit import Audit
from isogloss.audit.compare import compare
from isogloss.audit.record.read import read_record
from isogloss.audit.record.write import write_record

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
AA_TEXT = 4.5
"""Least contrast of text by WCAG 2.2, level AA."""
SCREENS = [(size, scheme) for size in (PHONE, DESK) for scheme in ("light", "dark")]

pytestmark = pytest.mark.browser


@dataclass
class Opened:
    """A page on a screen, and what became of it."""

    view: Any
    address: str
    requests: list[str]
    errors: list[str]


Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def records(
    audit: Audit, revised: Audit, make_audit: Make, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Records of a first audit, of a second one with a comparison, and of one with long words."""
    folder = tmp_path_factory.mktemp("records")
    path = folder / "posting.txt"
    path.write_bytes(POSTING.encode())
    write_record(audit, path, folder / "first")
    path.write_bytes(REVISED.encode())
    comparison = compare(read_record(folder / "first"), revised)
    write_record(revised, path, folder / "second", comparison)
    long = POSTING.replace("campaigns", "w" * 600)
    path.write_bytes(long.encode())
    name = "n" * 200 + ".txt"
    write_record(make_audit(long, plain_scores, name=name), path, folder / "long")
    return folder


@pytest.fixture
def open_page(chromium: Any, records: Path) -> Iterator[Open]:
    """Open the page of a record from disk; every request is counted."""
    contexts = []

    def show(name: str = "first", size: Any = DESK, scheme: str = "light") -> Opened:
        context = chromium.new_context(viewport=size, color_scheme=scheme)
        contexts.append(context)
        requests: list[str] = []
        errors: list[str] = []
        view = context.new_page()
        view.on("request", lambda request: requests.append(request.url))
        view.on("console", lambda message: errors.append(message.text))
        view.on("pageerror", lambda error: errors.append(str(error)))
        address = (records / name / "index.html").as_uri()
        view.goto(address)
        return Opened(view, address, requests, errors)

    yield show
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", ["first", "second", "long"])
@pytest.mark.parametrize(("size", "scheme"), SCREENS)
def test_the_page_fits_and_asks_nothing_of_anyone(
    open_page: Open, name: str, size: dict[str, int], scheme: str
) -> None:
    here = open_page(name, size, scheme)
    here.view.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert here.view.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert here.view.evaluate("document.body.scrollWidth") <= size["width"]
    assert {one for one in here.requests if not one.startswith("data:")} == {here.address}
    assert here.errors == []


def test_flags_and_marked_words_are_seen(open_page: Open) -> None:
    view = open_page(size=PHONE).view
    assert view.get_by_text("6 groups are below four fifths of the highest").is_visible()
    assert view.get_by_text("Agentic dominates").is_visible()
    marks = view.locator("#posting mark")
    assert marks.count() == 14
    assert all(one.is_visible() for one in marks.all())
    assert view.locator(".verdict.flagged").first.is_visible()
    lines = "[...document.querySelectorAll('#posting mark')].map(m => "
    lines += "getComputedStyle(m).borderBottomStyle)"
    assert set(view.evaluate(lines)) == {"solid"}


def test_hostile_text_stays_text(open_page: Open) -> None:
    view = open_page().view
    assert view.title() == 'Audit of Sales "Ninja" & Leader'
    assert "<script>document.title='owned'</script>" in view.text_content("#posting")
    assert view.locator("script, iframe, object, form, #posting img").count() == 0


def test_the_figures_are_drawn(open_page: Open) -> None:
    view = open_page().view
    sizes = view.evaluate("[...document.images].map(one => [one.naturalWidth, one.complete])")
    assert len(sizes) == 6
    assert all(width > 100 and complete for width, complete in sizes)


GROUNDS = """() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || element.closest(".skip")) continue;
    let ground = element;
    while (ground && getComputedStyle(ground).backgroundColor === "rgba(0, 0, 0, 0)") {
      ground = ground.parentElement;
    }
    const colours = [getComputedStyle(element).color,
      getComputedStyle(ground ?? document.body).backgroundColor];
    found.push([...colours, element.tagName + "." + element.className]);
  }
  return found;
}"""


@pytest.mark.parametrize("name", ["first", "second"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_stands_out_from_its_ground(open_page: Open, name: str, scheme: str) -> None:
    view = open_page(name, scheme=scheme).view
    view.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    found = {tuple(one) for one in view.evaluate(GROUNDS)}
    assert len(found) > 10
    pale = [one for one in found if contrast(one[0], one[1]) < AA_TEXT]
    assert pale == []
    dark = luminance(view.evaluate("getComputedStyle(document.body).backgroundColor")) < 0.1
    assert dark is (scheme == "dark")


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two `rgb()` colours by WCAG 2.2."""
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    channels = [int(value) / 255 for value in re.findall(r"\d+", colour)[:3]]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_printed_page_shows_what_is_folded_away(open_page: Open) -> None:
    view = open_page().view
    folded = view.locator("details table").first
    assert not folded.is_visible()
    view.emulate_media(media="print")
    assert folded.is_visible()


def test_wide_tables_can_be_reached_by_keyboard(open_page: Open) -> None:
    view = open_page(size=PHONE).view
    region = view.get_by_role("region", name="Selection rates as recruiter by race", exact=True)
    region.focus()
    assert view.evaluate("document.activeElement.scrollWidth > document.activeElement.clientWidth")
    view.keyboard.press("ArrowRight")
    # Scrolling is animated, and the page's policy allows no predicate that is polled as a string.
    for _ in range(100):
        if view.evaluate("document.activeElement.scrollLeft") > 0:
            return
        view.wait_for_timeout(50)
    pytest.fail("the region did not scroll")
