"""How much of the gap between guises is left under each other condition."""

from dataclasses import dataclass

import pandas as pd

from isogloss.analysis.effects import effect_order
from isogloss.analysis.families import Adjusted, adjusted_tests, family_name
from isogloss.analysis.pairs import KEY, PairedCell, Subset, paired_cells
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import Cell, in_order, table
from isogloss.stats.reduction import gap_change, gap_reduction
from isogloss.stats.results import ClusteredEstimate, Status


@dataclass(frozen=True)
class MitigationRow:
    """One row of `mitigation.csv`: the gap under a condition against the gap under the baseline.

    Both gaps are those of the same pairs, which have a value under both conditions.
    """

    cell: Cell
    subset: Subset
    contrast: str
    gap_baseline: float
    gap: float
    """Mean difference, guise minus reference, under this row's condition."""
    change: float
    """`gap - gap_baseline`; positive where a penalty became smaller."""
    change_low: float
    change_high: float
    p_value: float
    """Of the change."""
    adjusted: Adjusted
    reduction: float
    """Percent of the baseline gap that is gone."""
    reduction_low: float
    reduction_high: float
    n_pairs: int
    n_clusters: int
    n_lost: int
    """Pairs of either condition without a value under both."""
    status: Status
    """Of the change."""
    reason: str | None
    method: str
    reduction_status: Status
    reduction_reason: str | None
    reduction_method: str


@dataclass(frozen=True)
class _Unit:
    paired: PairedCell
    gaps: pd.DataFrame
    """Per pair `item_id`, `baseline` and `mitigated`; NaN where a gap does not exist."""
    complete: pd.DataFrame
    """The pairs with both gaps."""
    change: ClusteredEstimate

    @property
    def p_value(self) -> float:
        return self.change.p_value

    @property
    def family(self) -> str:
        cell = self.paired.cell
        parts = (self.paired.contrast.name, cell.item_set, cell.mode, self.paired.subset)
        return family_name("gap change", *parts)


def mitigation(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Compare the gap under every other condition with the baseline's, on the same pairs.

    The change is tested by `gap_change`; the reduction in percent has a bootstrap interval from
    `gap_reduction`. A condition without a baseline counterpart gives no row.
    """
    paired = paired_cells(rows, plan, plan.rating_task)
    baselines = {_identity(p): p for p in paired if p.cell.condition == plan.baseline}
    units = [
        _unit(baselines[_identity(other)], other, plan)
        for other in paired
        if other.cell.condition != plan.baseline and _identity(other) in baselines
    ]
    records = [
        _row(unit, family, plan) for unit, family in adjusted_tests(units, plan.multiplicity)
    ]
    order = {k: v for k, v in effect_order(plan).items() if k != "subgroup"}
    return in_order(table(MitigationRow, records), order)


def _identity(paired: PairedCell) -> tuple[str, ...]:
    cell = paired.cell
    return (cell.study, cell.model, cell.item_set, cell.mode, paired.contrast.name, paired.subset)


def _unit(baseline: PairedCell, other: PairedCell, plan: AnalysisPlan) -> _Unit:
    gaps = _gaps(baseline, other)
    both = gaps.dropna(subset=["baseline", "mitigated"])
    change = gap_change(both["baseline"], both["mitigated"], both["item_id"], alpha=plan.alpha)
    return _Unit(other, gaps, both, change)


def _gaps(baseline: PairedCell, other: PairedCell) -> pd.DataFrame:
    sides = [
        p.pairs[[*KEY, "difference"]].rename(columns={"difference": name})
        for p, name in ((baseline, "baseline"), (other, "mitigated"))
    ]
    return sides[0].merge(sides[1], on=KEY, how="outer")


def _row(unit: _Unit, adjusted: Adjusted, plan: AnalysisPlan) -> MitigationRow:
    gaps, change = unit.complete, unit.change
    reduction = gap_reduction(
        gaps["baseline"],
        gaps["mitigated"],
        gaps["item_id"],
        draws=plan.draws,
        seed=plan.seed,
        alpha=plan.alpha,
    )
    return MitigationRow(
        cell=unit.paired.cell,
        subset=unit.paired.subset,
        contrast=unit.paired.contrast.name,
        gap_baseline=float(gaps["baseline"].mean()),
        gap=float(gaps["mitigated"].mean()),
        change=change.estimate,
        change_low=change.low,
        change_high=change.high,
        p_value=change.p_value,
        adjusted=adjusted,
        reduction=reduction.estimate,
        reduction_low=reduction.low,
        reduction_high=reduction.high,
        n_pairs=change.n,
        n_clusters=change.n_clusters,
        n_lost=len(unit.gaps) - len(gaps),
        status=change.status,
        reason=change.reason,
        method=change.method,
        reduction_status=reduction.status,
        reduction_reason=reduction.reason,
        reduction_method=reduction.method,
    )
