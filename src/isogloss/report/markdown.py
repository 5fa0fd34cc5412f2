"""Text from outside as Markdown that shows it unchanged, and pipe tables."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from isogloss.report.provenance import Reading, Record

SPECIAL = re.compile(r"[\\`*_{}\[\]()<>#+|~^$@\"'&!:=]|(?<=[.-])[.-]|[.-](?=[.-])")
"""Characters that Markdown could read as markup, and runs that it would turn into a dash or dots.
"""

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")

MARKUP = re.compile(r"\]\{[^}]*\}|[\\\[\]*~]")
"""What of a cell's Markdown does not show."""

WIDEST = 60
"""Most characters that count for the width of a column."""

ABOUT_NUMBERS = "audit.qmd#sec-numbers"
"""Place of the pages that says how to read where a number comes from."""


def escape(text: str) -> str:
    """Return Markdown that shows `text` as it is, in a paragraph, a table cell or a caption.

    Control characters and line ends become one space.
    """
    return SPECIAL.sub(r"\\\g<0>", CONTROL.sub(" ", text).strip())


@dataclass(frozen=True)
class Column:
    """A column of a pipe table."""

    title: str
    """Heading, as Markdown."""
    cell: Callable[[Record], str]
    """Makes the Markdown of a cell from a row."""
    align: Literal["left", "right"] = "left"


def pipe_table(
    records: Sequence[Record], columns: Sequence[Column], *, caption: str, label: str
) -> str:
    """Return a pipe table with a caption and a label that begins with `tbl-`.

    Cells about numbers carry the place that they were read from, where the records have origins;
    the files stand below the table.

    The rule's dashes follow the widest cell of each column, because pandoc shares the width of a
    table with long lines out in their proportion.
    """
    head = [column.title for column in columns]
    readings = [[Reading(record) for _ in columns] for record in records]
    body = [
        [read.cited(column.cell(read)) or " " for column, read in zip(columns, row, strict=True)]
        for row in readings
    ]
    widths = [
        min(max(len(MARKUP.sub("", row[place])) for row in [head, *body]), WIDEST)
        for place in range(len(head))
    ]
    rule = [
        "-" * (max(width, 3) - 1) + (":" if column.align == "right" else "-")
        for column, width in zip(columns, widths, strict=True)
    ]
    lines = [_line(row) for row in (head, rule, *body)]
    files = [source.file for row in readings for read in row for source in read.sources]
    return "\n".join([*lines, "", f": {caption} {{#{label}}}", "", *_files_line(files)])


def slug(text: str) -> str:
    """Return `text` in lower case with everything but letters and digits as single dashes."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def file_names(files: Iterable[str]) -> str:
    """Return names of files that stand in a paragraph, with a link to what they are."""
    return f"[{', '.join(dict.fromkeys(files))}]({ABOUT_NUMBERS})"


def _files_line(files: Sequence[str]) -> tuple[str, ...]:
    return (f"[Source: {file_names(files)}]{{.source}}", "") if files else ()


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
