"""One column of matched rows: which numbers, texts and verdicts are others than recorded."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from isogloss.reproduce.cells import Gap, gaps, is_integer, is_list, is_number
from isogloss.reproduce.findings import (
    Change,
    NumberDifference,
    TextDifference,
    VerdictChange,
)
from isogloss.reproduce.tolerances import Tolerance

LISTED = 10
"""Texts of a column that are listed; all are counted."""


@dataclass(frozen=True)
class Rule:
    """What a column is held to."""

    tolerance: Tolerance
    is_default: bool
    """Whether the column has no rule of its own.

    Then whole numbers, and numbers within a text, have to be the very ones.
    """


@dataclass(frozen=True)
class ColumnDifferences:
    """What is different in one column, as texts and as numbers."""

    numbers: tuple[NumberDifference, ...] = ()
    texts: tuple[TextDifference, ...] = ()


def compare_column(column: str, changes: Sequence[Change], rule: Rule) -> ColumnDifferences:
    """Sort the cells that are written differently into other numbers and other texts."""
    found = [(change, _gaps(change, rule)) for change in changes]
    texts = tuple(change for change, numbers in found if numbers is None)
    cells = [(change, numbers) for change, numbers in found if numbers]
    other = [(c, numbers) for c, numbers in cells if any(gap.absolute for gap in numbers)]
    return ColumnDifferences(
        (_numbers(column, other, rule),) if other else (),
        (TextDifference(column, len(texts), rule.tolerance.any_text, texts[:LISTED]),)
        if texts
        else (),
    )


def changed_verdicts(column: str, changes: Sequence[Change]) -> Iterator[VerdictChange]:
    """Yield every verdict that is another word."""
    return (VerdictChange(column, c.row, c.recorded, c.found) for c in changes)


def changed_significance(
    column: str, changes: Sequence[Change], levels: Sequence[float | None]
) -> Iterator[VerdictChange]:
    """Yield each adjusted p-value that is now on the other side of its level: p < level."""
    for change, level in zip(changes, levels, strict=True):
        if level is not None and is_number(change.recorded) and is_number(change.found):
            before, now = (float(cell) < level for cell in (change.recorded, change.found))
            if before != now:
                yield VerdictChange(f"{column} < {level:g}", change.row, _said(before), _said(now))


def _said(significant: bool) -> str:
    return "significant" if significant else "not significant"


def _gaps(change: Change, rule: Rule) -> tuple[Gap, ...] | None:
    recorded, found = change.recorded, change.found
    numeric = is_number(recorded) or (is_list(recorded) and is_list(found))
    if rule.tolerance.any_text or (rule.is_default and not numeric):
        return None
    between = gaps(recorded, found)
    if between is not None and not numeric and not any(gap.absolute for gap in between):
        return None  # "1.0" and "1.00" within a text
    return between


def _numbers(
    column: str, cells: Sequence[tuple[Change, tuple[Gap, ...]]], rule: Rule
) -> NumberDifference:
    excess = [max(_excess(gap, change, rule) for gap in numbers) for change, numbers in cells]
    everything = [gap for _, numbers in cells for gap in numbers]
    worst = max(range(len(cells)), key=lambda i: (excess[i], cells[i][1][0].absolute))
    exact = rule.is_default and all(is_integer(change.recorded) for change, _ in cells)
    return NumberDifference(
        column,
        cells=len(cells),
        beyond=sum(amount > 1 for amount in excess),
        largest_absolute=max(gap.absolute for gap in everything),
        largest_relative=max(gap.relative for gap in everything),
        worst=cells[worst][0],
        absolute=0.0 if exact else rule.tolerance.absolute,
        relative=0.0 if exact else rule.tolerance.relative,
        reason="whole numbers are the very ones" if exact else rule.tolerance.reason,
    )


def _excess(gap: Gap, change: Change, rule: Rule) -> float:
    """The gap as a share of its bound; above 1 it is beyond."""
    whole = is_integer(change.recorded) and is_integer(change.found)
    bound = 0.0 if rule.is_default and whole else rule.tolerance.bound(gap.recorded)
    if gap.absolute == 0:
        return 0.0
    return gap.absolute / bound if bound > 0 and gap.absolute != inf else inf
