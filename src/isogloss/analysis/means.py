"""Mean ratings and rating distributions of each guise."""

from dataclasses import dataclass
from math import nan

import numpy as np
import pandas as pd

from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import Cell, MissingCounts, cells, in_order, missing_counts, table
from isogloss.stats.results import Status
from isogloss.stats.tests import cluster_mean


@dataclass(frozen=True)
class Mean:
    """A mean of ratings with its interval and counts."""

    mean: float
    low: float
    high: float
    se: float
    """Standard error of the mean, robust to clustering by item."""
    sd: float
    """Standard deviation of the ratings, ddof 1."""
    n: int
    n_clusters: int
    """Distinct items among the ratings."""
    missing: MissingCounts
    status: Status
    reason: str | None
    method: str


@dataclass(frozen=True)
class Share:
    """The share of one value of the scale."""

    rating: int
    share: float
    n: int
    """Ratings behind the share."""
    n_off_scale: int
    """Ratings that are no value of the scale; the shares then sum to less than 1."""
    status: Status
    reason: str | None
    method: str


@dataclass(frozen=True)
class MeanRow:
    """One row of `means.csv`: the mean rating of one guise in one design cell."""

    cell: Cell
    guise: str
    mean: Mean


@dataclass(frozen=True)
class DistributionRow:
    """One row of `distributions.csv`: the share of one value of the scale in one guise."""

    cell: Cell
    guise: str
    share: Share


def means(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Mean rating per design cell and guise, with an interval that knows that items repeat."""
    records = [
        MeanRow(cell, guise, _mean(part, plan.alpha)) for cell, guise, part in _by_guise(rows, plan)
    ]
    return in_order(table(MeanRow, records), guise_order(plan))


def describe_means(means: pd.DataFrame) -> list[str]:
    """Say in one line per design cell the mean rating of each guise and how many it rests on.

    `means` is the table `means.csv` of any design.
    """
    cell = [name for name in ("role", "condition", "mode", "persona") if name in means.columns]
    return [
        f"{model} on {item_set}, {', '.join(map(str, where))}: "
        + ", ".join(f"{r.guise} {r.mean:.3f} (n = {r.n})" for r in part.itertuples())
        for (model, item_set, *where), part in means.groupby(
            ["model", "item_set", *cell], sort=False
        )
    ]


def distributions(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Share of each value of the scale per design cell and guise.

    The mean of the answer distributions where every response has one, else the share of the
    ratings given.
    """
    records = [
        DistributionRow(cell, guise, share)
        for cell, guise, part in _by_guise(rows, plan)
        for share in _shares(part, plan.scale)
    ]
    return in_order(table(DistributionRow, records), guise_order(plan))


def guise_order(plan: AnalysisPlan) -> dict[str, tuple[str, ...]]:
    """Order in which tables of guises list their rows: references before the other guises."""
    guises = [c.reference for c in plan.contrasts] + [c.guise for c in plan.contrasts]
    return {
        "item_set": (),
        "mode": (),
        "model": (),
        "condition": (plan.baseline, *plan.conditions),
        "guise": tuple(dict.fromkeys(guises)),
    }


def _by_guise(rows: pd.DataFrame, plan: AnalysisPlan) -> list[tuple[Cell, str, pd.DataFrame]]:
    ratings = rows.loc[rows["task"] == plan.rating_task]
    return [
        (cell, str(guise), part)
        for cell, of_cell in cells(ratings)
        for guise, part in of_cell.groupby("guise", sort=True)
    ]


def _mean(part: pd.DataFrame, alpha: float) -> Mean:
    rated = part.loc[part["outcome"] == "ok"]
    estimate = cluster_mean(rated["expected"], rated["item_id"], alpha=alpha)
    return Mean(
        mean=estimate.estimate,
        low=estimate.low,
        high=estimate.high,
        se=estimate.se,
        sd=float(rated["expected"].std(ddof=1)) if len(rated) > 1 else nan,
        n=estimate.n,
        n_clusters=estimate.n_clusters,
        missing=missing_counts(part["outcome"]),
        status=estimate.status,
        reason=estimate.reason,
        method=estimate.method,
    )


def _shares(part: pd.DataFrame, scale: tuple[int, ...]) -> list[Share]:
    rated = part.loc[part["outcome"] == "ok"]
    whole = len(rated) > 0 and bool(rated["probabilities"].notna().all())
    weights = _mean_probabilities(rated) if whole else _given_shares(rated)
    method = "mean of answer distributions" if whole else "share of ratings given"
    status: Status = "ok" if len(rated) else "not_estimable"
    off_scale = len(rated) - int(rated["modal"].astype(float).isin(scale).sum())
    return [
        Share(
            rating=rating,
            share=weights.get(float(rating), 0.0) if len(rated) else nan,
            n=len(rated),
            n_off_scale=off_scale,
            status=status,
            reason=None if len(rated) else "no rating has a value",
            method=method,
        )
        for rating in scale
    ]


def _mean_probabilities(rated: pd.DataFrame) -> dict[float, float]:
    """Average the distributions, matching answers by their numeric value."""
    totals: dict[float, float] = {}
    for answers, weights in zip(rated["answers"], rated["probabilities"], strict=True):
        for answer, weight in zip(answers, np.asarray(weights, dtype=float), strict=True):
            totals[float(answer)] = totals.get(float(answer), 0.0) + float(weight)
    return {answer: total / len(rated) for answer, total in totals.items()}


def _given_shares(rated: pd.DataFrame) -> dict[float, float]:
    shares = rated["modal"].astype(float).value_counts(normalize=True)
    return {float(rating): float(shares[rating]) for rating in shares.index}
