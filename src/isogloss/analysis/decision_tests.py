"""Whether decisions about the same interview differ between guises."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan

import pandas as pd

from isogloss.analysis.decisions import Source, decided
from isogloss.analysis.effects import effect_order
from isogloss.analysis.families import Adjusted, adjusted_tests, family_name
from isogloss.analysis.pair_tests import PairsTest, PairsTested
from isogloss.analysis.pairs import PairedCell, paired_cells
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import Cell, MissingCounts, in_order, missing_counts, table
from isogloss.stats.results import Status
from isogloss.stats.shares import paired_share_difference, wilcoxon_signed

SHIFT = "shift of the decision"
"""Measure: matched-pairs rank-biserial correlation of the decisions' ranks, guise vs reference."""


@dataclass(frozen=True)
class DecisionTestRow:
    """One row of `decision_tests.csv`: a comparison of decisions paired by interview."""

    cell: Cell
    contrast: str
    source: Source
    measure: str
    """`share of` the worst decision, or `shift of the decision` (positive: better in the guise)."""
    tested: PairsTested
    missing: MissingCounts
    status: Status
    reason: str | None
    method: str


@dataclass(frozen=True)
class _Test(PairsTest):
    source: Source
    measure: str

    @property
    def family(self) -> str:
        cell = self.paired.cell
        return family_name(
            self.measure, self.source, self.paired.contrast.name, cell.item_set, cell.mode
        )


def decision_tests(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Compare decisions interview by interview, for the model's own and for the rule's.

    Two measures: the difference in the share of the worst decision (exact McNemar test), and for
    the model's decisions the ordered shift (Wilcoxon signed-rank test). Validation does not
    partition interviews, which mix questions, so there is one row for all of them.
    """
    everything = decided(rows, plan)
    sources: tuple[Source, ...] = ("model", "rule")
    tests = [
        test
        for source in sources
        for paired in paired_cells(
            everything.loc[everything["source"] == source], plan, plan.decision_task, value="rank"
        )
        if paired.subset == "all"
        for test in _tests(paired, source, plan)
    ]
    records = [_row(test, family) for test, family in adjusted_tests(tests, plan.multiplicity)]
    order = {k: v for k, v in effect_order(plan).items() if k not in ("subset", "subgroup")}
    return in_order(table(DecisionTestRow, records), {**order, "source": (), "measure": ()})


def _tests(paired: PairedCell, source: Source, plan: AnalysisPlan) -> Iterator[_Test]:
    pairs = paired.pairs.loc[paired.pairs["outcome"] == "ok"]
    worst_guise, worst_reference = pairs["guise"].eq(0), pairs["reference"].eq(0)
    yield _Test(
        paired,
        paired_share_difference(worst_guise, worst_reference, alpha=plan.alpha),
        float(worst_guise.mean()),
        float(worst_reference.mean()),
        source,
        f"share of {plan.decisions[0]}",
    )
    if source == "model":
        shift = wilcoxon_signed(pairs["guise"], pairs["reference"])
        yield _Test(paired, shift, nan, nan, source, SHIFT)


def _row(test: _Test, adjusted: Adjusted) -> DecisionTestRow:
    return DecisionTestRow(
        cell=test.paired.cell,
        contrast=test.paired.contrast.name,
        source=test.source,
        measure=test.measure,
        tested=test.tested(adjusted),
        missing=missing_counts(test.paired.pairs["outcome"]),
        status=test.result.status,
        reason=test.result.reason,
        method=test.result.method,
    )
