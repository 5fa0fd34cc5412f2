"""A job posting read from a file: its text, its title, and what the file was."""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from isogloss.audit.english import Foreign, find_foreign
from isogloss.audit.formats.characters import clean, clean_line
from isogloss.audit.formats.detect import Format, format_of
from isogloss.audit.formats.docx import read_docx
from isogloss.audit.formats.extracted import Extracted, TitleSource
from isogloss.audit.formats.html import read_html
from isogloss.audit.formats.markdown import read_markdown
from isogloss.audit.formats.pdf import read_pdf
from isogloss.audit.formats.plain import read_text
from isogloss.errors import PostingError
from isogloss.validate.tokens import count_words

MOST_BYTES = 10_000_000
"""Bytes that a file may have."""

LEAST_WORDS, MOST_WORDS = 20, 5000
"""Words that a posting must and may have."""

MOST_CHARACTERS = 50_000
"""Characters that the text of a posting may have."""

MOST_FOREIGN = 0.5
"""Share of the text in other languages from which on it is not an English posting."""

MOST_TITLE_WORDS = 12
"""Words of a first line that still counts as a title."""

_READERS: dict[Format, Callable[[bytes], Extracted]] = {
    "text": read_text,
    "markdown": read_markdown,
    "html": read_html,
    "pdf": read_pdf,
    "docx": read_docx,
}
_LETTER = re.compile(r"[^\W\d_]")
_NO_TITLE = re.compile(r"[.!?:;,]$|^(?:[-*+•‣▪◦●○■–—·]|\d+[.)])\s")


@dataclass(frozen=True)
class Document:
    """A job posting as it was read from a file."""

    name: str
    """Name of the file, without its folder."""
    format: Format
    """Format that it was read as."""
    sha256: str
    """SHA-256 of the file's bytes, in hexadecimal."""
    bytes: int
    """Size of the file."""
    text: str
    """The whole posting, title included: NFC, single blanks, `\\n` between lines and an empty line
    between paragraphs."""
    title: str | None
    """The title; None where none was found."""
    title_source: TitleSource | None
    """Where the title was found."""
    title_span: tuple[int, int] | None
    """Where the title stands in `text`, half open; one that was not part of the text was put
    before it."""
    words: int
    """Number of words in `text`."""
    pages: int | None
    """Number of pages of a PDF."""
    warnings: tuple[str, ...]
    """What was left out, changed or looks odd, one sentence each."""

    @property
    def description(self) -> str:
        """The text without the title."""
        if self.title_span is None:
            return self.text
        start, end = self.title_span
        before, behind = self.text[:start].strip(), self.text[end:].strip()
        return "\n\n".join(part for part in (before, behind) if part)


def read_posting(path: Path, *, allow_other_language: bool = False) -> Document:
    """Read a job posting from a text, Markdown, HTML, PDF or Word file.

    Nothing in the file is run, and nothing that it refers to is fetched. Raises `PostingError`
    naming the file and the remedy when there is no such file, it is larger than `MOST_BYTES`, has
    another format, cannot be read, has fewer than `LEAST_WORDS` words, more than `MOST_WORDS` or
    than `MOST_CHARACTERS`, or is mostly in another language than English; the last is a warning
    with `allow_other_language`, and the least words are not asked for then.
    """
    try:
        content = _content(path)
        return document_of(path.name, content, allow_other_language=allow_other_language)
    except PostingError as error:
        raise PostingError(f"{path}: {error}") from error


def document_of(name: str, content: bytes, *, allow_other_language: bool = False) -> Document:
    """Read a job posting from the content of a file of this name, as `read_posting` does."""
    if not content.strip():
        raise PostingError("the file is empty; put the text of the posting into it")
    form = format_of(name, content)
    found = _READERS[form](content)
    cleaned = clean(found.text)
    text, title, source, span = _with_title(cleaned.text, found)
    warnings = _checked(text, allow_other_language)
    return Document(
        name=name,
        format=form,
        sha256=hashlib.sha256(content).hexdigest(),
        bytes=len(content),
        text=text,
        title=title,
        title_source=source,
        title_span=span,
        words=count_words(text),
        pages=found.pages,
        warnings=tuple(dict.fromkeys((*found.warnings, *cleaned.warnings, *warnings))),
    )


def _content(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise PostingError("this is a folder; name the file of one posting")
        if not path.exists():
            raise PostingError("there is no such file; check the path")
        if not path.is_file():
            raise PostingError("this is no regular file; save the posting as a file")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise PostingError(f"the file cannot be opened ({error.strerror})") from error
    if len(content) > MOST_BYTES:
        raise PostingError(
            f"the file is larger than {MOST_BYTES:,} bytes; save the text of the posting alone"
        )
    return content


Titled = tuple[str, str | None, TitleSource | None, tuple[int, int] | None]


def _with_title(text: str, found: Extracted) -> Titled:
    """Return the text with its title in it, the title, its source, and where it stands."""
    title = clean_line(found.title or "")
    if not title:
        first = _first_line(text)
        return (text, first, "first line", (0, len(first))) if first else (text, None, None, None)
    start = _line_start(text, title)
    if start is None:
        return f"{title}\n\n{text}".strip(), title, found.title_source, (0, len(title))
    return text, title, found.title_source, (start, start + len(title))


def _line_start(text: str, line: str) -> int | None:
    at = re.search(rf"^{re.escape(line)}$", text, re.MULTILINE)
    return at.start() if at else None


def _first_line(text: str) -> str | None:
    """Return the first line if it is short, no sentence and no list item, and more follows."""
    first, _, rest = text.partition("\n")
    is_short = 0 < count_words(first) <= MOST_TITLE_WORDS
    return first if rest and is_short and not _NO_TITLE.search(first) else None


def _checked(text: str, allow_other_language: bool) -> list[str]:
    """Return warnings about the language; raise `PostingError` for what cannot be audited."""
    if not _LETTER.search(text):
        raise PostingError("the file has no text; put the words of the posting into it")
    words = count_words(text)
    if words > MOST_WORDS or len(text) > MOST_CHARACTERS:
        raise PostingError(
            f"the posting has {words:,} words and {len(text):,} characters, and {MOST_WORDS:,} "
            f"and {MOST_CHARACTERS:,} are the most that can be audited; give the posting alone, "
            "without what else stands in the file"
        )
    foreign = find_foreign(text)
    if foreign.share > MOST_FOREIGN and not allow_other_language:
        raise PostingError(
            f"the posting is not in English (it reads as {foreign.language!r}: "
            f"{foreign.example!r}), and the word lists are; audit an English version, or allow "
            "another language and do without the word lists"
        )
    if words < LEAST_WORDS and foreign.share <= MOST_FOREIGN:
        raise PostingError(
            f"the posting has too few words ({words}; {LEAST_WORDS} are the least that can be "
            "audited); give its whole text"
        )
    return list(_language(foreign))


def _language(foreign: Foreign) -> Iterator[str]:
    if foreign.share > 0:
        yield (
            f"About {max(1, round(100 * foreign.share))} % of the text is not in English, and the "
            f"word lists do not read it (it reads as {foreign.language!r}: {foreign.example!r})."
        )
