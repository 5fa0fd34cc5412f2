"""Figures' files: what may be shown, and its bytes as an address that needs no request."""

import base64
import re
from pathlib import Path
from xml.etree import ElementTree

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
MEDIA_TYPES = {".svg": "image/svg+xml", ".png": "image/png"}
LINK_ATTRIBUTES = ("href", "src")
EXTERNAL_STYLE = re.compile(r"@import|url\(\s*['\"]?(?!['\"]?#|data:)", re.IGNORECASE)


def image_fault(project: Path, address: str) -> str:
    """Say why an image may not be shown, or nothing.

    An image is an SVG or PNG file of the project. An SVG may not hold a script, an event handler,
    an entity, or anything that is fetched from elsewhere.
    """
    root = project.resolve()
    path = (root / address).resolve()
    if re.match(r"[A-Za-z][\w+.-]*:|//", address) or not path.is_relative_to(root):
        return f"the image {address} is not a file of the project"
    if not path.is_file():
        return f"the image {address} does not exist; run the stage that writes it"
    if path.suffix not in MEDIA_TYPES:
        return f"the image {address} is neither .svg nor .png"
    content = path.read_bytes()
    if path.suffix == ".png":
        return "" if content.startswith(PNG_SIGNATURE) else f"the image {address} is not a PNG file"
    fault = _svg_fault(content)
    return f"the image {address} {fault}" if fault else ""


def data_address(project: Path, address: str) -> str:
    """Return the image's bytes as a `data:` address."""
    path = project / address
    encoded = base64.b64encode(path.read_bytes()).decode("ascii")
    return f"data:{MEDIA_TYPES[path.suffix]};base64,{encoded}"


def _svg_fault(content: bytes) -> str:
    if b"<!ENTITY" in content:
        return "declares an entity"
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        return f"is not an SVG file ({error})"
    if _local(root.tag) != "svg":
        return "is not an SVG file"
    return next((fault for element in root.iter() if (fault := _element_fault(element))), "")


def _element_fault(element: "ElementTree.Element[str]") -> str:
    if _local(element.tag) in ("script", "foreignObject"):
        return f"contains a {_local(element.tag)} element"
    for name, value in element.attrib.items():
        if _local(name).lower().startswith("on"):
            return f"contains the event handler {_local(name)}"
        if _local(name) in LINK_ATTRIBUTES and not value.startswith(("#", "data:image/")):
            return f"refers to {value}"
        if EXTERNAL_STYLE.search(value):
            return "fetches a style from elsewhere"
    if _local(element.tag) == "style" and EXTERNAL_STYLE.search(element.text or ""):
        return "fetches a style from elsewhere"
    return ""


def _local(name: str) -> str:
    return name.rpartition("}")[2]
