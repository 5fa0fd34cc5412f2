"""Whether the markup of each page is well-formed, and its ids are unique."""

from collections.abc import Iterator

from isogloss.publish.findings import Checked, Finding, made
from isogloss.publish.site import Page, Site

NAME = "markup"


def check(site: Site) -> Checked:
    """Find elements that are not closed, closed twice or crossed, and ids that stand twice."""
    findings = [finding for page in site.pages for finding in _of_page(page)]
    elements = sum(len(page.markup.elements) for page in site.pages)
    return made(NAME, f"{elements} elements in {len(site.pages)} pages", findings)


def _of_page(page: Page) -> Iterator[Finding]:
    if page.markup.doctype.lower() != "doctype html":
        yield page.finding(1, "does not begin with <!DOCTYPE html>")
    yield from (page.finding(fault.line, fault.text) for fault in page.markup.faults)
    first: dict[str, int] = {}
    for element in page.markup.elements:
        name = element.attributes.get("id")
        if name is None:
            continue
        if name == "" or any(character.isspace() for character in name):
            yield page.finding(element.line, f"the id {name!r} is empty or has a space")
        elif name in first:
            yield page.finding(element.line, f"the id {name} stands in line {first[name]} already")
        first.setdefault(name, element.line)
