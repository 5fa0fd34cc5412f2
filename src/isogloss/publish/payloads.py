"""What stands inside a page as `data:` addresses: figures, styles, scripts."""

import base64
import binascii
import re
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

DATA_ADDRESS = re.compile(
    r"data:(?P<media>[a-z]+/[\w.+-]+)?(?P<parameters>(?:;[\w.+-]+=[\w.+-]+)*)"
    r"(?P<base64>;base64)?,(?P<content>[^\s\"'<>)]*)",
    re.IGNORECASE,
)
TEXT_MEDIA = re.compile(r"text/|image/svg\+xml|application/(?:json|xml|javascript|x-javascript)")
PNG_TEXT = re.compile(rb"(?:tEXt|iTXt)([\x20-\x7e\x00\n]{1,4000})")


@dataclass(frozen=True)
class Payload:
    """The content of one `data:` address."""

    line: int
    """Line of the page on which the address begins."""
    media: str
    """Media type, such as `image/svg+xml`."""
    text: str
    """Content of a text; of a PNG, its text chunks; of anything else nothing."""


def payloads(text: str, depth: int = 2) -> tuple[Payload, ...]:
    """Decode the `data:` addresses of a page, and those inside them to a depth.

    What says base64 and is not has an empty text.
    """
    found = []
    for match in DATA_ADDRESS.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        media = (match["media"] or "text/plain").lower()
        content = _text(media, _bytes(match))
        found.append(Payload(line, media, content))
        if depth > 1 and content:
            inner = payloads(content, depth - 1)
            found += [Payload(line, one.media, one.text) for one in inner]
    return tuple(found)


def without_payloads(text: str) -> str:
    """Return a page with the content of its `data:` addresses taken out, line by line the same."""
    return DATA_ADDRESS.sub("data:", text)


def _bytes(match: "re.Match[str]") -> bytes:
    raw = unquote_to_bytes(match["content"])
    if not match["base64"]:
        return raw
    try:
        return base64.b64decode(raw + b"=" * (-len(raw) % 4), validate=True)
    except binascii.Error:
        return b""


def _text(media: str, content: bytes) -> str:
    if TEXT_MEDIA.match(media):
        return content.decode("utf-8", errors="replace")
    if media == "image/png":
        chunks = (match[1].replace(b"\0", b" ") for match in PNG_TEXT.finditer(content))
        return "\n".join(chunk.decode("ascii", errors="replace") for chunk in chunks)
    return ""
