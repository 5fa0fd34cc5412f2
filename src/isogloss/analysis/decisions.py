"""Decisions about simulated interviews: the model's own, and those of a rule on mean ratings."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from isogloss.analysis.interviews import INTERVIEW, interview_means
from isogloss.analysis.means import guise_order
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import Cell, MissingCounts, cells, in_order, missing_counts, table
from isogloss.errors import ResponseError
from isogloss.stats.results import Status
from isogloss.stats.shares import share

Source = Literal["model", "rule"]
"""Who decided: the model itself, or the rule `mean rating >= threshold`."""


@dataclass(frozen=True)
class DecisionRow:
    """One row of `decisions.csv`: how often one decision was taken in one guise."""

    cell: Cell
    guise: str
    source: Source
    decision: str
    rank: int
    """Place of the decision from worst (0) to best."""
    count: int
    n: int
    """Interviews with a decision."""
    share: float
    low: float
    high: float
    missing: MissingCounts
    """Interviews without a decision, by what became of them."""
    status: Status
    reason: str | None
    method: str


@dataclass(frozen=True)
class _Asked:
    cell: Cell
    guise: str
    source: Source
    interviews: pd.DataFrame

    def possible(self, plan: AnalysisPlan) -> tuple[str, ...]:
        return plan.decisions if self.source == "model" else (plan.decisions[0], plan.decisions[-1])


def decided(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Give one row per interview, guise and source with its decision and rank.

    Columns are those of the response table plus `source` and `rank` (NaN where there is no
    decision). Raises `ResponseError` when a decision is not one of the plan's.
    """
    of_model = rows.loc[rows["task"] == plan.decision_task].assign(source="model")
    ruled = _ruled(rows, plan) if plan.decisions else rows.iloc[:0].assign(source="rule")
    everything = pd.concat([of_model, ruled], ignore_index=True)
    decision = everything["modal"].where(everything["outcome"] == "ok")
    _check(decision, plan)
    ranks = decision.map({name: rank for rank, name in enumerate(plan.decisions)})
    return everything.assign(rank=ranks.astype("float64"))


def decisions(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Share of each decision per design cell, guise and source, with Wilson intervals.

    The rule knows two decisions, the best (mean rating at or above the threshold) and the worst.
    """
    asked = [
        _Asked(cell, str(guise), "model" if source == "model" else "rule", of_guise)
        for source, part in decided(rows, plan).groupby("source", sort=True)
        for cell, of_cell in cells(part)
        for guise, of_guise in of_cell.groupby("guise", sort=True)
    ]
    records = [_row(group, name, plan) for group in asked for name in group.possible(plan)]
    order = guise_order(plan)
    guises = {"source": (), "guise": order.pop("guise"), "decision": plan.decisions}
    return in_order(table(DecisionRow, records), {**order, **guises})


def _ruled(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    means = interview_means(rows, plan)
    best, worst = plan.decisions[-1], plan.decisions[0]
    decision = pd.Series(np.where(means["mean"] >= plan.threshold, best, worst), dtype=object)
    return means[[*INTERVIEW, "outcome"]].assign(
        item_id="interview",
        category=None,
        repeat=0,
        valid_pair=True,
        task=plan.decision_task,
        modal=decision.where(means["outcome"] == "ok"),
        source="rule",
    )


def _check(decision: "pd.Series[str]", plan: AnalysisPlan) -> None:
    unknown = sorted(set(decision.dropna()) - set(plan.decisions))
    if unknown:
        raise ResponseError(
            f"decision {unknown[0]!r} is none of {', '.join(plan.decisions)}; "
            "map its spelling where the responses are read, or record it as malformed"
        )


def _row(asked: _Asked, decision: str, plan: AnalysisPlan) -> DecisionRow:
    rank = plan.decisions.index(decision)
    count = int(asked.interviews["rank"].eq(rank).sum())
    n = int(asked.interviews["rank"].notna().sum())
    result = share(count, n, alpha=plan.alpha)
    return DecisionRow(
        cell=asked.cell,
        guise=asked.guise,
        source=asked.source,
        decision=decision,
        rank=rank,
        count=count,
        n=n,
        share=result.estimate,
        low=result.low,
        high=result.high,
        missing=missing_counts(asked.interviews["outcome"]),
        status=result.status,
        reason=result.reason,
        method=result.method,
    )
