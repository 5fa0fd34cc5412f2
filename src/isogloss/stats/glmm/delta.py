"""Averages of predictions with their derivatives, and intervals by the delta method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit, logit

from isogloss.errors import StatisticsError
from isogloss.stats.glmm.kernels import Matrix, Vector

if TYPE_CHECKING:
    from isogloss.stats.glmm.result import GlmmFit


@dataclass(frozen=True)
class Smooth:
    """Functions of a fit's thresholds and coefficients, with their derivatives."""

    values: Vector
    """Shape (m,)."""
    slopes: Matrix
    """Derivatives by thresholds, then coefficients; shape (m, t + p)."""

    def weighted(self, weights: Matrix) -> Smooth:
        """Return weighted sums; `weights` has the shape (k, m)."""
        return Smooth(weights @ self.values, weights @ self.slopes)

    def minus(self, other: Smooth) -> Smooth:
        """Return the difference."""
        return Smooth(self.values - other.values, self.slopes - other.slopes)

    def covariance(self, fit: GlmmFit) -> Matrix:
        """Return the covariance of the values, slopes V slopes', shape (m, m)."""
        result: Matrix = self.slopes @ fit.joint_vcov.to_numpy(np.float64) @ self.slopes.T
        return result


def predictor(fit: GlmmFit, rows: pd.DataFrame) -> Smooth:
    """Return the linear predictor of each row, random intercepts 0."""
    fixed = fit.engine.fixed
    matrix = fixed.matrix(rows).to_numpy(np.float64)
    cuts = np.zeros((len(matrix), len(fit.thresholds)))
    values = matrix @ fit.coef.to_numpy(np.float64) + fixed.offset(rows)
    return Smooth(values, np.hstack([cuts, matrix]))


def response_mean(fit: GlmmFit, rows: pd.DataFrame, scores: Vector) -> Smooth:
    """Return the mean response of each row, random intercepts 0.

    Of an ordinal response, sum_j scores_j P(category j); else `scores` is not read.
    """
    eta = predictor(fit, rows)
    if fit.family == "gaussian":
        return eta
    if fit.family != "ordinal":
        mean = expit(eta.values)
        return Smooth(mean, (mean * (1 - mean))[:, None] * eta.slopes)
    steps = np.diff(scores)
    below = expit(fit.thresholds.to_numpy(np.float64)[None, :] - eta.values[:, None])
    density = below * (1 - below) * steps
    slopes = density.sum(axis=1)[:, None] * eta.slopes
    slopes[:, : len(steps)] = -density
    return Smooth(scores[-1] - below @ steps, slopes)


def category_scores(fit: GlmmFit, given: Sequence[float] | None) -> Vector:
    """Return the number of each category of an ordinal response.

    Raises `StatisticsError` when the categories are no numbers and none were given.
    """
    categories = fit.engine.categories
    if given is not None and len(given) != len(categories):
        raise StatisticsError(f"{len(given)} scores were given for {len(categories)} categories")
    try:
        return np.asarray(categories if given is None else given, np.float64)
    except (TypeError, ValueError) as error:
        raise StatisticsError(
            f"the categories {', '.join(map(str, categories))} are no numbers; pass scores"
        ) from error


@dataclass(frozen=True)
class Range:
    """Ends between which a mean lies."""

    low: float
    high: float

    def interval(self, value: Vector, se: Vector, level: float) -> tuple[Vector, Vector]:
        """Return the ends of an interval made on the logit scale of the range, NaN at its ends."""
        width = self.high - self.low
        share = (value - self.low) / width
        inside = (share > 0) & (share < 1)
        safe = np.where(inside, share, 0.5)
        half = stats.norm.isf((1 - level) / 2) * se / (width * safe * (1 - safe))
        ends = [self.low + width * expit(logit(safe) + sign * half) for sign in (-1, 1)]
        return np.where(inside, ends[0], np.nan), np.where(inside, ends[1], np.nan)


def wald(value: Vector, se: Vector, level: float) -> tuple[Vector, Vector]:
    """Return value -+ z se."""
    half = stats.norm.isf((1 - level) / 2) * se
    return value - half, value + half


def normal_p(value: Vector, se: Vector) -> Vector:
    """Return the two-sided p-value of value / se, NaN where se is not positive."""
    safe = np.where(se > 0, se, np.nan)
    result: NDArray[np.float64] = 2 * stats.norm.sf(np.abs(value) / safe)
    return result
