"""Plain text."""

from isogloss.audit.formats.characters import clean
from isogloss.audit.formats.decode import decode_text
from isogloss.audit.formats.extracted import Extracted
from isogloss.audit.formats.lines import join_wrapped


def read_text(content: bytes) -> Extracted:
    """Read a plain text: UTF-8, its lines joined into paragraphs.

    Raises `PostingError` naming the byte at fault when it is no text in UTF-8, or too long.
    """
    cleaned = clean(decode_text(content))
    return Extracted(join_wrapped(cleaned.text), warnings=cleaned.warnings)
