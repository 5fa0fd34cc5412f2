"""Which format a file has, by its content and the ending of its name."""

import re
from io import BytesIO
from pathlib import PurePath
from typing import Literal
from zipfile import BadZipFile, ZipFile

from isogloss.errors import PostingError

Format = Literal["text", "markdown", "html", "pdf", "docx"]
"""Formats that are read."""

SUFFIXES: dict[str, Format] = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
    ".docx": "docx",
}
"""Format that each ending of a name stands for."""

SUPPORTED = "text (.txt), Markdown (.md), HTML (.html), PDF (.pdf) and Word (.docx) are read"

_PDF_WITHIN = 1024
_HTML = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:(?><!--.*?-->)\s*+)*+<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_OTHERS = (
    (b"{\\rtf", "a rich text document (RTF)"),
    (b"\x89PNG", "an image (PNG)"),
    (b"\xff\xd8\xff", "an image (JPEG)"),
    (b"GIF8", "an image (GIF)"),
    (b"II*\x00", "an image (TIFF)"),
    (b"MM\x00*", "an image (TIFF)"),
    (b"%!PS", "a PostScript document"),
    (b"\x1f\x8b", "a compressed file (gzip)"),
    (b"7z\xbc\xaf", "a compressed file (7z)"),
    (b"Rar!", "a compressed file (RAR)"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
)
_ZIP_PARTS = (
    ("xl/workbook.xml", "an Excel workbook"),
    ("ppt/presentation.xml", "a PowerPoint presentation"),
    ("content.xml", "an OpenDocument file"),
    ("META-INF/container.xml", "an EPUB book"),
)


def format_of(name: str, content: bytes) -> Format:
    """Return the format of a file.

    The ending of the name says what the file should be, and the content must be that; a name
    without an ending leaves it to the content. Raises `PostingError` when the format is not read,
    or the content is another than the name says.
    """
    suffix = PurePath(name).suffix.lower()
    named, held = SUFFIXES.get(suffix), _held(content)
    if suffix and named is None:
        raise PostingError(f"files of the kind {suffix} are not read; {SUPPORTED}")
    if held is None:
        held = named if named not in ("pdf", "docx") else "text"
    if named is None or held == named or (named == "markdown" and held == "html"):
        return named or held or "text"
    ending = next(ending for ending, kind in SUFFIXES.items() if kind == held)
    raise PostingError(
        f"the name ends in {suffix}, but the content is {held}; if that is right, "
        f"let the name end in {ending}, otherwise save the posting anew"
    )


def _held(content: bytes) -> Format | None:
    """Return the format that the first bytes give away; None for plain text and Markdown."""
    if b"%PDF-" in content[:_PDF_WITHIN]:
        return "pdf"
    if content.startswith(b"PK"):
        return _zip(content)
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise PostingError(_compound(content))
    for magic, what in _OTHERS:
        if content.startswith(magic):
            raise PostingError(f"the file is {what}; {SUPPORTED}")
    return "html" if _HTML.match(content) else None


def _zip(content: bytes) -> Format:
    try:
        with ZipFile(BytesIO(content)) as archive:
            names = set(archive.namelist())
    except (BadZipFile, ValueError, NotImplementedError) as error:
        raise PostingError(
            "the file is a damaged archive, perhaps a Word document that was not copied whole; "
            "save the posting anew"
        ) from error
    if "word/document.xml" in names:
        return "docx"
    what = next((what for part, what in _ZIP_PARTS if part in names), "a ZIP archive")
    raise PostingError(f"the file is {what}; {SUPPORTED}")


def _compound(content: bytes) -> str:
    if "EncryptedPackage".encode("utf-16-le") in content:
        return "the document is protected by a password; save it without one"
    return f"the file is an old Office document (such as .doc); save it as .docx; {SUPPORTED}"
