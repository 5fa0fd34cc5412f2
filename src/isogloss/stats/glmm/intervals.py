"""Profile likelihood intervals of fixed effects."""

from collections.abc import Callable
from dataclasses import replace
from math import nan, sqrt

import numpy as np
import pandas as pd
from scipy import stats

from isogloss.errors import StatisticsError
from isogloss.stats.glmm.ascent import P
from isogloss.stats.glmm.assemble import problem, row_counts, shifted, whiten
from isogloss.stats.glmm.engine import Engine
from isogloss.stats.glmm.estimate import Model, maximise
from isogloss.stats.glmm.kernels import Vector
from isogloss.stats.glmm.laplace import Laplace
from isogloss.stats.glmm.linear import CrossProducts, Linear

ACCURACY = 1e-4
"""Error of the square root of the likelihood ratio at an end."""
FIRST = -1.5
"""Log standard deviation from which one that is 0 at the maximum is searched for elsewhere."""
_TRIES = 25


def profile_interval(
    engine: Engine, coef: pd.Series, vcov: pd.DataFrame, loglik: float, j: int, level: float
) -> tuple[float, float]:
    """Return the ends between which 2 (loglik - profile) is below the chi-squared quantile."""
    if engine.reml:
        raise StatisticsError("a REML fit has no profile of its fixed effects; fit with reml=False")
    beta, covariance = coef.to_numpy(np.float64), vcov.to_numpy(np.float64)
    root = sqrt(stats.chi2.ppf(level, 1))
    profile = _Profile(engine, beta, covariance[:, j] / covariance[j, j], j, loglik)
    se = sqrt(covariance[j, j])
    ends = [_end(profile.root, beta[j], sign * se, root) for sign in (-1, 1)]
    return ends[0], ends[1]


class _Profile:
    """The likelihood with coefficient j held, from one value to the next."""

    def __init__(
        self, engine: Engine, beta: Vector, direction: Vector, j: int, loglik: float
    ) -> None:
        self.engine, self.beta, self.j, self.loglik = engine, beta, j, loglik
        self.direction = direction
        self.others = np.delete(np.arange(beta.size), j)
        counts = row_counts(engine.cells, engine.matrix.shape[0])
        self.white = whiten(engine.matrix[:, self.others], counts)

    def root(self, value: float) -> float:
        """Return sqrt(2 (maximum - profile)) at `value`; NaN where the search fails."""
        top = self._gaussian(value) if self.engine.family == "gaussian" else self._laplace(value)
        return nan if top is None else sqrt(max(2 * (self.loglik - top), 0.0))

    def _laplace(self, value: float) -> float | None:
        engine, p = self.engine, self.beta.size
        cells = replace(engine.cells, offset=engine.cells.offset + self._column() * value)
        parts = problem(cells, self.white.matrix, engine.family, len(engine.categories))
        beta = self.beta + self.direction * (value - self.beta[self.j])
        inside = np.linalg.solve(self.white.back, beta[self.others])
        return self._top(Laplace(parts), np.concatenate([inside, engine.theta[p:]]))

    def _gaussian(self, value: float) -> float | None:
        engine = self.engine
        cells = shifted(engine.cells, self._column() * (value - engine.shift[self.j]))
        data = CrossProducts.of(cells, self.white.matrix, engine.rows.size, reml=False)
        return self._top(Linear(data), engine.theta[self.beta.size :])

    def _top(self, model: Model[P], start: Vector) -> float | None:
        if self.engine.group_columns:
            # A variance that is 0 at the maximum need not be 0 elsewhere.
            start = np.where(np.isneginf(start), FIRST, start)
        found = maximise(model, [start])
        return None if found is None or not found.converged else found.point.loglik

    def _column(self) -> Vector:
        column: Vector = self.engine.matrix[:, self.j][self.engine.cells.rows]
        return column


def _end(root: Callable[[float], float], middle: float, se: float, target: float) -> float:
    """Solve root(middle + step) = target by the secant rule, root being nearly proportional."""
    near, at_near = 0.0, 0.0
    step = target * se
    for _ in range(_TRIES):
        reached = root(middle + step)
        if not np.isfinite(reached):
            return nan
        if abs(reached - target) < ACCURACY:
            return middle + step
        slope = (reached - at_near) / (step - near)
        if slope * se <= 0:
            return nan
        near, at_near = step, reached
        step += float(np.clip((target - reached) / slope, -abs(step) / 2, 2 * abs(step)))
    return nan
