"""Whether the image on a page is the file that it should be, however the renderer embedded it."""

import base64
import binascii
from pathlib import Path
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

from lxml import etree, html

Drawing = tuple[tuple[tuple[str, tuple[tuple[str, str], ...]], ...], str]
"""Elements of an SVG in order with their attributes, and its text."""


def is_file(image: str, path: Path) -> bool:
    """Say whether an image, as a `data:` address or as SVG within the page, is a file.

    A `data:` address must hold the same bytes. SVG within a page must have the same elements,
    attributes and text; names of identifiers, and attributes of the outermost element, are the
    renderer's.
    """
    try:
        content = path.read_bytes()
    except OSError:
        return False
    if image.startswith("data:"):
        return _decoded(image) == content
    return path.suffix == ".svg" and image.startswith("<") and _inline(image) == _drawing(content)


def _decoded(address: str) -> bytes | None:
    head, comma, body = address.partition(",")
    if not comma:
        return None
    try:
        raw = unquote_to_bytes(body)
        return base64.b64decode(raw, validate=True) if head.endswith(";base64") else raw
    except (binascii.Error, ValueError):
        return None


def _inline(markup: str) -> Drawing | None:
    try:
        parser = html.HTMLParser(huge_tree=True, no_network=True)
        root = html.fragment_fromstring(markup, parser=parser)
    except (etree.LxmlError, ValueError):
        return None
    return _normal(root)


def _drawing(content: bytes) -> Drawing | None:
    if b"<!ENTITY" in content:
        return None
    try:
        return _normal(ElementTree.fromstring(content))
    except ElementTree.ParseError:
        return None


def _normal(root: "ElementTree.Element[str] | html.HtmlElement") -> Drawing:
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    names: dict[str, str] = {}
    for element in elements[1:]:
        if "id" in element.attrib:
            names.setdefault(str(element.attrib["id"]), f"id{len(names)}")
    shown = tuple((_local(element.tag), _attributes(element, names)) for element in elements[1:])
    return shown, "".join("".join(root.itertext()).split())


def _attributes(
    element: "ElementTree.Element[str] | html.HtmlElement", names: dict[str, str]
) -> tuple[tuple[str, str], ...]:
    """Attributes by their plain names, with identifiers by the order of their first use."""
    found = {_local(str(name)): str(value) for name, value in element.attrib.items()}
    return tuple(
        sorted(
            (name, _renamed(" ".join(value.split()), name, names))
            for name, value in found.items()
            if not name.startswith("xmlns")
        )
    )


def _renamed(value: str, name: str, names: dict[str, str]) -> str:
    if name == "id":
        return names[value]
    for old, new in names.items():
        if f"#{old}" in value:
            value = value.replace(f"url(#{old})", f"url(#{new})")
            value = f"#{new}" if value == f"#{old}" else value
    return value


def _local(name: str) -> str:
    return name.rpartition("}")[2].rpartition(":")[2].lower()
