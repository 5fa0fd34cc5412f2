"""PDF documents with a text layer, read by pypdf."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from pypdf import PageObject, PasswordType, PdfReader
from pypdf.errors import DependencyError, LimitReachedError

from isogloss.audit.formats.characters import clean
from isogloss.audit.formats.extracted import Extracted
from isogloss.audit.formats.lines import join_wrapped
from isogloss.errors import PostingError

MOST_PAGES = 30
"""Pages that a posting may have."""

MOST_PAGE_BYTES = 2_000_000
"""Bytes of drawing commands that a page may have."""

_LETTER = re.compile(r"[^\W\d_]")
_DAMAGED = "it is damaged; save it anew, or as text"


def read_pdf(content: bytes) -> Extracted:
    """Read the text layer of a PDF document, its lines joined into paragraphs.

    A document that opens without a password is read, also where it forbids changes. Raises
    `PostingError` when it needs a password, is damaged, has more than `MOST_PAGES` pages, a page of
    more than `MOST_PAGE_BYTES`, or no text layer.
    """
    with _quiet():
        reader, warnings = _opened(content)
        texts = [_page_text(page, i + 1) for i, page in enumerate(reader.pages)]
    empty = [i + 1 for i, text in enumerate(texts) if not _LETTER.search(text)]
    if len(empty) == len(texts):
        raise PostingError(
            "the PDF has no text layer, as when paper is scanned; run text recognition (OCR) on "
            "it, or save the posting as text"
        )
    cleaned = clean("\n".join(text.strip("\n") for text in texts))
    text = join_wrapped(cleaned.text)
    said = (*warnings, *_empty_pages(empty), *cleaned.warnings)
    return Extracted(text, pages=len(texts), warnings=said)


def _opened(content: bytes) -> tuple[PdfReader, tuple[str, ...]]:
    try:
        reader = PdfReader(BytesIO(content), strict=False)
        warnings = _unlocked(reader)
        pages = len(reader.pages)
    except PostingError:
        raise
    except Exception as error:  # a damaged file makes pypdf raise nearly anything
        raise PostingError(f"the PDF cannot be read; {_DAMAGED}") from error
    if pages > MOST_PAGES:
        raise PostingError(
            f"the PDF has {pages} pages, and a posting may have {MOST_PAGES}; save the pages of "
            "the posting as a file of their own"
        )
    if pages == 0:
        raise PostingError("the PDF has no pages; save it anew, or as text")
    return reader, warnings


def _unlocked(reader: PdfReader) -> tuple[str, ...]:
    """Open an encrypted document with the empty password, as every viewer does."""
    if not reader.is_encrypted:
        return ()
    try:
        opened = reader.decrypt("") != PasswordType.NOT_DECRYPTED
    except (DependencyError, NotImplementedError) as error:
        raise PostingError(
            "the PDF is encrypted in a way that cannot be read; save it without a password"
        ) from error
    if not opened:
        raise PostingError("the PDF is protected by a password; save it without one")
    return ("The PDF is encrypted but opens without a password.",)


def _page_text(page: PageObject, number: int) -> str:
    try:
        stream = page.get_contents()
        size = len(stream.get_data()) if stream is not None else 0
        text = page.extract_text() if 0 < size <= MOST_PAGE_BYTES else ""
    except LimitReachedError:
        size, text = MOST_PAGE_BYTES + 1, ""
    except Exception as error:  # as above
        raise PostingError(f"page {number} of the PDF cannot be read; {_DAMAGED}") from error
    if size > MOST_PAGE_BYTES:
        raise PostingError(
            f"page {number} is larger than {MOST_PAGE_BYTES:,} bytes of drawing commands; save the "
            "posting as text"
        )
    return text


def _empty_pages(numbers: list[int]) -> tuple[str, ...]:
    if not numbers:
        return ()
    which = ", ".join(map(str, numbers))
    return (f"Pages without text, perhaps pictures of text, were passed over: {which}.",)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep pypdf's remarks on malformed files off the terminal."""
    logger = logging.getLogger("pypdf")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
