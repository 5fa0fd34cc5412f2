"""Bytes of a text file as characters. Nothing is guessed: UTF-8, or what the file itself says."""

import codecs
import re

from isogloss.errors import PostingError

MOST_TEXT_BYTES = 500_000
"""Bytes that a text or Markdown file may have."""

_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
_DECLARED = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_DECLARED_WITHIN = 4096
_WESTERN = {"windows-1252", "cp1252", "iso-8859-1", "latin1", "latin-1", "us-ascii", "ascii"}
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode_text(content: bytes) -> str:
    """Return the characters of a text or Markdown file.

    Raises `PostingError` as `decode` does, and for more than `MOST_TEXT_BYTES`.
    """
    if len(content) > MOST_TEXT_BYTES:
        raise PostingError(
            f"the file has {len(content):,} bytes, and {MOST_TEXT_BYTES:,} are the most of a text; "
            "give the posting alone, without what else stands in the file"
        )
    return decode(content)


def decode(content: bytes) -> str:
    """Return characters in UTF-8, or in UTF-16 with a byte order mark.

    Raises `PostingError` naming the byte at fault when the content is neither, or holds control
    characters that no text has.
    """
    if content.startswith(_UTF16):
        return _decode_utf16(content)
    control = _CONTROL.search(content)
    if control:
        raise PostingError(
            f"byte {control.start()} is a control character (0x{control.group()[0]:02x}), which no "
            "text has; save the posting as plain text in UTF-8"
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PostingError(
            f"not UTF-8 at byte {error.start} (0x{content[error.start]:02x}); save it as UTF-8"
        ) from error


def decode_page(content: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the characters of a web page, and a warning where it is in an older encoding.

    A page that is no UTF-8 is read as Windows-1252 if it declares that, or ISO-8859-1, which
    browsers read as the same. Raises `PostingError` as `decode` does.
    """
    declared = _DECLARED.search(content[:_DECLARED_WITHIN])
    name = declared.group(1).decode("ascii", "replace").lower() if declared else ""
    try:
        return decode(content), ()
    except PostingError:
        if name not in _WESTERN or _CONTROL.search(content) or content.startswith(_UTF16):
            raise
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError as error:
        raise PostingError(
            f"not {name} at byte {error.start}, which the page says it is; save it as UTF-8"
        ) from error
    return text, (f"The page is not in UTF-8; it was read as {name}, which it declares.",)


def _decode_utf16(content: bytes) -> str:
    try:
        text = content.decode("utf-16")
    except UnicodeDecodeError as error:
        raise PostingError(f"not UTF-16 at byte {error.start}; save it as UTF-8") from error
    if "\x00" in text:
        raise PostingError("the file holds NUL characters, which no text has; save it as UTF-8")
    return text
