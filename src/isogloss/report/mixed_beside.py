"""Estimates without a mixed model that stand beside those of mixed models."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from isogloss.mixed.records import Quantity
from isogloss.report.cells import Cell, estimate, probability
from isogloss.report.provenance import joined
from isogloss.report.results import Results, whole_effects

_NAMES = {
    "estimate": "paired",
    "low": "paired_low",
    "high": "paired_high",
    "p_adjusted": "paired_p",
    "reason": "paired_reason",
}


NOT_TESTED = "@not_tested"
"""Column that says that the tests without a mixed model do not ask what a row asks."""


@dataclass(frozen=True)
class Beside:
    """A result table whose rows answer the same questions as those of a mixed model."""

    quantity: Quantity
    """Which rows of the margins."""
    table: str
    """Name of the result table."""
    chosen: Callable[[Results], pd.DataFrame]
    """Its rows, with the names of the columns of the margins."""
    keys: tuple[str, ...]
    """Columns that match the two."""
    title: str
    """First word of the two columns that show it."""
    note: str

    def offered(self, results: Results) -> bool:
        """Whether the results have the table."""
        return self.table in results.tables

    def onto(self, rows: pd.DataFrame, results: Results) -> pd.DataFrame:
        """Return rows of margins with the columns `paired`, `paired_low`, and so on.

        A row without a counterpart has no number and no reason, and `NOT_TESTED` is true of it;
        without the table, rows come back as they are.
        """
        if not self.offered(results):
            return rows
        both = joined(rows, self.chosen(results), self.keys, _NAMES)
        return both.assign(**{NOT_TESTED: both["paired_reason"].isna()})

    @property
    def difference(self) -> Cell:
        """The estimate beside a row, with its interval, or why there is none."""
        return _where_tested(
            estimate("paired", "paired_low", "paired_high", reason="paired_reason"), "not tested"
        )

    @property
    def probability(self) -> Cell:
        """The adjusted p-value beside a row."""
        return _where_tested(probability("paired_p"), "")


def _where_tested(cell: Cell, otherwise: str) -> Cell:
    """Show a cell where there is a test; one that nobody made is no failed one."""
    return lambda row: otherwise if row[NOT_TESTED] else cell(row)


def _language(results: Results) -> pd.DataFrame:
    """Rows of each persona, those of the unspecified one for every family."""
    frame, design = _by_task(results, "language_effects"), results.plan.personas
    if design is None:
        return frame
    nobody = frame.loc[frame["persona_family"] == design.unspecified]
    names = [*(f.name for f in design.families), *(c.name for c in design.crossed)]
    return pd.concat([frame, *(nobody.assign(persona_family=name) for name in names)])


def _increments(results: Results) -> pd.DataFrame:
    frame = _by_task(results, "increments")
    return frame.rename(columns={"baseline": "reference_persona"})


def _by_task(results: Results, name: str) -> pd.DataFrame:
    return results.tables[name].rename(columns={"role": "task"})


_CELL = ("item_set", "condition", "mode", "subset", "model", "contrast")
_TESTS = "The last two columns are those of the tests without a mixed model."

PAIRED = Beside(
    "contrast",
    "effects",
    whole_effects,
    _CELL,
    "Paired",
    "The last two columns are those of the paired tests.",
)
LANGUAGE = Beside(
    "contrast",
    "language_effects",
    _language,
    (*_CELL, "task", "persona_family", "persona"),
    "Unmodelled",
    _TESTS,
)
INCREMENTS = Beside(
    "interaction",
    "increments",
    _increments,
    (*_CELL, "task", "persona_family", "persona", "reference_persona"),
    "Unmodelled",
    _TESTS,
)
