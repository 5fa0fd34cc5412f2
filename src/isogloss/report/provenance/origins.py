"""Rows that know the file they were read from, through filters, groupings and joins.

A frame with origins has the column `ORIGIN`, which holds a tuple of `Origin` for each row.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import pandas as pd

from isogloss.report.provenance.sources import Source, cite

ORIGIN = "@origin"
"""Name of the column of origins; no result table has a column whose name begins with an @."""

COUNT = "count of rows"
"""Rule of a number that says how many rows there are."""

_OTHER = "@other"


@dataclass(frozen=True)
class Origin:
    """A row of a file, and which of its columns stand behind the columns of a table in memory."""

    file: str
    """Relative to the project's folder."""
    columns: Mapping[str, tuple[str, ...]]
    """Columns of the file by the column in memory that was made of them."""
    row: int = 0
    """Counted from 1; 0 where the file is no table."""
    entry: str = ""
    """Name of the entry in a file of entries."""

    def source(self, names: Iterable[str]) -> Source:
        """Return the place of some columns in memory."""
        behind = dict.fromkeys(c for name in names for c in self.columns.get(name, ()))
        rows = (self.row,) if self.row else ()
        return Source(self.file, rows, tuple(behind), entry=self.entry)


def with_origins(frame: pd.DataFrame, file: str) -> pd.DataFrame:
    """Return a table, as it stands in a file, with the origin of each row."""
    columns = {str(name): (str(name),) for name in frame.columns}
    origins = [(Origin(file, columns, row),) for row in range(1, len(frame) + 1)]
    return frame.assign(**{ORIGIN: pd.Series(origins, index=frame.index, dtype=object)})


def origins_of(row: Mapping[str, Any]) -> tuple[Origin, ...]:
    """Return the origins of a row; a row that was computed has none."""
    origins: tuple[Origin, ...] = row.get(ORIGIN, ())
    return origins


def joined(
    left: pd.DataFrame,
    right: pd.DataFrame,
    on: Sequence[str],
    named: Mapping[str, str],
    how: Literal["left", "inner"] = "left",
) -> pd.DataFrame:
    """Return the rows of `left` with columns of the rows of `right` that match them.

    `named` gives, for columns of `right`, their names in the result. Raises `MergeError` when
    several rows of `right` match one of `left`.
    """
    part = right[[*on, *named]].rename(columns=dict(named))
    if ORIGIN in right:
        narrowed = [tuple(_narrowed(one, named) for one in each) for each in right[ORIGIN]]
        part[_OTHER] = pd.Series(narrowed, index=part.index, dtype=object)
    merged = left.merge(part, on=list(on), how=how, validate="many_to_one")
    if _OTHER not in merged:
        return merged
    own = merged[ORIGIN] if ORIGIN in merged else [()] * len(merged)
    both = [
        (*a, *(b if isinstance(b, tuple) else ())) for a, b in zip(own, merged[_OTHER], strict=True)
    ]
    merged[ORIGIN] = pd.Series(both, index=merged.index, dtype=object)
    return merged.drop(columns=_OTHER)


def rows_source(
    frame: pd.DataFrame, file: str, columns: Sequence[str], rule: str
) -> tuple[Source, ...]:
    """Return the source of a number that was computed by a rule from rows of a file."""
    each = frame.get(ORIGIN, ())
    rows = tuple(o.row for origins in each for o in origins if o.file == file)
    return (Source(file, rows, tuple(columns), rule),)


def cite_count(rows: pd.DataFrame, file: str, column: str) -> str:
    """Return how many rows of a file these are, as Markdown with their place."""
    return cite(str(len(rows)), rows_source(rows, file, (column,), COUNT))


def _narrowed(origin: Origin, named: Mapping[str, str]) -> Origin:
    return replace(origin, columns={new: origin.columns.get(old, ()) for old, new in named.items()})
