"""Paired differences between guises, per model and per subgroup of items."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan
from typing import Literal

import pandas as pd

from isogloss.analysis.differences import Difference, Judgement, difference, judgement
from isogloss.analysis.families import Adjusted, adjusted_tests, family_name
from isogloss.analysis.pairs import UNPAIRED, PairedCell, Subset, paired_cells
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import Cell, MissingCounts, in_order, missing_counts, table
from isogloss.stats.effects import cohens_d_paired
from isogloss.stats.results import ClusteredEstimate
from isogloss.stats.tests import repeated_mean

EVERY_ITEM = ""
"""Value of `subgroup` in a row about all items."""

MEASURE: Literal["expected rating"] = "expected rating"


@dataclass(frozen=True)
class EffectRow:
    """One row of `effects.csv`: `mean(guise) - mean(reference)` over pairs, with its tests."""

    cell: Cell
    subset: Subset
    contrast: str
    subgroup: str
    """Subgroup of items, or empty for all items."""
    difference: Difference
    d_z: float
    """Cohen's d of the pairs: mean over standard deviation (ddof 1) of the differences."""
    mean_guise: float
    mean_reference: float
    n_pairs: int
    n_clusters: int
    """Distinct items among the pairs."""
    n_unpaired: int
    """Responses whose counterpart in the other guise was never asked for."""
    missing: MissingCounts
    """Pairs without a value, by what became of them."""
    judgement: Judgement


@dataclass(frozen=True)
class _Unit:
    paired: PairedCell
    subgroup: str
    pairs: pd.DataFrame
    complete: pd.DataFrame
    """Pairs with both values."""
    estimate: ClusteredEstimate

    @property
    def p_value(self) -> float:
        return self.estimate.p_value

    @property
    def family(self) -> str:
        """Models and conditions share a family; the subgroups of one design cell share another."""
        cell, paired = self.paired.cell, self.paired
        shared = (paired.contrast.name, cell.item_set, cell.mode, paired.subset)
        if self.subgroup == EVERY_ITEM:
            return family_name(*shared)
        return family_name(*shared, cell.model, cell.condition, "subgroups")


def effects(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Estimate every contrast per model, item set, condition, mode and subset, and per subgroup.

    A pair is the same item, interview and repeat in two guises. The estimate is the mean paired
    difference by `repeated_mean` with items as clusters, which is the paired t-test where an item
    gives one pair. Columns are those of `EffectRow`.
    """
    units = [
        unit
        for paired in paired_cells(rows, plan, plan.rating_task)
        for unit in _units(paired, plan.alpha)
    ]
    records = [
        _row(unit, family, plan) for unit, family in adjusted_tests(units, plan.multiplicity)
    ]
    return in_order(table(EffectRow, records), effect_order(plan))


def effect_order(plan: AnalysisPlan) -> dict[str, tuple[str, ...]]:
    """Order in which tables of contrasts list their rows."""
    return {
        "item_set": (),
        "mode": (),
        "subset": ("all", "validated"),
        "contrast": tuple(contrast.name for contrast in plan.contrasts),
        "model": (),
        "condition": (plan.baseline, *plan.conditions),
        "subgroup": (EVERY_ITEM,),
    }


def _units(paired: PairedCell, alpha: float) -> Iterator[_Unit]:
    by_subgroup = paired.pairs.groupby("subgroup", sort=True)
    for subgroup, pairs in [(EVERY_ITEM, paired.pairs), *by_subgroup]:
        complete = pairs.loc[pairs["outcome"] == "ok"]
        estimate = repeated_mean(complete["difference"], complete["item_id"], alpha=alpha)
        yield _Unit(paired, str(subgroup), pairs, complete, estimate)


def _row(unit: _Unit, adjusted: Adjusted, plan: AnalysisPlan) -> EffectRow:
    pairs, estimate = unit.complete, unit.estimate
    return EffectRow(
        cell=unit.paired.cell,
        subset=unit.paired.subset,
        contrast=unit.paired.contrast.name,
        subgroup=unit.subgroup,
        difference=difference(MEASURE, estimate, adjusted),
        d_z=cohens_d_paired(pairs["guise"], pairs["reference"], alpha=plan.alpha).estimate,
        mean_guise=_mean(pairs["guise"]),
        mean_reference=_mean(pairs["reference"]),
        n_pairs=estimate.n,
        n_clusters=estimate.n_clusters,
        n_unpaired=int(unit.pairs["outcome"].eq(UNPAIRED).sum()),
        missing=missing_counts(unit.pairs["outcome"]),
        judgement=judgement(estimate, adjusted, plan),
    )


def _mean(values: "pd.Series[float]") -> float:
    return float(values.mean()) if len(values) else nan
