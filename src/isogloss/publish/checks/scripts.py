"""Whether a page runs no script but those that its own content security policy names."""

import base64
import hashlib
from collections.abc import Iterator, Mapping

from isogloss.publish.findings import Checked, Finding, made
from isogloss.publish.markup import Element
from isogloss.publish.site import Page, Site

NAME = "scripts"

DATA_TYPES = frozenset({"application/json", "application/ld+json", "text/plain"})
"""Types of `script` elements that are data and not run."""

FORBIDDEN = frozenset({"applet", "embed", "frame", "frameset", "iframe", "object", "portal"})
"""Elements that bring in a document with rights of its own."""

INLINE_STYLE = frozenset({"style-src", "style-src-attr", "style-src-elem"})
DATA_SOURCES = frozenset({"font-src", "img-src", "media-src"})


def check(site: Site) -> Checked:
    """Find scripts, event handlers and frames that are not allowed.

    A page states a policy (`Content-Security-Policy` in a `meta` element before anything that it
    governs) with `default-src 'none'`, in which no directive admits a host, a scheme but `data:`
    for images and fonts, or anything inline but styles. A script is allowed when it stands in the
    page and the policy has its SHA-256. Event handlers, `javascript:` addresses and frames are
    never allowed.

    Quarto puts scripts of its own into pages and no policy. On pages that say they were made by
    it, scripts inside the page are noted with their hashes instead.
    """
    findings = [finding for page in site.pages for finding in _of_page(page)]
    scripts = [(page, one) for page in site.pages for one in _run(page)]
    quarto = {_digest(one): page for page, one in scripts if _is_quarto(page)}
    notes = [f"{page.name}: a script of Quarto, {key}" for key, page in sorted(quarto.items())]
    count = len(scripts)
    return made(NAME, f"{count} scripts" if count else "no page has a script", findings, notes)


def _of_page(page: Page) -> Iterator[Finding]:
    yield from _active(page)
    if _is_quarto(page):
        for one in _run(page):
            if "src" in one.attributes and not one.attributes["src"].startswith("data:"):
                yield page.finding(one.line, f"a script from {one.attributes['src']}")
        return
    policy = _policy(page)
    if policy is None:
        yield page.finding(None, "states no Content-Security-Policy")
    elif policy[0] > _first_governed(page):
        yield page.finding(None, "the Content-Security-Policy stands after what it should govern")
    directives = {} if policy is None else policy[1]
    if policy is not None:
        yield from (page.finding(None, fault) for fault in _lax(directives))
    allowed = directives.get("script-src", ())
    for one in _run(page):
        if "src" in one.attributes:
            yield page.finding(one.line, f"a script from {one.attributes['src'][:80]}")
        elif f"'{_digest(one)}'" not in allowed:
            yield page.finding(one.line, f"a script that the policy does not name: {_digest(one)}")


def _is_quarto(page: Page) -> bool:
    return page.generator.lower().startswith("quarto")


def _run(page: Page) -> list[Element]:
    """The `script` elements that are run, or say to the browser how others are."""
    return [
        element
        for element in page.markup.all("script")
        if element.attributes.get("type", "").lower().strip() not in DATA_TYPES
    ]


def _digest(script: Element) -> str:
    digest = hashlib.sha256(script.text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _active(page: Page) -> Iterator[Finding]:
    """Event handlers, addresses that are scripts, and frames; in figures, scripts too."""
    for element in page.markup.elements:
        if element.tag in FORBIDDEN:
            yield page.finding(element.line, f"<{element.tag}> brings in another document")
        for name, value in element.attributes.items():
            plain = "".join(value.split()).lower()
            if name.startswith("on"):
                yield page.finding(element.line, f"the event handler {name} of <{element.tag}>")
            elif name == "srcdoc" or plain.startswith(("javascript:", "vbscript:", "data:text/h")):
                yield page.finding(element.line, f"{name} of <{element.tag}> is a script or page")
    for payload in page.payloads:
        if payload.media == "image/svg+xml" and "<script" in payload.text.lower():
            yield page.finding(payload.line, "a figure with a script in it")


def _policy(page: Page) -> tuple[int, dict[str, tuple[str, ...]]] | None:
    """Place among the elements, and sources by directive, of the page's policy."""
    for place, element in enumerate(page.markup.elements):
        if element.attributes.get("http-equiv", "").lower() == "content-security-policy":
            parts = [part.split() for part in element.attributes.get("content", "").split(";")]
            return place, {part[0].lower(): tuple(part[1:]) for part in reversed(parts) if part}
    return None


def _first_governed(page: Page) -> int:
    governed = ("script", "style", "link", "img", "body")
    places = (n for n, one in enumerate(page.markup.elements) if one.tag in governed)
    return next(places, len(page.markup.elements))


def _lax(directives: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    if directives.get("default-src") != ("'none'",):
        yield "the Content-Security-Policy lacks default-src 'none'"
    for name in ("base-uri", "form-action"):
        if directives.get(name) != ("'none'",):
            yield f"the Content-Security-Policy lacks {name} 'none'"
    for name, sources in directives.items():
        for source in sources:
            if not _is_strict(name, source):
                yield f"the Content-Security-Policy admits {source} in {name}"


def _is_strict(directive: str, source: str) -> bool:
    if source == "'unsafe-inline'":
        return directive in INLINE_STYLE
    if source == "data:":
        return directive in DATA_SOURCES
    return source == "'none'" or source.startswith("'sha256-")
