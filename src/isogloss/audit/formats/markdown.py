"""Markdown, as CommonMark with tables: it is turned into HTML and read as that."""

import re

from markdown_it import MarkdownIt

from isogloss.audit.formats.decode import decode_text
from isogloss.audit.formats.extracted import Extracted
from isogloss.audit.formats.html import extract

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_DEEPEST = 100


def read_markdown(content: bytes) -> Extracted:
    """Read a Markdown text; a block of settings before it is left out, but for its title.

    HTML inside it is read as in a page: what a page hides does not count. Raises `PostingError`
    when it is no text in UTF-8, or too long.
    """
    text = decode_text(content).replace("\r\n", "\n")
    settings = _FRONT_MATTER.match(text)
    body = text[settings.end() :] if settings else text
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": _DEEPEST}).enable("table")
    found = extract(str(parser.render(body)))
    title = _TITLE.search(settings.group(1)) if settings else None
    return Extracted(
        found.text,
        title.group(1).strip("\"'") if title else found.title,
        "front matter" if title else found.title_source,
        warnings=(*_left_out(settings), *found.warnings),
    )


def _left_out(settings: re.Match[str] | None) -> tuple[str, ...]:
    return ("Settings before the text (front matter) were left out.",) if settings else ()
