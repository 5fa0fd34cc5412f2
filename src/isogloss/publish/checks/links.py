"""Whether links lead somewhere: to a page of the site and a place on it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

from isogloss.publish.addresses import is_elsewhere
from isogloss.publish.findings import Checked, Finding, made
from isogloss.publish.markup import Element
from isogloss.publish.site import Page, Site

NAME = "links"

REFERRING = (
    "aria-activedescendant",
    "aria-controls",
    "aria-describedby",
    "aria-details",
    "aria-errormessage",
    "aria-flowto",
    "aria-labelledby",
    "aria-owns",
    "for",
    "headers",
    "popovertarget",
)
"""Attributes that name other elements of the page by their ids."""

FOLLOWED = frozenset({"http", "https", "mailto"})
"""Schemes that a link may have."""


def check(site: Site) -> Checked:
    """Find links to pages or places that do not exist, and pages to which no link leads.

    Links to other hosts are allowed; the hosts are noted, and nothing is asked of them.
    """
    places = {page.name: _places(page) for page in site.pages}
    links = [(page, element) for page in site.pages for element in _linking(page)]
    found = [one for page, element in links for one in _fault(site, places, page, element)]
    found += [one for page in site.pages for one in _unnamed(page, places[page.name])]
    found += _unreached(site)
    hosts = Counter(host for _, element in links if (host := _host(element)))
    notes = [f"{host}: {number} links" for host, number in sorted(hosts.items())]
    outside = sum(hosts.values())
    summary = f"{len(links) - outside} links within the site, {outside} to {len(hosts)} other hosts"
    return made(NAME, summary, found, notes)


def _linking(page: Page) -> Iterator[Element]:
    return (
        element
        for element in page.markup.all("a", "area")
        if "href" in element.attributes or "xlink:href" in element.attributes
    )


def _address(element: Element) -> str:
    given = element.attributes
    return re.sub(r"[\t\r\n]", "", given.get("href", given.get("xlink:href", ""))).strip()


def _host(element: Element) -> str:
    address = _address(element)
    return (urlsplit(address).hostname or "") if is_elsewhere(address) else ""


def _places(page: Page) -> frozenset[str]:
    named = {element.attributes.get("id", "") for element in page.markup.elements}
    anchors = {element.attributes.get("name", "") for element in page.markup.all("a")}
    return frozenset(named | anchors) - {""}


def _fault(
    site: Site, places: Mapping[str, frozenset[str]], page: Page, element: Element
) -> Iterator[Finding]:
    address = _address(element)
    if is_elsewhere(address):
        scheme = urlsplit(address).scheme.lower()
        if scheme not in FOLLOWED:
            yield page.finding(element.line, f"the link {address} has the scheme {scheme or '//'}")
        return
    path, _, place = address.partition("#")
    target = target_of(page.name, path)
    if path.startswith("/"):
        said = f"the link {address} begins at the host, whose folders differ; make it relative"
        yield page.finding(element.line, said)
    elif target.startswith(".."):
        yield page.finding(element.line, f"the link {address} leads out of the site")
    elif target not in site.files:
        yield page.finding(element.line, f"the link {address} leads to no file of the site")
    elif place and target in places and unquote(place) not in places[target] | {"top"}:
        yield page.finding(element.line, f"the link {address}: no place #{place} on {target}")


def target_of(page: str, path: str) -> str:
    """Return the file that a relative address on a page means; a folder means its index.html."""
    path = unquote(path.partition("?")[0])
    if not path:
        return page
    target = normpath(join(dirname(page), path))
    return join(target, "index.html").removeprefix("./") if path.endswith(("/", ".")) else target


def _unnamed(page: Page, places: frozenset[str]) -> Iterator[Finding]:
    for element in page.markup.elements:
        for name in REFERRING:
            for place in element.attributes.get(name, "").split():
                if place not in places:
                    yield page.finding(
                        element.line, f"{name} of {element.tag} names no id: {place}"
                    )


def _unreached(site: Site) -> list[Finding]:
    """Pages to which no chain of links leads from index.html."""
    names = {page.name: page for page in site.pages}
    reached, waiting = {"index.html"}, ["index.html"]
    while waiting:
        page = names.get(waiting.pop())
        leads = set() if page is None else {_leads(page.name, one) for one in _linking(page)}
        new = leads & set(names) - reached
        reached |= new
        waiting += new
    return [
        Finding(name, None, "no link leads here from index.html; link it or take it out")
        for name in names
        if name not in reached
    ]


def _leads(page: str, element: Element) -> str:
    address = _address(element)
    return "" if is_elsewhere(address) else target_of(page, address.partition("#")[0])
