"""One table against the recorded one, cell by cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from isogloss.reproduce.cells import is_number
from isogloss.reproduce.columns import (
    ColumnDifferences,
    Rule,
    changed_significance,
    changed_verdicts,
    compare_column,
)
from isogloss.reproduce.findings import Change, TableComparison, VerdictChange
from isogloss.reproduce.rows import Key, is_verdict, key_columns, match_rows, names_of
from isogloss.reproduce.tables import UnreadableError, is_table, read_cells
from isogloss.reproduce.tolerances import Tolerances

ADJUSTED = frozenset({"p_adjusted", "p_bonferroni"})
"""Columns whose numbers decide what is significant."""

LISTED = 10
"""Rows of one side alone that are listed; all are counted."""


@dataclass(frozen=True)
class Rules:
    """What tables are held to."""

    tolerances: Tolerances
    alpha: float | None = None
    """Level of significance; a column `alpha` of the table goes before it."""

    def of(self, table: str, column: str) -> Rule:
        """Return the rule for a column."""
        found = self.tolerances.of(table, column)
        return Rule(found, is_default=found is self.tolerances.default)


@dataclass(frozen=True)
class _Rows:
    """Rows of both tables side by side, and what names each."""

    recorded: pd.DataFrame
    found: pd.DataFrame
    labels: Sequence[str]

    def columns(self) -> list[str]:
        return [name for name in self.recorded.columns if name in self.found.columns]

    def written_differently(self, column: str) -> list[int]:
        one, other = (side[column].to_numpy(object) for side in (self.recorded, self.found))
        return [int(i) for i in np.flatnonzero(one != other)]

    def changes(self, column: str, rows: Sequence[int]) -> list[Change]:
        one, other = (side[column].to_numpy(object) for side in (self.recorded, self.found))
        return [Change(self.labels[i], one[i], other[i]) for i in rows]


def compare_files(name: str, recorded: Path, found: Path, rules: Rules) -> TableComparison:
    """Compare two files that both exist: their bytes, and where these differ their values."""
    if recorded.read_bytes() == found.read_bytes():
        return TableComparison(name, "same bytes")
    if not is_table(name):
        return TableComparison(name, "differs", note="it is no table, and its bytes are others")
    try:
        return compare_tables(name, read_cells(recorded), read_cells(found), rules)
    except UnreadableError as error:
        return TableComparison(name, "unreadable", note=str(error))


def compare_tables(
    name: str, recorded: pd.DataFrame, found: pd.DataFrame, rules: Rules, scope: str = ""
) -> TableComparison:
    """Compare two tables of cells; rows are matched by their key, never by their order.

    `scope` says which part of the table `name` they are, where they are a part.
    """
    key = key_columns(recorded, found)
    matched = match_rows(recorded, found, key)
    one = recorded.iloc[[place for place, _ in matched.pairs]]
    other = found.iloc[[place for _, place in matched.pairs]]
    rows = _Rows(one, other, row_labels(one, key))
    columns = [_compared(name, column, rows, rules) for column in rows.columns()]
    numbers = tuple(n for column, _ in columns for n in column.numbers)
    texts = tuple(t for column, _ in columns for t in column.texts)
    verdicts = tuple(v for _, changed in columns for v in changed)
    columns_alone = _columns_alone(recorded, found)
    rows_alone = len(matched.only_recorded) + len(matched.only_found)
    other_values = any(n.beyond for n in numbers) or any(not t.allowed for t in texts)
    differs = other_values or verdicts or columns_alone or rows_alone
    return TableComparison(
        name,
        "differs" if differs else "within tolerance" if numbers or texts else "same values",
        rows=len(one),
        scope=scope,
        key=key,
        only_recorded=len(matched.only_recorded),
        only_found=len(matched.only_found),
        rows_listed=(
            *_alone("recorded", recorded, matched.only_recorded, key),
            *_alone("found", found, matched.only_found, key),
        ),
        columns_listed=columns_alone,
        numbers=numbers,
        texts=texts,
        verdicts=verdicts,
    )


def row_labels(frame: pd.DataFrame, key: Key) -> list[str]:
    """Return what names each row: the key's values, without empty ones and those all rows share."""
    telling = tuple(name for name in key if frame[name].nunique() > 1) or key[-1:]
    return [
        ", ".join(f"{name} {value}" for name, value in zip(telling, values, strict=True) if value)
        for values in names_of(frame, telling)
    ]


def _compared(
    table: str, column: str, rows: _Rows, rules: Rules
) -> tuple[ColumnDifferences, tuple[VerdictChange, ...]]:
    differing = rows.written_differently(column)
    changes = rows.changes(column, differing)
    if is_verdict(column) and _holds_words(changes):
        return ColumnDifferences(), tuple(changed_verdicts(column, changes))
    verdicts: tuple[VerdictChange, ...] = ()
    if column in ADJUSTED:
        levels = _levels(rows.recorded, rules.alpha)
        verdicts = tuple(changed_significance(column, changes, [levels[i] for i in differing]))
    return compare_column(column, changes, rules.of(table, column)), verdicts


def _holds_words(changes: Sequence[Change]) -> bool:
    """Whether cells are words; some tables have counts in columns of these names."""
    cells = {cell for change in changes for cell in (change.recorded, change.found)} - {""}
    return not all(map(is_number, cells))


def _levels(frame: pd.DataFrame, alpha: float | None) -> list[float | None]:
    """Level of significance of each row."""
    if "alpha" not in frame.columns:
        return [alpha] * len(frame)
    return [float(cell) if is_number(cell) else alpha for cell in frame["alpha"]]


def _columns_alone(recorded: pd.DataFrame, found: pd.DataFrame) -> tuple[str, ...]:
    return (
        *(f"recorded only: {name}" for name in recorded.columns if name not in found.columns),
        *(f"found only: {name}" for name in found.columns if name not in recorded.columns),
    )


def _alone(side: str, frame: pd.DataFrame, places: Sequence[int], key: Key) -> tuple[str, ...]:
    shown = row_labels(frame, key) if places else []
    return tuple(f"{side} only: {shown[place]}" for place in places[:LISTED])
