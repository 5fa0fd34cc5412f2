"""Postings in every format, made from code."""

import io
import zipfile
from collections.abc import Sequence
from typing import Any

import docx
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

TITLE = "Bicycle Mechanic"
SENTENCES = (
    "We repair city bicycles in a small workshop beside the main station.",
    "You true wheels, change tyres and talk with the people who bring their bicycles in.",
    "The work begins at nine, and the pay is £14 an hour.",
)
TEXT = f"{TITLE}\n\n{' '.join(SENTENCES)}"


def html_of(body: str, head: str = "") -> bytes:
    """Return a page with the posting's sentences behind `body`."""
    page = (
        f"<!doctype html><html><head>{head}</head><body>{body}<p>{' '.join(SENTENCES)}</p></body>"
    )
    return page.encode()


def pdf_of(pages: Sequence[Sequence[str]], password: str | None = None, owner: str = "") -> bytes:
    """Return a PDF whose pages have these lines; a page without lines is blank."""
    writer = PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
            NameObject("/Encoding"): NameObject("/WinAnsiEncoding"),
        }
    )
    for lines in pages:
        page = writer.add_blank_page(width=595, height=842)
        if lines:
            stream = DecodedStreamObject()
            stream.set_data(_drawn(lines))
            page[NameObject("/Contents")] = writer._add_object(stream)
            page[NameObject("/Resources")] = DictionaryObject(
                {NameObject("/Font"): DictionaryObject({NameObject("/F"): font})}
            )
    if password is not None:
        writer.encrypt(password, owner or None, algorithm="AES-256")
    return _written(writer)


def _drawn(lines: Sequence[str]) -> bytes:
    shown = [line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") for line in lines]
    return (
        "BT /F 11 Tf 14 TL 50 790 Td " + " ".join(f"({s}) Tj T*" for s in shown) + " ET"
    ).encode("cp1252")


def _written(document: Any) -> bytes:
    file = io.BytesIO()
    if isinstance(document, PdfWriter):
        document.write(file)
    else:
        document.save(file)
    return file.getvalue()


def word(*paragraphs: tuple[str, str]) -> Any:
    """Return a Word document with paragraphs given as style and text, then the posting's."""
    document = docx.Document()
    for style, text in paragraphs:
        document.add_paragraph(text, style=style)
    for sentence in SENTENCES:
        document.add_paragraph(sentence)
    return document


def docx_of(document: Any) -> bytes:
    """Return the bytes of a Word document."""
    return _written(document)


def zip_of(parts: dict[str, bytes]) -> bytes:
    """Return an archive of these files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def with_part(content: bytes, name: str, part: bytes) -> bytes:
    """Return an archive with one file replaced."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {item: archive.read(item) for item in archive.namelist()}
    return zip_of({**parts, name: part})
