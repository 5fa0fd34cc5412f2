"""Cells of the report's tables: functions that make Markdown of a row of results."""

from collections.abc import Callable

from isogloss.report.markdown import escape
from isogloss.report.numbers import (
    RATING_DECIMALS,
    fixed,
    interval,
    not_estimable,
    p_value,
    percent,
    signed,
    with_interval,
)
from isogloss.report.provenance import Record
from isogloss.score.responses import MISSING

Cell = Callable[[Record], str]

VERDICTS = {
    "different": "[different]{.verdict-different}",
    "different_but_negligible": "[different]{.verdict-different}, negligible",
    "equivalent": "[equivalent]{.verdict-equivalent}",
    "inconclusive": "[inconclusive]{.verdict-inconclusive}",
}


def words(name: str) -> Cell:
    """Text of a column."""
    return lambda row: escape(str(row[name]))


def plain_words(name: str) -> Cell:
    """Text of a column whose names are written with underscores."""
    return lambda row: escape(str(row[name]).replace("_", " "))


def count(name: str) -> Cell:
    """Whole number of a column."""
    return lambda row: str(int(row[name]))


def number(name: str, decimals: int, reason: str = "reason") -> Cell:
    """Unsigned number of a column, or why there is none."""
    return lambda row: (
        not_estimable(str(row[reason])) if row[name] != row[name] else fixed(row[name], decimals)
    )


def two_counts(first: str, second: str) -> Cell:
    """Whole numbers of two columns."""
    return lambda row: f"{int(row[first])} and {int(row[second])}"


def number_or_blank(name: str, decimals: int = RATING_DECIMALS) -> Cell:
    """Unsigned number of a column, where there is one."""
    return lambda row: "" if row[name] != row[name] else fixed(row[name], decimals)


def signed_or_blank(name: str, decimals: int = RATING_DECIMALS) -> Cell:
    """Signed number of a column, where there is one."""
    return lambda row: "" if row[name] != row[name] else signed(row[name], decimals)


def estimate(
    value: str, low: str, high: str, *, reason: str = "reason", decimals: int = 3, factor: float = 1
) -> Cell:
    """Signed estimate with its interval, or why there is none."""
    return lambda row: (
        not_estimable(str(row[reason]))
        if row[value] != row[value]
        else with_interval(factor * row[value], factor * row[low], factor * row[high], "", decimals)
    )


DIFFERENCE = estimate("estimate", "low", "high")


def level(value: str, low: str, high: str, *, reason: str = "reason") -> Cell:
    """Unsigned estimate with its interval, or why there is none."""
    return lambda row: (
        not_estimable(str(row[reason]))
        if row[value] != row[value]
        else " ".join(filter(None, [fixed(row[value]), interval(row[low], row[high])]))
    )


def share(value: str, low: str, high: str, *, reason: str = "reason") -> Cell:
    """Share in percent with its interval in percent, or why there is none."""
    return lambda row: (
        not_estimable(str(row[reason]))
        if row[value] != row[value]
        else f"{percent(row[value])} {interval(100 * row[low], 100 * row[high], 0)}"
    )


def probability(name: str) -> Cell:
    """P-value of a column."""
    return lambda row: p_value(row[name])


def verdict(row: Record) -> str:
    """Verdict as the pages mark it up."""
    return VERDICTS.get(str(row["verdict"])) or not_estimable(str(row["reason"]))


def of_items(name: str, counted: str = "n_clusters") -> Cell:
    """Count of a column, and the number of items where an item was counted more than once."""

    def cell(row: Record) -> str:
        n, items = int(row[name]), int(row[counted])
        return str(n) if n == items else f"{n} ({items} items)"

    return cell


def lost(row: Record) -> str:
    """What has no value, by what became of it."""
    named = [(name.replace("_", " "), int(row[f"n_missing_{name}"])) for name in MISSING]
    return ", ".join(f"{n} {name}" for name, n in named if n) or "0"
