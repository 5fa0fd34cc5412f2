"""Text from outside as Markdown that shows it unchanged, and pipe tables."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

SPECIAL = re.compile(r"[\\`*_{}\[\]()<>#+|~^$@\"'&!:=]|(?<=[.-])[.-]|[.-](?=[.-])")
"""Characters that Markdown could read as markup, and runs that it would turn into a dash or dots.
"""

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")

MARKUP = re.compile(r"\]\{[^}]*\}|[\\\[\]*~]")
"""What of a cell's Markdown does not show."""

WIDEST = 60
"""Most characters that count for the width of a column."""

Record = Mapping[str, Any]
"""One row of a result table, by column name."""


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

    The rule's dashes follow the widest cell of each column, because pandoc shares the width of a
    table with long lines out in their proportion.
    """
    head = [column.title for column in columns]
    body = [[column.cell(record) or " " for column in columns] for record in records]
    widths = [
        min(max(len(MARKUP.sub("", row[place])) for row in [head, *body]), WIDEST)
        for place in range(len(head))
    ]
    rule = [
        "-" * (max(width, 3) - 1) + (":" if column.align == "right" else "-")
        for column, width in zip(columns, widths, strict=True)
    ]
    lines = [_line(row) for row in (head, rule, *body)]
    return "\n".join([*lines, "", f": {caption} {{#{label}}}", ""])


def slug(text: str) -> str:
    """Return `text` in lower case with everything but letters and digits as single dashes."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
