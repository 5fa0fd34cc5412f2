"""Which addresses a browser asks for by itself, from elements and from styles.

Written apart from the renderer's own check, so that an address missed by one is found by the other.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from isogloss.publish.markup import Element, Markup, read_markup
from isogloss.publish.site import Page

ASKED = {
    "applet": ("archive", "code"),
    "audio": ("src",),
    "body": ("background",),
    "embed": ("src",),
    "feimage": ("href", "xlink:href"),
    "frame": ("src",),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src",),
    "input": ("src",),
    "link": ("href",),
    "object": ("data", "codebase", "classid"),
    "script": ("src", "href", "xlink:href"),
    "source": ("src",),
    "table": ("background",),
    "td": ("background",),
    "th": ("background",),
    "track": ("src",),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
"""Attributes with an address that is asked for as the page is shown."""

SENT = {"a": ("ping",), "area": ("ping",), "form": ("action",), "button": ("formaction",)}
"""Attributes with an address that something of the reader is sent to."""

LISTS = {"img": ("srcset",), "source": ("srcset",), "link": ("imagesrcset",)}
"""Attributes with several addresses, each with a size."""

POINTING = frozenset(
    "alternate author bookmark canonical cite-as help license me next prev search tag".split()  # noqa: SIM905
)
"""Relations of a `link` element at which nothing is asked for."""

STYLE_ADDRESS = re.compile(
    r"""(?:url|src)\(\s*(?:"([^"]*)"|'([^']*)'|([^"')]*))\s*\)"""
    r"""|@import\s+(?:"([^"]*)"|'([^']*)')"""
    r"""|image-set\(\s*(?:"([^"]*)"|'([^']*)')""",
    re.IGNORECASE,
)
STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Asked:
    """An address that a browser asks for."""

    line: int
    by: str
    """What asks: an element and its attribute, or a style."""
    address: str


def asked_of_page(page: Page) -> tuple[Asked, ...]:
    """List what a page asks for that is neither inside it nor a place on it.

    Figures and styles inside `data:` addresses are read too.
    """
    asked = list(_of_markup(page.markup))
    for payload in page.payloads:
        inner = asked_of_text(payload.media, payload.text)
        by = f"in {payload.media}"
        asked += [Asked(payload.line, f"{one.by} {by}", one.address) for one in inner]
    return tuple(one for one in asked if not is_own(one.address))


def asked_of_text(media: str, text: str) -> tuple[Asked, ...]:
    """List what a style or an SVG file asks for, by its media type; nothing for other types."""
    if media == "text/css":
        return tuple(_of_style(text, 1, "style"))
    if media in ("image/svg+xml", "text/html"):
        sheets = (match[1] for match in re.finditer(r"<\?xml-stylesheet[^>]*href=\"([^\"]*)", text))
        linked = [Asked(1, "xml-stylesheet", address) for address in sheets]
        return tuple(one for one in (*_of_markup(read_markup(text)), *linked) if _asks(one))
    return ()


def is_own(address: str) -> bool:
    """Whether an address is data, empty, or a place on the same page."""
    return address == "" or address.startswith("#") or address[:5].lower() == "data:"


def is_elsewhere(address: str) -> bool:
    """Whether an address names a scheme or a host, and so does not belong to the site."""
    return re.match(r"[a-z][a-z0-9+.-]*:|[\\/]{2}", address, re.IGNORECASE) is not None


def _asks(one: Asked) -> bool:
    return not is_own(one.address)


def _of_markup(markup: Markup) -> Iterator[Asked]:
    for element in markup.elements:
        yield from _of_element(element)


def _of_element(element: Element) -> Iterator[Asked]:
    given, tag = element.attributes, element.tag
    if tag == "link" and _only_points(given.get("rel", "")):
        return
    for name in (*ASKED.get(tag, ()), *SENT.get(tag, ())):
        for address in given.get(name, "").split() if name == "ping" else [given.get(name, "")]:
            yield Asked(element.line, f"{tag} {name}", _plain(address))
    for name in LISTS.get(tag, ()):
        for address in _in_list(given.get(name, "")):
            yield Asked(element.line, f"{tag} {name}", address)
    if tag == "meta" and given.get("http-equiv", "").lower() == "refresh":
        _, _, address = given.get("content", "").partition("=")
        yield Asked(element.line, "meta refresh", _plain(address).strip("'\""))
    if tag == "base":
        yield Asked(element.line, "base href", _plain(given.get("href", "")))
    if tag == "style":
        yield from _of_style(element.text, element.line, "style")
    yield from _of_style(given.get("style", ""), element.line, f"style of {tag}")
    for name in ("fill", "stroke", "filter", "mask", "clip-path", "marker-start", "marker-end"):
        yield from _of_style(given.get(name, ""), element.line, f"{tag} {name}")


def _of_style(style: str, line: int, by: str) -> Iterator[Asked]:
    def blank(match: "re.Match[str]") -> str:
        return "\n" * match[0].count("\n")

    plain = STYLE_COMMENT.sub(blank, style)
    for match in STYLE_ADDRESS.finditer(plain):
        address = next((group for group in match.groups() if group), "")
        yield Asked(line + plain.count("\n", 0, match.start()), by, _plain(address))


def _only_points(relation: str) -> bool:
    relations = set(relation.lower().split())
    return bool(relations) and relations <= POINTING


def _in_list(value: str) -> list[str]:
    """Addresses of a `srcset`; a comma inside a `data:` address does not end it."""
    parts = re.split(r"\s*,\s+|(?<=\s[0-9][xw]),|\s+[0-9.]+[wx]\s*,?\s*", value.strip())
    return [part.split()[0] for part in parts if part.split()]


def _plain(address: str) -> str:
    """An address as a browser reads it: without tabs, line ends and surrounding space."""
    return re.sub(r"[\t\r\n]", "", address).strip()
