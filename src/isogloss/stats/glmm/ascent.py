"""Search for a maximum with exact gradients, and the second derivative there."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, sqrt
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve, solve_triangular

from isogloss.stats.glmm.kernels import Matrix, Vector

Indices = NDArray[np.intp]

ROUGH = 1e-3
"""Distance to the maximum, in standard errors, at which the second derivative is taken."""
CLOSE = 1e-5
"""Distance to the maximum, in standard errors, at which the search ends."""
DIFFERENCE = 2e-3
"""Step of the differences of gradients, in standard errors."""
MAX_STEPS = 100
MAX_HALVINGS = 25
MAX_REFINEMENTS = 12
LONGEST = 1.5
"""Longest step of one log standard deviation."""


class Point(Protocol):
    """A point of the search."""

    @property
    def theta(self) -> Vector:
        """All parameters."""

    @property
    def loglik(self) -> float:
        """Log-likelihood."""


P = TypeVar("P", bound=Point)


@dataclass(frozen=True)
class Objective(Generic[P]):
    """A log-likelihood with some of its parameters held fixed."""

    evaluate: Callable[[Vector, P | None], P | None]
    """Log-likelihood at a vector of parameters, given a point near it."""
    gradient: Callable[[P], Vector]
    free: Indices
    """Which parameters may move, as indices."""
    linear: int
    """Number of parameters before the log standard deviations."""

    def slope(self, at: P) -> Vector:
        """Return the gradient by the free parameters."""
        slope: Vector = self.gradient(at)[self.free]
        return slope

    def moved(self, at: P, step: Vector) -> P | None:
        """Return the point a step of the free parameters away."""
        theta = at.theta.copy()
        theta[self.free] += step
        return self.evaluate(theta, at)


@dataclass(frozen=True)
class Ascent(Generic[P]):
    """Where a search ended."""

    point: P
    hessian: Matrix | None
    """Minus the second derivative by the free parameters; None where it is not positive."""
    distance: float
    """sqrt(g' H^-1 g): distance to the maximum in standard errors."""
    iterations: int


def climb(
    objective: Objective[P],
    start: P,
    curvature: Matrix,
    stop: Callable[[P], bool],
) -> tuple[P, Matrix, int]:
    """Climb by BFGS from `start` until `ROUGH`, or until `stop` says so.

    `curvature` is a positive guess of minus the second derivative. Returns the last point, the
    guess there, and the number of steps.
    """
    point, guess = start, curvature
    if not objective.free.size:
        return point, guess, 0
    slope = objective.slope(point)
    for count in range(MAX_STEPS):
        if stop(point):
            return point, guess, count
        step = _solve(guess, slope)
        if step is None or float(slope @ step) < ROUGH**2:
            return point, guess, count
        step *= min(1.0, LONGEST / np.abs(step[objective.free >= objective.linear]).max(initial=1))
        reached = _line(objective, point, step, slope)
        if reached is None:
            return point, guess, count
        turned = objective.slope(reached)
        guess = _updated(
            guess, reached.theta[objective.free] - point.theta[objective.free], slope - turned
        )
        point, slope = reached, turned
    return point, guess, MAX_STEPS


def refine(objective: Objective[P], start: P, guess: Matrix) -> Ascent[P]:
    """Take Newton steps with the exact second derivative until `CLOSE`, and return it."""
    if not objective.free.size:
        return Ascent(start, np.zeros((0, 0)), 0.0, 0)
    point, taken = start, start
    hessian = second_derivative(objective, point, guess)
    distance, count = inf, 0
    for count in range(MAX_REFINEMENTS):
        slope = objective.slope(point)
        step = _solve(hessian, slope)
        if step is None:
            return Ascent(point, None, inf, count)
        distance = sqrt(max(float(slope @ step), 0.0))
        away = point.theta[objective.free] - taken.theta[objective.free]
        if distance < CLOSE and float(away @ hessian @ away) < (10 * ROUGH) ** 2:
            return Ascent(point, hessian, distance, count)
        if distance >= CLOSE:
            length = LONGEST / np.abs(step[objective.free >= objective.linear]).max(initial=1)
            reached = _line(objective, point, step * min(1.0, length), slope)
            if reached is None:
                break
            point = reached
        if distance > 10 * ROUGH or distance < CLOSE:
            hessian, taken = second_derivative(objective, point, hessian), point
    return Ascent(point, _positive(hessian), distance, count)


def second_derivative(objective: Objective[P], at: P, guess: Matrix) -> Matrix:
    """Return minus the second derivative at a point, by central differences of the gradient.

    The differences are taken along the axes in which `guess`, a positive matrix, is the identity.
    """
    root = np.linalg.cholesky(made_positive(guess))
    axes = solve_triangular(root, np.eye(root.shape[0]), lower=True, trans="T")
    columns = np.empty_like(axes)
    for j, axis in enumerate(axes.T):
        ends = [objective.moved(at, sign * DIFFERENCE * axis) for sign in (1, -1)]
        if ends[0] is None or ends[1] is None:
            return np.full_like(axes, np.nan)
        columns[:, j] = (objective.slope(ends[1]) - objective.slope(ends[0])) / (2 * DIFFERENCE)
    within = axes.T @ columns
    result: Matrix = root @ ((within + within.T) / 2) @ root.T
    return result


def made_positive(matrix: Matrix) -> Matrix:
    """Return the nearest matrix in shape whose eigenvalues, after scaling, are 0.001 or more."""
    if not matrix.size:
        return matrix
    scale = np.sqrt(np.maximum(np.abs(np.diag(matrix)), 1e-8))
    values, vectors = np.linalg.eigh(matrix / np.outer(scale, scale))
    if values[0] > 1e-10 and values[0] > 1e-12 * values[-1]:
        return matrix
    lifted = np.maximum(np.abs(values), 1e-3)
    result: Matrix = np.outer(scale, scale) * ((vectors * lifted) @ vectors.T)
    return result


def _line(objective: Objective[P], point: P, step: Vector, slope: Vector) -> P | None:
    rise = float(slope @ step)
    length = 1.0
    for _ in range(MAX_HALVINGS):
        reached = objective.moved(point, length * step)
        if reached is not None:
            gained = reached.loglik - point.loglik
            rounding = 1e-12 * (1 + abs(point.loglik))
            if gained >= 1e-4 * length * rise - rounding:
                return reached
            length *= min(max(length * rise / (2 * (length * rise - gained)), 0.1), 0.5)
        else:
            length *= 0.25
    return None


def _updated(guess: Matrix, step: Vector, change: Vector) -> Matrix:
    curved = float(step @ change)
    along = guess @ step
    length = float(step @ along)
    if not (length > 0 and np.isfinite(curved)):
        return guess
    if curved <= 0.05 * length:
        # Powell's damping: keep the guess positive where the function is not concave.
        share = 0.95 * length / (length - curved)
        change = share * change + (1 - share) * along
        curved = float(step @ change)
    result: Matrix = guess + np.outer(change, change) / curved - np.outer(along, along) / length
    return result


def _positive(matrix: Matrix) -> Matrix | None:
    return None if _solve(matrix, np.zeros(matrix.shape[0])) is None else matrix


def _solve(matrix: Matrix, right: Vector) -> Vector | None:
    if not np.isfinite(matrix).all():
        return None
    scale = np.sqrt(np.abs(np.diag(matrix)))
    if not (scale > 0).all():
        return None
    try:
        root = cho_factor(matrix / np.outer(scale, scale), lower=True)
    except LinAlgError:
        return None
    if np.diag(root[0]).min(initial=1.0) < 1e-6:
        return None
    result: Vector = cho_solve(root, right / scale) / scale
    return result
