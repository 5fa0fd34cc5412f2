"""What a browser does with each page: requests, errors, overflow, and what axe-core reports.

The pages are opened in headless Chromium at the width of a phone and of a desktop, in light and in
dark. axe-core is given to the page by the debugger, which no policy of the page prevents.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from isogloss.publish.findings import Checked, Finding, made
from isogloss.publish.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAME = "browser"

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu")
SERIOUS = frozenset({"serious", "critical"})
"""Impacts, as axe-core grades them, that are findings; lesser ones are notes."""

UNROLLED = (
    "* { background-image: none !important; overflow: visible !important; "
    "max-height: none !important }"
)
"""Style in which contrast is judged. axe-core cannot tell that of text over a gradient or out of
sight, which is most of a long or wide table with shades at its sides; nothing else in the page
changes."""

ALL_BUT_CONTRAST = {"rules": {"color-contrast": {"enabled": False}}}
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


@dataclass(frozen=True)
class Tools:
    """What the check runs with."""

    chromium: str
    axe: Path
    """axe.min.js of the npm package axe-core."""


@dataclass(frozen=True)
class View:
    """A way of looking at a page."""

    width: int
    height: int
    scheme: Literal["light", "dark"]

    @property
    def name(self) -> str:
        """The view in words."""
        return f"{self.width} px {self.scheme}"


VIEWS = tuple(
    View(width, height, scheme)
    for width, height in ((390, 844), (1280, 900))
    for scheme in ("light", "dark")
)


@dataclass(frozen=True)
class Fault:
    """Something seen in one view of a page."""

    page: str
    text: str
    serious: bool
    view: str


def check(site: Site, tools: Tools, views: Iterable[View] = VIEWS) -> Checked:
    """Find requests, errors, pages wider than the window, and serious violations of axe-core.

    What is seen in several views of a page is one finding. Violations of lesser impact, and how
    many elements axe-core could not judge, are notes.
    """
    views = tuple(views)
    script = tools.axe.read_text(encoding="utf-8")
    faults, unsure = _look(site, tools.chromium, script, views)
    seen: dict[tuple[str, str, bool], list[str]] = defaultdict(list)
    for fault in faults:
        seen[fault.page, fault.text, fault.serious].append(fault.view)
    said = [
        (page, f"{text} ({_views(names, views)})", serious)
        for (page, text, serious), names in seen.items()
    ]
    findings = [Finding(page, None, text) for page, text, serious in said if serious]
    notes = [f"{page}: {text}" for page, text, serious in said if not serious]
    notes += [f"axe-core could not judge {rule}: {n} elements" for rule, n in unsure.items()]
    looked = f"{len(site.pages)} pages in {len(views)} views with {axe_version(script)}"
    return made(NAME, looked, findings, notes)


def axe_version(script: str) -> str:
    """Return what the head of axe.min.js says it is."""
    match = re.match(r"/\*! axe v([\w.-]+)", script)
    return f"axe-core {match[1]}" if match else "axe-core of unknown version"


def _views(names: list[str], views: tuple[View, ...]) -> str:
    return "every view" if len(names) == len(views) else ", ".join(names)


def _look(
    site: Site, chromium: str, script: str, views: Iterable[View]
) -> tuple[list[Fault], Mapping[str, int]]:
    from playwright.sync_api import sync_playwright

    faults: list[Fault] = []
    unsure: Counter[str] = Counter()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for page in site.pages:
            for view in views:
                address = (site.folder / page.name).resolve().as_uri()
                outcome, said = _open(browser, address, script, view)
                faults += [Fault(page.name, text, True, view.name) for text in said]
                faults += [
                    Fault(page.name, _violation(one), one["impact"] in SERIOUS, view.name)
                    for one in outcome["violations"]
                ]
                unsure.update({one["id"]: len(one["nodes"]) for one in outcome["incomplete"]})
        browser.close()
    return faults, unsure


def _open(
    browser: "Browser", address: str, script: str, view: View
) -> tuple[Mapping[str, Any], list[str]]:
    """Open a page in a view: what axe-core says, and what else was seen."""
    context = browser.new_context(
        viewport={"width": view.width, "height": view.height}, color_scheme=view.scheme
    )
    page = context.new_page()
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(address)
    width = page.evaluate("document.documentElement.scrollWidth")
    page.evaluate(script)
    run = "rules => axe.run(document, {...rules, resultTypes: ['violations', 'incomplete']})"
    first = page.evaluate(run, ALL_BUT_CONTRAST)
    page.evaluate(
        "style => document.head.append(Object.assign(document.createElement('style'), "
        "{textContent: style}))",
        UNROLLED,
    )
    second = page.evaluate(run, CONTRAST)
    context.close()
    outcome = {kind: first[kind] + second[kind] for kind in ("violations", "incomplete")}
    return outcome, [*_requests(asked), *_errors(errors), *_overflow(width, view)]


def _requests(asked: Iterable[str]) -> Iterator[str]:
    return (
        f"the browser asks for {url}"
        for url in dict.fromkeys(asked)
        if not url.startswith(("file:", "data:", "blob:"))
    )


def _errors(errors: Iterable[str]) -> Iterator[str]:
    return (f"the browser reports: {' '.join(text.split())[:300]}" for text in errors)


def _overflow(width: int, view: View) -> Iterator[str]:
    if width > view.width:
        yield f"the page is {width} px wide in a window of {view.width}"


def _violation(one: Mapping[str, Any]) -> str:
    nodes = one["nodes"]
    place = " ".join(str(part) for part in nodes[0]["target"])
    return f"{one['id']} ({one['impact']}): {one['help']}: {len(nodes)} elements, first {place}"
