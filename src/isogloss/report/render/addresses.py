"""Which addresses a finished page would fetch from, read from its HTML."""

import re
from html.parser import HTMLParser

FETCHED = {
    "audio": ("src",),
    "base": ("href",),
    "embed": ("src",),
    "form": ("action",),
    "iframe": ("src", "srcdoc"),
    "image": ("href", "xlink:href"),
    "img": ("src", "srcset"),
    "input": ("src",),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
"""Attributes that a browser fetches without being asked, by element."""

POINTING = frozenset(
    {"alternate", "author", "canonical", "help", "license", "next", "prev", "search", "start"}
)
"""Relations of a `link` element that only point somewhere, and make a browser fetch nothing."""

STYLE_ADDRESS = re.compile(r"url\(\s*['\"]?([^'\")]*)|@import\s+['\"]([^'\"]*)", re.IGNORECASE)


def fetched_addresses(page: str) -> list[str]:
    """List the addresses a page fetches that are neither data nor a place on the page itself."""
    reader = _AddressReader()
    reader.feed(page)
    reader.close()
    return [address for address in reader.addresses if not _is_own(address)]


def _is_own(address: str) -> bool:
    return address == "" or address.startswith(("data:", "#"))


class _AddressReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_style = tag == "style"
        relations = (dict(attrs).get("rel") or "").lower().split()
        points = tag == "link" and bool(relations) and POINTING.issuperset(relations)
        for name, value in attrs:
            if name in FETCHED.get(tag, ()) and not points:
                self.addresses.append((value or "").strip())
            if name == "style":
                self._read_style(value or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "style":
            self._in_style = False

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self._read_style(data)

    def _read_style(self, style: str) -> None:
        for match in STYLE_ADDRESS.finditer(style):
            self.addresses.append((match[1] or match[2] or "").strip())
