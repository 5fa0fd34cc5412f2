"""Marginal means of a fitted mixed model, average effects and odds ratios.

All are about random intercepts of 0, the middle group. Behind a logit that is not the average over
groups, and `method` says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
import pandas as pd

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import check_level
from isogloss.stats.glmm.delta import Range, Smooth, wald
from isogloss.stats.glmm.grid import Columns, balanced, columns_read
from isogloss.stats.glmm.kernels import Matrix, Vector
from isogloss.stats.glmm.result import GlmmFit
from isogloss.stats.glmm.scales import (
    CATEGORY,
    MarginScale,
    check_scale,
    on_scale,
    range_of,
    standing,
)
from isogloss.stats.results import Status


@dataclass(frozen=True, eq=False)
class Margins:
    """Marginal means: what a fit predicts for each level of a factor."""

    names: pd.DataFrame
    """The margins, one row each: the columns of `by`, and `factor`."""
    factor: str
    by: tuple[str, ...]
    """Columns within which levels of `factor` are compared."""
    scale: MarginScale
    estimate: Vector
    se: Vector
    low: Vector
    high: Vector
    covariance: Matrix
    """Covariance of `estimate`, shape (m, m)."""
    level: float
    """Confidence of the intervals."""
    n: int
    """Rows of the fit."""
    status: Status
    reason: str | None
    method: str

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each margin: its names, estimate, se, low, high, p_value and standing.

        A level has no p-value: no value is its null hypothesis.
        """
        return self.names.assign(
            estimate=self.estimate,
            se=self.se,
            low=self.low,
            high=self.high,
            p_value=nan,
            n=self.n,
            status=self.status,
            reason=self._reasons(),
            method=self.method,
        )

    def _reasons(self) -> pd.Series:
        given = pd.Series(self.reason, index=self.names.index, dtype=object)
        at_end = ~np.isnan(self.estimate) & np.isnan(self.low)
        return given.mask(at_end, "no interval: the estimate is at an end of its range")


def marginal_means(
    fit: GlmmFit,
    data: pd.DataFrame,
    factor: str,
    *,
    by: Sequence[str] = (),
    scale: MarginScale = "response",
    at: Mapping[str, float] | None = None,
    scores: Sequence[float] | None = None,
    level: float = 0.95,
) -> Margins:
    """Return what a fit predicts for each level of `factor`, at each combination of `by`.

    A margin is the mean of predictions over all combinations of the other factors' levels with
    equal weights, however often each occurs in `data`; covariates are at their mean or at `at`,
    random intercepts at 0. On the response scale it is the predictions that are averaged, not the
    linear predictors. `data` is the table that the fit was made of. `scores` are the numbers of the
    categories of an ordinal response that is not made of numbers.

    Standard errors are by the delta method. Intervals of what has ends (a probability, the mean of
    an ordinal response) are made on the logit scale between these ends, others are Wald's.

    Raises `StatisticsError` on a name that is no factor of the model, on data that are not those of
    the fit, and on a scale that the family does not have.
    """
    check_scale(fit, scale, level)
    columns, names = columns_read(fit, data), (*by, factor)
    grid = balanced(columns, names, dict(at or {}))
    parts = [part.weighted(grid.weights) for part in on_scale(fit, grid.rows, scale, scores)]
    values = np.concatenate([part.values for part in parts])
    slopes = np.vstack([part.slopes for part in parts])
    estimate, se, low, high, covariance = _estimated(
        fit, Smooth(values, slopes), range_of(fit, scale, scores), level
    )
    status, reason = standing(fit)
    return Margins(
        names=_named(grid.names, fit, scale),
        factor=factor,
        by=(*by, CATEGORY) if scale == "probability" else tuple(by),
        scale=scale,
        estimate=estimate,
        se=se,
        low=low,
        high=high,
        covariance=covariance,
        level=level,
        n=fit.n,
        status=status,
        reason=reason,
        method=_method(columns, names, dict(at or {}), scale),
    )


def odds_ratios(fit: GlmmFit, *, level: float = 0.95) -> pd.DataFrame:
    """Return exp(coefficient) of a logit model of outcomes, one row for each coefficient.

    Of a binomial it is the ratio of the odds of the outcome 1, of an ordinal response that of the
    odds of lying above any threshold: above 1 means higher categories. Both compare members of one
    group. Columns: odds_ratio, low, high, p_value, n, status, reason, method. The intercept is
    left out: it is odds, not a ratio of odds.

    Raises `StatisticsError` for families whose coefficients are no log odds.
    """
    check_level(level, "level")
    if fit.family not in ("binomial", "ordinal"):
        raise StatisticsError(
            f"a {fit.family} model has no odds ratios; use average_effects or marginal_means"
        )
    coefficients = fit.coef.drop("Intercept", errors="ignore")
    bounds = fit.confint(level).loc[coefficients.index]
    what = "of the outcome 1" if fit.family == "binomial" else "of a higher category"
    frame = pd.DataFrame(
        {
            "odds_ratio": np.exp(coefficients),
            "low": np.exp(bounds["low"]),
            "high": np.exp(bounds["high"]),
            "p_value": fit.p[coefficients.index],
        }
    )
    status, reason = standing(fit)
    if status != "ok":
        frame[:] = nan
    method = f"odds ratio {what}, within groups; Wald on the log scale"
    return frame.assign(n=fit.n, status=status, reason=reason, method=method).rename_axis("term")


def _estimated(
    fit: GlmmFit, smooth: Smooth, ends: Range | None, level: float
) -> tuple[Vector, Vector, Vector, Vector, Matrix]:
    if not fit.estimated:
        nothing = np.full(len(smooth.values), nan)
        return nothing, nothing, nothing, nothing, np.outer(nothing, nothing)
    covariance = smooth.covariance(fit)
    se = np.sqrt(np.diag(covariance))
    low, high = (ends.interval if ends else wald)(smooth.values, se, level)
    return smooth.values, se, low, high, covariance


def _named(names: pd.DataFrame, fit: GlmmFit, scale: MarginScale) -> pd.DataFrame:
    if scale != "probability":
        return names
    categories = fit.engine.categories
    repeated = pd.concat([names] * len(categories), ignore_index=True)
    repeated[CATEGORY] = np.repeat(np.array(categories, dtype=object), len(names))
    return repeated.infer_objects()


def _method(
    columns: Columns, factors: Sequence[str], at: Mapping[str, float], scale: MarginScale
) -> str:
    others = [name for name in columns.factors if name not in factors]
    parts = [f"marginal means, {scale} scale"]
    parts += [f"equal weights over {', '.join(others)}"] if others else []
    parts += [f"{name} at {at.get(name, mean):.6g}" for name, mean in columns.covariates.items()]
    return f"{', '.join(parts)}, random intercepts 0; delta method"
