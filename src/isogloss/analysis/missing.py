"""Responses without a value, or with no more than a value, and whether they depend on the guise."""

from dataclasses import dataclass
from math import nan

import pandas as pd

from isogloss.analysis.effects import effect_order
from isogloss.analysis.families import Adjusted, adjusted_tests, family_name
from isogloss.analysis.means import guise_order
from isogloss.analysis.pair_tests import PairsTest, PairsTested
from isogloss.analysis.pairs import PairedCell, paired_cells
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import Cell, MissingCounts, cells, in_order, missing_counts, table
from isogloss.stats.results import Status
from isogloss.stats.shares import paired_share_difference, share

NO_MASS = "none recorded"


@dataclass(frozen=True)
class Lost:
    """What became of responses, and the answer mass of those that have one."""

    n: int
    """Responses asked for."""
    n_ok: int
    n_without_distribution: int
    """Values that are the one answer given, without probabilities; 0 for ratings of interviews.

    Those are drawn, or taken over, from ratings that are counted in a row of their own.
    """
    missing: MissingCounts
    share_missing: float
    low: float
    high: float
    """Wilson interval of the share, as if responses were independent."""
    mean_answer_mass: float
    """Mean probability that the answer set had before renormalising."""
    share_below_gate: float
    """Share of the responses with an answer mass whose mass is below the gate."""
    n_mass: int
    """Responses with an answer mass."""
    mass_gate: float
    status: Status
    reason: str | None
    method: str
    mass_status: Status
    mass_reason: str | None


@dataclass(frozen=True)
class MissingRow:
    """One row of `missing.csv`: what became of the responses of one guise."""

    cell: Cell
    task: str
    guise: str
    lost: Lost


@dataclass(frozen=True)
class MissingTestRow:
    """One row of `missing_tests.csv`: share without a value in the guise minus the reference."""

    cell: Cell
    task: str
    contrast: str
    tested: PairsTested
    status: Status
    reason: str | None
    method: str


@dataclass(frozen=True)
class _Test(PairsTest):
    task: str

    @property
    def family(self) -> str:
        cell = self.paired.cell
        parts = (self.task, self.paired.contrast.name, cell.item_set, cell.mode)
        return family_name("missing", *parts)


def missing(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Count outcomes per design cell, task and guise, and describe the answer mass."""
    records = [
        MissingRow(cell, str(task), str(guise), _lost(str(task), of_guise, plan))
        for task, of_task in rows.groupby("task", sort=True)
        for cell, of_cell in cells(of_task)
        for guise, of_guise in of_cell.groupby("guise", sort=True)
    ]
    return in_order(table(MissingRow, records), {"task": plan.tasks, **guise_order(plan)})


def missing_tests(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Test per contrast whether responses without a value are more frequent in one guise.

    Pairs are those of the same item, interview and repeat; exact McNemar test.
    """
    tests = [
        _test(paired, task, plan)
        for task in plan.tasks
        for paired in paired_cells(_as_missing(rows), plan, task, value="lost")
        if paired.subset == "all"
    ]
    records = [_test_row(test, family) for test, family in adjusted_tests(tests, plan.multiplicity)]
    order = {k: v for k, v in effect_order(plan).items() if k not in ("subset", "subgroup")}
    return in_order(table(MissingTestRow, records), {"task": plan.tasks, **order})


def _lost(task: str, part: pd.DataFrame, plan: AnalysisPlan) -> Lost:
    n, n_ok = len(part), int(part["outcome"].eq("ok").sum())
    without = share(n - n_ok, n, alpha=plan.alpha)
    mass = part["answer_mass"].dropna()
    return Lost(
        n=n,
        n_ok=n_ok,
        n_without_distribution=0 if task == plan.interview_task else _bare(part),
        missing=missing_counts(part["outcome"]),
        share_missing=without.estimate,
        low=without.low,
        high=without.high,
        mean_answer_mass=float(mass.mean()) if len(mass) else nan,
        share_below_gate=float(mass.lt(plan.mass_gate).mean()) if len(mass) else nan,
        n_mass=len(mass),
        mass_gate=plan.mass_gate,
        status=without.status,
        reason=without.reason,
        method=without.method,
        mass_status="ok" if len(mass) else "not_estimable",
        mass_reason=None if len(mass) else NO_MASS,
    )


def _bare(part: pd.DataFrame) -> int:
    """Count the responses that have a value and no probabilities."""
    return int((part["outcome"].eq("ok") & part["probabilities"].isna()).sum())


def _as_missing(rows: pd.DataFrame) -> pd.DataFrame:
    """Turn every response into a valid one whose value says whether it was missing."""
    return rows.assign(lost=rows["outcome"].ne("ok").astype(float), outcome="ok")


def _test(paired: PairedCell, task: str, plan: AnalysisPlan) -> _Test:
    pairs = paired.pairs.loc[paired.pairs["outcome"] == "ok"]
    result = paired_share_difference(pairs["guise"], pairs["reference"], alpha=plan.alpha)
    shares = float(pairs["guise"].mean()), float(pairs["reference"].mean())
    return _Test(paired, result, *shares, task)


def _test_row(test: _Test, adjusted: Adjusted) -> MissingTestRow:
    return MissingTestRow(
        cell=test.paired.cell,
        task=test.task,
        contrast=test.paired.contrast.name,
        tested=test.tested(adjusted),
        status=test.result.status,
        reason=test.result.reason,
        method=test.result.method,
    )
