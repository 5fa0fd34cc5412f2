"""Word documents (.docx), opened by python-docx."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from docx import Document as open_docx
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph

from isogloss.audit.formats.extracted import Extracted, TitleSource
from isogloss.errors import PostingError

MOST_UNPACKED = 50_000_000
"""Bytes that a document may have when unpacked."""

MOST_PARTS = 2000
"""Files that a document may be made of."""

_ENCRYPTED = 0x1
_TEXT, _PARAGRAPH = qn("w:t"), qn("w:p")
_BLANKS = {qn("w:tab"): " ", qn("w:ptab"): " ", qn("w:br"): "\n", qn("w:cr"): "\n",
           qn("w:noBreakHyphen"): "-"}  # fmt: skip
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_NOT_OF_THE_TEXT = {_FALLBACK, qn("w:del"), qn("w:moveFrom"), qn("w:pPr"), qn("w:rPr")}
_DAMAGED = "it is damaged; save it anew, or as text"

Element = Any
"""An element of lxml, which has no types."""


def read_docx(content: bytes) -> Extracted:
    """Read the text of a Word document: paragraphs, lists, tables, text boxes, fields.

    Left out are hidden text, deletions that are being tracked, comments, notes, headers and
    footers. The title is the first paragraph in the style Title, else in Heading 1. Raises
    `PostingError` when the document is damaged, needs a password, has macros, or unpacks to more
    than `MOST_UNPACKED` bytes or `MOST_PARTS` files.
    """
    _check_size(content)
    try:
        document: Any = open_docx(BytesIO(content))
        body = document.element.body
    except Exception as error:  # a damaged file makes its readers raise nearly anything
        raise PostingError(f"the Word document cannot be read; {_DAMAGED}") from error
    if body.getroottree().docinfo.doctype:
        raise PostingError(f"the Word document declares entities, as Word never does; {_DAMAGED}")
    paragraphs = [(element, _shown(element)) for element in _paragraphs(body)]
    texts = [(element, text) for element, text in paragraphs if text.strip()]
    title, source = _title([(_style(element, document), text) for element, text in texts])
    return Extracted(
        "\n\n".join(_one_line(text) if text == title else text for _, text in texts),
        None if title is None else _one_line(title),
        source,
        warnings=tuple(_warnings(document)),
    )


def _check_size(content: bytes) -> None:
    try:
        with ZipFile(BytesIO(content)) as archive:
            parts = archive.infolist()
            types = archive.read("[Content_Types].xml") if _fits(parts) else b""
    except Exception as error:  # as above
        raise PostingError(f"the Word document cannot be read; {_DAMAGED}") from error
    if not _fits(parts):
        raise PostingError(
            f"the Word document unpacks to more than {MOST_UNPACKED:,} bytes or {MOST_PARTS:,} "
            "files; save the posting as text"
        )
    if b"macroEnabled" in types:
        raise PostingError("the Word document holds macros; save it as a plain .docx")


def _fits(parts: list[Any]) -> bool:
    return len(parts) <= MOST_PARTS and sum(part.file_size for part in parts) <= MOST_UNPACKED


def _paragraphs(element: Element) -> Iterator[Element]:
    """Yield all paragraphs in the order of the document, a text box's behind its anchor's."""
    for paragraph in element.iter(_PARAGRAPH):
        if next(paragraph.iterancestors(_FALLBACK), None) is None:
            yield paragraph


def _shown(paragraph: Element) -> str:
    """Return the text of a paragraph, but not that of text boxes inside it."""
    return "".join(_pieces(paragraph))


def _pieces(element: Element) -> Iterator[str]:
    for child in element:
        if child.tag == _TEXT:
            yield child.text or ""
        elif child.tag in _BLANKS:
            yield _BLANKS[child.tag]
        elif (
            child.tag not in _NOT_OF_THE_TEXT and child.tag != _PARAGRAPH and not _is_hidden(child)
        ):
            yield from _pieces(child)


def _is_hidden(element: Element) -> bool:
    found = element.find(f"{qn('w:rPr')}/{qn('w:vanish')}")
    return found is not None and found.get(qn("w:val")) not in ("0", "false", "off")


def _style(element: Element, document: Any) -> str:
    try:
        style: Any = Paragraph(element, document._body).style
        return str(style.name)
    except (AttributeError, KeyError, ValueError):  # a style that the document does not define
        return ""


def _title(texts: list[tuple[str, str]]) -> tuple[str | None, TitleSource | None]:
    wanted: tuple[tuple[str, TitleSource], ...] = (
        ("Title", "title style"),
        ("Heading 1", "heading"),
    )
    for name, source in wanted:
        for style, text in texts:
            if style == name:
                return text, source
    return None, None


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _warnings(document: Any) -> Iterator[str]:
    body = document.element.body
    if next(body.iter(qn("w:tbl")), None) is not None:
        yield "The cells of tables were read one after another."
    if any(_is_hidden(run) and _has_text(run) for run in body.iter(qn("w:r"))):
        yield "Hidden text was left out."
    if next(body.iter(qn("w:ins"), qn("w:del")), None) is not None:
        yield "Changes that are being tracked were read as accepted."
    if any(map(_has_text, _edges(document))):
        yield "Headers and footers were left out."


def _has_text(element: Element) -> bool:
    return any((text.text or "").strip() for text in element.iter(_TEXT))


def _edges(document: Any) -> Iterator[Element]:
    for section in document.sections:
        for edge in (section.header, section.footer, section.first_page_header,
                     section.first_page_footer):  # fmt: skip
            if not edge.is_linked_to_previous:
                yield edge._element
