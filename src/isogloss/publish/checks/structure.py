"""Whether each page has what readers, screen readers and search engines go by."""

import re
from collections import defaultdict
from collections.abc import Iterator

from isogloss.publish.findings import Checked, Finding, made
from isogloss.publish.markup import Element
from isogloss.publish.site import Page, Site

NAME = "structure"

LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", re.ASCII)
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
HIDDEN_ROLES = frozenset({"none", "presentation"})


def check(site: Site) -> Checked:
    """Find pages that lack a language, title, viewport, main part, or order in their headings.

    Further: images and figures without alternative text, tables without header cells, links
    without words. These are the faults that can be read from the source; the check `browser` finds
    those that show only when a page is drawn.
    """
    findings = [finding for page in site.pages for finding in _of_page(page)]
    findings += _shared_titles(site)
    headings = sum(1 for page in site.pages for _ in page.markup.all(*HEADINGS))
    images = sum(1 for page in site.pages for _ in page.markup.all("img", "svg"))
    tables = sum(1 for page in site.pages for _ in page.markup.all("table"))
    return made(NAME, f"{headings} headings, {images} figures, {tables} tables", findings)


def _of_page(page: Page) -> Iterator[Finding]:
    yield from (page.finding(None, text) for text in _of_head(page))
    yield from _of_headings(page)
    for element in page.markup.elements:
        if element.tag in ("img", "svg", "area", "input"):
            yield from (page.finding(element.line, text) for text in _of_image(element))
    for table in page.markup.all("table"):
        if not any(cell.within("table") is table for cell in page.markup.all("th")):
            yield page.finding(table.line, "a table without header cells")
    yield from _of_links(page)


def _of_head(page: Page) -> Iterator[str]:
    root = next(page.markup.all("html"), None)
    if root is None or not LANGUAGE.fullmatch(root.attributes.get("lang", "")):
        yield "the language is not stated: <html lang> with a language tag such as en"
    if not _title(page):
        yield "has no title"
    named = {e.attributes.get("name", ""): e.attributes for e in page.markup.all("meta")}
    viewport = named.get("viewport", {}).get("content", "")
    if "width=device-width" not in viewport:
        yield "has no viewport as wide as the device, and would be tiny on a phone"
    if re.search(r"user-scalable\s*=\s*(no|0)|maximum-scale\s*=\s*1(\.0*)?\b", viewport):
        yield "the viewport forbids enlarging"
    if "utf-8" not in {e.attributes.get("charset", "").lower() for e in page.markup.all("meta")}:
        yield "does not state the encoding: <meta charset=utf-8>"
    mains = [e for e in page.markup.elements if e.tag == "main" or _role(e) == "main"]
    if len(mains) != 1:
        yield f"has {len(mains)} main parts, not one"


def _title(page: Page) -> str:
    titles = (e.text for e in page.markup.all("title") if e.within("svg") is None)
    return " ".join(next(titles, "").split())


def _of_headings(page: Page) -> Iterator[Finding]:
    headings = list(page.markup.all(*HEADINGS))
    ones = sum(one.tag == "h1" for one in headings)
    if ones != 1:
        yield page.finding(None, f"has {ones} headings of the first level, not one")
    level = 0
    for one in headings:
        if int(one.tag[1]) > level + 1:
            before = f"<h{level}>" if level else "no heading"
            yield page.finding(one.line, f"<{one.tag}> follows {before}: a level is left out")
        level = int(one.tag[1])


def _of_image(element: Element) -> Iterator[str]:
    given = element.attributes
    named = any(given.get(name, "").strip() for name in ("alt", "aria-label", "aria-labelledby"))
    decorative = _role(element) in HIDDEN_ROLES or given.get("aria-hidden") == "true"
    if element.tag == "input" and given.get("type") != "image":
        return
    if element.tag == "img" and "alt" in given and (named or not element.within("figure")):
        return
    if not named and not decorative:
        yield f"<{element.tag}> without alternative text"


def _of_links(page: Page) -> Iterator[Finding]:
    """Links that no words, label or image describe."""
    described = set()
    for element in page.markup.elements:
        given = element.attributes
        alternative = element.tag == "img" and given.get("alt", "").strip()
        if alternative or element.text.strip() or given.get("aria-label", "").strip():
            around: Element | None = element
            while around is not None:
                described.add(around)
                around = around.parent
    for link in page.markup.all("a"):
        given = link.attributes
        if "href" in given and link not in described and not given.get("aria-labelledby"):
            yield page.finding(link.line, f"the link {given['href'][:80]} has no words")


def _shared_titles(site: Site) -> list[Finding]:
    pages = defaultdict(list)
    for page in site.pages:
        pages[_title(page)].append(page.name)
    return [
        Finding(name, None, f"has the same title as {names[0]}: {title}")
        for title, names in pages.items()
        for name in names[1:]
        if title
    ]


def _role(element: Element) -> str:
    return element.attributes.get("role", "").strip().lower()
