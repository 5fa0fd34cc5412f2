"""The place that a printed number comes from, as the title of a span.

A title reads `data/results/x/effects.csv, row 12: estimate, low, high`; several places are
separated by semicolons. Rows are counted from 1, the header not among them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CLASS = "num"
"""Class of the spans that carry a source."""

FILES_CLASS = "source"
"""Class of the texts that name files: below tables, and at the end of figures' captions."""

CITING = frozenset({CLASS, FILES_CLASS})
"""Classes whose spans may have a title that names sources."""

TITLE = re.compile(r"[\w ./,:;()=+@-]*")
"""What a title may hold; anything else would have to be escaped in an attribute."""

_SOURCE = re.compile(
    r"(?P<file>[^\s,:;()]+)"
    r"(?:, rows? (?P<rows>\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*))?"
    r"(?:, entry (?P<entry>[^\s,:;()]+))?"
    r"(?:: (?P<columns>[^\s,:;()]+(?:, [^\s,:;()]+)*))?"
    r"(?: \((?P<rule>[^()]+)\))?"
)


@dataclass(frozen=True)
class Source:
    """A file, and the place in it that a number was taken or computed from."""

    file: str
    """Relative to the project's folder."""
    rows: tuple[int, ...] = ()
    """Rows of a table, counted from 1; none where the file is no table."""
    columns: tuple[str, ...] = ()
    """Columns of the table, or keys of the file."""
    rule: str = ""
    """How several values become one number: `count of rows`, `sum`."""
    entry: str = ""
    """Name of the entry in a file of entries."""

    def __str__(self) -> str:
        """Return the source in the form of a title."""
        rows = f", {_rows(self.rows)}" if self.rows else ""
        entry = f", entry {self.entry}" if self.entry else ""
        columns = f": {', '.join(self.columns)}" if self.columns else ""
        rule = f" ({self.rule})" if self.rule else ""
        return _plain(f"{self.file}{rows}{entry}{columns}{rule}")


@dataclass(frozen=True)
class Cited:
    """A text to be shown, and where its numbers come from."""

    text: str
    """As Markdown."""
    sources: tuple[Source, ...]

    @property
    def markdown(self) -> str:
        """The text in a span that carries its sources."""
        return cite(self.text, self.sources)


def cite(text: str, sources: Sequence[Source]) -> str:
    """Return Markdown in a span whose title names its sources; without any, it stays as it is."""
    return f'[{text}]{{.{CLASS} title="{title_of(sources)}"}}' if text and sources else text


def title_of(sources: Iterable[Source]) -> str:
    """Return the title that names some sources, each once."""
    return "; ".join(dict.fromkeys(map(str, sources)))


def parse_sources(title: str) -> tuple[Source, ...]:
    """Return the sources that a title names; one that has another form names none."""
    matches = [_SOURCE.fullmatch(part) for part in title.split("; ")]
    return tuple(
        Source(
            match["file"],
            tuple(_numbers(match["rows"] or "")),
            tuple((match["columns"] or "").split(", ")) if match["columns"] else (),
            match["rule"] or "",
            match["entry"] or "",
        )
        for match in matches
        if match is not None
    )


def _rows(rows: Sequence[int]) -> str:
    """Return `row 3`, or `rows 3-5, 9`."""
    runs: list[list[int]] = []
    for row in sorted(set(rows)):
        if runs and row == runs[-1][1] + 1:
            runs[-1][1] = row
        else:
            runs.append([row, row])
    shown = [str(low) if low == high else f"{low}-{high}" for low, high in runs]
    return f"{'row' if len(set(rows)) == 1 else 'rows'} {', '.join(shown)}"


def _numbers(rows: str) -> Iterable[int]:
    for run in filter(None, rows.split(", ")):
        low, _, high = run.partition("-")
        yield from range(int(low), int(high or low) + 1)


def _plain(text: str) -> str:
    return "".join(character if TITLE.fullmatch(character) else "_" for character in text)
