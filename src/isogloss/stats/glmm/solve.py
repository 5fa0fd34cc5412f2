"""From cells to estimates and their covariance, for each likelihood."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan

import numpy as np

from isogloss.stats.glmm.assemble import problem, row_counts, whiten
from isogloss.stats.glmm.cells import Cells
from isogloss.stats.glmm.estimate import Maximum, maximise
from isogloss.stats.glmm.families import Family
from isogloss.stats.glmm.kernels import Matrix, Vector
from isogloss.stats.glmm.laplace import Evaluation, Laplace
from isogloss.stats.glmm.linear import CrossProducts, Linear, LinearPoint
from isogloss.stats.glmm.start import deviations, from_logits, without_groups

FEW_ROWS = 4.0
"""Rows for each group of the largest factor below which a likelihood may have two maxima."""
FACTORS = (1.0, 3.0, 0.3)
"""Multiples of the first standard deviations from which attempts start."""


@dataclass(frozen=True)
class Solution:
    """Estimates; all NaN where there are none. Factors stand in the order of `Cells.layout`."""

    beta: Vector
    """Coefficients of the original columns, shape (p,)."""
    extra: Vector
    """Further parameters: thresholds, or the log precision of a beta; shape (e,)."""
    covariance: Matrix
    """Of beta and, for a Laplace fit, `extra` together."""
    variances: Vector
    modes: Vector
    """Conditional modes of all groups, shape (q,)."""
    residual: float
    """Residual standard deviation of a gaussian; else NaN."""
    loglik: float
    theta: Vector
    """Parameters of the search, with coefficients of the original columns first."""
    boundary: tuple[int, ...]
    gradient: float
    distance: float
    iterations: int
    converged: bool


def unsolved(p: int, extra: int, cells: Cells) -> Solution:
    """Return a solution of NaN."""
    factors, q = len(cells.layout.sizes), sum(cells.layout.sizes)
    empty = [np.full(size, nan) for size in (p, extra, factors, q, p + extra + factors)]
    covariance = np.full((p + extra, p + extra), nan)
    return Solution(
        empty[0],
        empty[1],
        covariance,
        empty[2],
        empty[3],
        nan,
        nan,
        empty[4],
        (),
        nan,
        nan,
        0,
        False,
    )


def solve_laplace(
    cells: Cells, matrix: Matrix, family: Family, categories: int, *, grouped: bool
) -> Solution | None:
    """Maximise the Laplace approximation; None if it exists at no start."""
    white = whiten(matrix, row_counts(cells, matrix.shape[0]))
    model = Laplace(problem(cells, white.matrix, family, categories))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        base = without_groups(model, family)
    if base is None:
        return None
    starts = _starts(model, base, cells, white.matrix, family) if grouped else [base.theta]
    found = maximise(model, starts, looks=_looks(cells))
    if found is None:
        return None
    p, linear = matrix.shape[1], model.linear
    back = np.eye(linear)
    back[:p, :p] = white.back
    theta = found.point.theta.copy()
    theta[:linear] = back @ theta[:linear]
    mode = found.point.mode
    return _solution(
        found,
        theta,
        p,
        linear,
        back @ _inverse(found)[:linear, :linear] @ back.T,
        np.exp(2 * theta[linear:]),
        mode.factored.scale * mode.u,
        nan,
        0.0,
    )


def solve_linear(
    cells: Cells, matrix: Matrix, shift: Vector, n: int, *, reml: bool, grouped: bool
) -> Solution | None:
    """Maximise the exact likelihood of a gaussian from which X `shift` has been taken."""
    white = whiten(matrix, row_counts(cells, len(matrix)))
    model = Linear(CrossProducts.of(cells, white.matrix, n, reml=reml))
    first = np.full(model.factors, -0.5 if grouped else -np.inf)
    starts = [first + np.log(multiple) for multiple in FACTORS] if grouped else [first]
    found = maximise(model, starts, looks=2)
    if found is None:
        return None
    point: LinearPoint = found.point
    converged = found.converged
    covariance = white.back @ point.covariance() @ white.back.T
    # log|X'V^-1 X| is that of the original columns.
    shifted = float(np.log(np.abs(np.diag(white.back))).sum()) if reml else 0.0
    p = matrix.shape[1]
    return _solution(
        found,
        np.concatenate([shift + white.back @ point.beta, point.theta]),
        p,
        p,
        covariance if converged else np.full_like(covariance, nan),
        np.exp(2 * point.theta) * point.variance,
        point.factored.scale * point.u,
        float(np.sqrt(point.variance)),
        shifted,
    )


def _solution(
    found: Maximum[Evaluation] | Maximum[LinearPoint],
    theta: Vector,
    p: int,
    linear: int,
    covariance: Matrix,
    variances: Vector,
    modes: Vector,
    residual: float,
    constant: float,
) -> Solution:
    return Solution(
        theta[:p],
        theta[p:linear],
        covariance,
        variances,
        modes,
        residual,
        found.point.loglik + constant,
        theta,
        found.boundary,
        found.gradient,
        found.distance,
        found.iterations,
        found.converged,
    )


def _starts(
    model: Laplace, base: Evaluation, cells: Cells, matrix: Matrix, family: Family
) -> Iterator[Vector]:
    if family == "beta":
        start = from_logits(cells, matrix)
        if start is not None:
            yield start
    first = deviations(model.problem, base)
    for multiple in FACTORS:
        yield np.concatenate([base.theta[: model.linear], first + np.log(multiple)])


def _looks(cells: Cells) -> int:
    """Starts to follow: two where groups have so few rows that they may explain all or nothing."""
    return 2 if cells.count.sum() < FEW_ROWS * max(cells.layout.sizes) else 1


def _inverse(found: Maximum[Evaluation]) -> Matrix:
    size = found.free.size
    if not found.converged or found.hessian is None:
        return np.full((size, size), nan)
    scale = np.sqrt(np.diag(found.hessian))
    result: Matrix = np.linalg.inv(found.hessian / np.outer(scale, scale)) / np.outer(scale, scale)
    return result
