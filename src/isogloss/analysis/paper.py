"""The published analysis' own test, beside the paired one."""

from dataclasses import astuple, dataclass
from math import nan

import pandas as pd

from isogloss.analysis.effects import EVERY_ITEM, effect_order
from isogloss.analysis.families import Adjusted, adjusted_tests, family_name
from isogloss.analysis.interviews import interview_means
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import CELL, Cell, cells, in_order, table
from isogloss.stats.results import Estimate, Status
from isogloss.stats.tests import welch_t
from isogloss.studies.base import Contrast

NAME = "the paper's test: unpaired on interview means, as if interviews shared no question"


@dataclass(frozen=True)
class PaperRow:
    """One row of `paper_test.csv`: Welch's t-test on the mean ratings of interviews."""

    cell: Cell
    contrast: str
    estimate: float
    """Difference of the mean interview ratings, guise minus reference."""
    low: float
    high: float
    t: float
    df: float
    p_value: float
    adjusted: Adjusted
    mean_guise: float
    mean_reference: float
    n_guise: int
    """Interviews in the guise that have a mean."""
    n_reference: int
    n_missing: int
    """Interviews of both guises in which no rating has a value."""
    paired_estimate: float
    """The project's own estimate for the same design cell, from pairs."""
    paired_low: float
    paired_high: float
    paired_p: float
    status: Status
    reason: str | None
    method: str


@dataclass(frozen=True)
class _Unit:
    cell: Cell
    contrast: Contrast
    interviews: pd.DataFrame
    guise: "pd.Series[float]"
    """Mean of each interview in the guise that has one."""
    reference: "pd.Series[float]"
    test: Estimate

    @property
    def p_value(self) -> float:
        return self.test.p_value

    @property
    def family(self) -> str:
        return family_name("paper", self.contrast.name, self.cell.item_set, self.cell.mode)


@dataclass(frozen=True)
class _Paired:
    estimate: float
    low: float
    high: float
    p_value: float


_NO_PAIRED = _Paired(nan, nan, nan, nan)


def paper_test(rows: pd.DataFrame, effects: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Repeat the unpaired test of interview means, with the paired estimate beside it.

    Interviews are treated as independent although both guises share their questions, which is why
    this is not the project's own test. `effects` is the table of paired estimates; NaN stands
    where it has none.
    """
    units = [
        _unit(cell, contrast, part, plan.alpha)
        for contrast in plan.contrasts
        for cell, part in cells(interview_means(rows, plan))
        if {contrast.guise, contrast.reference} <= set(part["guise"])
    ]
    beside = _by_cell(effects)
    records = [
        _row(unit, family, beside.get((*astuple(unit.cell), unit.contrast.name), _NO_PAIRED))
        for unit, family in adjusted_tests(units, plan.multiplicity)
    ]
    return in_order(table(PaperRow, records), _order(plan))


def _order(plan: AnalysisPlan) -> dict[str, tuple[str, ...]]:
    order = effect_order(plan)
    return {name: order[name] for name in ("item_set", "mode", "contrast", "model", "condition")}


def _unit(cell: Cell, contrast: Contrast, interviews: pd.DataFrame, alpha: float) -> _Unit:
    guise, reference = (
        interviews.loc[interviews["guise"] == name, "mean"].dropna()
        for name in (contrast.guise, contrast.reference)
    )
    test = welch_t(guise, reference, alpha=alpha)
    return _Unit(cell, contrast, interviews, guise, reference, test)


def _row(unit: _Unit, adjusted: Adjusted, paired: _Paired) -> PaperRow:
    test, guise, reference = unit.test, unit.guise, unit.reference
    involved = unit.interviews["guise"].isin([unit.contrast.guise, unit.contrast.reference])
    return PaperRow(
        cell=unit.cell,
        contrast=unit.contrast.name,
        estimate=test.estimate,
        low=test.low,
        high=test.high,
        t=test.estimate / test.se,
        df=test.df,
        p_value=test.p_value,
        adjusted=adjusted,
        mean_guise=float(guise.mean()),
        mean_reference=float(reference.mean()),
        n_guise=len(guise),
        n_reference=len(reference),
        n_missing=int(unit.interviews.loc[involved, "mean"].isna().sum()),
        paired_estimate=paired.estimate,
        paired_low=paired.low,
        paired_high=paired.high,
        paired_p=paired.p_value,
        status=test.status,
        reason=test.reason,
        method=f"{test.method} ({NAME})",
    )


def _by_cell(effects: pd.DataFrame) -> dict[tuple[str, ...], _Paired]:
    whole = effects.loc[(effects["subset"] == "all") & (effects["subgroup"] == EVERY_ITEM)]
    keys = whole[[*CELL, "contrast"]].itertuples(index=False, name=None)
    values = whole[["estimate", "low", "high", "p_value"]].itertuples(index=False, name=None)
    return {key: _Paired(*numbers) for key, numbers in zip(keys, values, strict=True)}
