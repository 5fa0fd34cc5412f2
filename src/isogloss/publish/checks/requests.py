"""Whether showing a page asks anything of another host."""

import re
from collections.abc import Iterator
from pathlib import Path

from isogloss.publish.addresses import Asked, asked_of_page, asked_of_text, is_elsewhere, is_own
from isogloss.publish.checks.links import target_of
from isogloss.publish.findings import Checked, Finding, made
from isogloss.publish.site import Site

NAME = "requests"

MEDIA = {".css": "text/css", ".svg": "image/svg+xml"}
"""Media types of files that can ask for further ones."""


def check(site: Site) -> Checked:
    """Find whatever a browser asks for by itself that is not part of the site.

    These are sources of images, scripts, styles, frames and media, `link` elements that do more
    than point, addresses in styles (`url()`, `@import`, `image-set()`), `use` and `image` in SVG,
    what forms and pings send to, redirections, and all of these inside `data:` addresses.
    """
    asked = [(page.name, one) for page in site.pages for one in asked_of_page(page)]
    for name, text in site.texts:
        inner = asked_of_text(MEDIA.get(Path(name).suffix, ""), text)
        asked += [(name, one) for one in inner if not is_own(one.address)]
    findings = [finding for name, one in asked for finding in _fault(site, name, one)]
    own = sum(not is_elsewhere(one.address) for _, one in asked)
    held = sum(len(page.payloads) for page in site.pages)
    return made(NAME, f"{held} figures and styles inside the pages, {own} beside them", findings)


def _fault(site: Site, name: str, one: Asked) -> Iterator[Finding]:
    if is_elsewhere(one.address):
        yield Finding(name, one.line, f"{one.by} asks for {one.address}")
        return
    target = target_of(name, re.split("[?#]", one.address)[0])
    if target not in site.files:
        yield Finding(name, one.line, f"{one.by} asks for {one.address}, which is not in the site")
