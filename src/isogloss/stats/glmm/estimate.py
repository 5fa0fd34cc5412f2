"""The maximum of a mixed model's log-likelihood: boundaries and second attempts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Generic, Protocol, cast

import numpy as np

from isogloss.stats.glmm.ascent import Indices, Objective, P, climb, made_positive, refine
from isogloss.stats.glmm.kernels import Matrix, Vector

NEAR_ZERO = 0.02
"""Variance times mean information of a group below which a variance is tried at 0."""
SURE = 1e-4
"""Distance to the maximum, in standard errors, below which a search has converged."""
SAME = 1e-6
"""Difference of two log-likelihoods that counts as none, where one is short of its maximum."""
_FORWARD = 0.02


class Model(Protocol[P]):
    """A log-likelihood whose last parameters are the log standard deviations."""

    @property
    def linear(self) -> int:
        """Number of parameters before the log standard deviations."""

    @property
    def factors(self) -> int:
        """Number of grouping factors."""

    def evaluate(self, theta: Vector, near: P | None = None) -> P | None:
        """Return the log-likelihood at `theta`, or None where it does not exist."""

    def gradient(self, at: P) -> Vector:
        """Return the gradient."""

    def information(self, at: P) -> Matrix:
        """Return about minus the second derivative by the parameters before the deviations."""

    def group_information(self, at: P) -> Vector:
        """Return the mean information of a group on its effect, shape (K,)."""


@dataclass(frozen=True)
class Maximum(Generic[P]):
    """The maximum of a log-likelihood and how sure it is."""

    point: P
    free: Indices
    """Parameters that are not on the boundary, as indices."""
    hessian: Matrix | None
    """Minus the second derivative by `free`; None where it is not positive."""
    distance: float
    """Distance to the maximum in standard errors."""
    gradient: float
    """Largest absolute entry of the gradient by `free`."""
    iterations: int
    boundary: tuple[int, ...]
    """Factors whose variance is 0."""

    @property
    def converged(self) -> bool:
        """Whether the gradient vanishes and the second derivative is that of a maximum."""
        return self.hessian is not None and self.distance < SURE


def maximise(model: Model[P], starts: Iterable[Vector], *, looks: int = 1) -> Maximum[P] | None:
    """Return the maximum reached from the first of `starts` that converges, else the highest end.

    A maximum that lies below where another search ended without converging is not taken for the
    maximum: further starts are followed, and if none converges as high, the unfinished end is
    returned.
    With more `looks`, at least so many starts are followed. A maximum on the boundary is always
    held against one more, since the likelihood can fall from 0 and rise again. A log standard
    deviation that is -inf in a start stays so. None if the likelihood exists at no start.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        return _best(model, starts, looks)


def _best(model: Model[P], starts: Iterable[Vector], looks: int) -> Maximum[P] | None:
    best: Maximum[P] | None = None
    unfinished: Maximum[P] | None = None
    for tried, start in enumerate(starts):
        settled = best is not None and _height(unfinished) <= _height(best) + SAME
        if settled and best is not None and tried >= looks + bool(best.boundary):
            break
        found = _attempt(model, start, _height(best))
        if found is not None and found.converged:
            best = found
        elif _height(found) > _height(unfinished):
            unfinished = found
    return best if best and _height(unfinished) <= _height(best) + SAME else unfinished


def _height(found: Maximum[P] | None) -> float:
    return -inf if found is None else found.point.loglik


def curvature(model: Model[P], at: P, free: Indices) -> Matrix:
    """Return a positive guess of minus the second derivative by the `free` parameters.

    By forward differences of the gradient for the log standard deviations, and the model's own
    information for all others.
    """
    linear, size = model.linear, at.theta.size
    full = np.zeros((size, size))
    full[:linear, :linear] = model.information(at)
    slope = model.gradient(at)
    for j in free[free >= linear]:
        theta = at.theta.copy()
        theta[j] += _FORWARD
        reached = model.evaluate(theta, at)
        if reached is None:
            full[j, j] = 1.0
        else:
            full[:, j] = full[j, :] = (slope - model.gradient(reached)) / _FORWARD
    return made_positive(full[np.ix_(free, free)])


def objective_of(model: Model[P], at: P) -> Objective[P]:
    """Return the log-likelihood with the deviations that are 0 at a point held there."""
    free = np.flatnonzero(~np.isneginf(at.theta))
    return Objective(model.evaluate, model.gradient, free, model.linear)


def _attempt(model: Model[P], start: Vector, beat: float = -inf) -> Maximum[P] | None:
    """Search from one start; None where it fails or ends no higher than `beat`."""
    point = model.evaluate(start, None)
    if point is None:
        return None
    held = _zeros(model, point)
    watched = [k for k in range(model.factors) if k not in held]
    steps, at_zero = 0, cast("Maximum[P] | None", None)
    while True:
        objective = objective_of(model, point)
        guess = curvature(model, point, objective.free)
        stop = partial(_any_vanishes, model, watched)
        point, guess, count = climb(objective, point, guess, stop)
        steps += count
        small = _vanishing(model, watched, point)
        if small:
            watched = [k for k in watched if k not in small]
            moved = model.evaluate(_with_zeros(model, point, small), None)
            if moved is None:
                return None
            point = moved
            continue
        if point.loglik <= beat + SAME:
            return None
        found = _refined(model, objective, point, guess, steps, held)
        if at_zero is not None and found.point.loglik <= at_zero.point.loglik + SAME:
            return at_zero
        rising = [k for k in found.boundary if _rises_from_zero(model, found.point, k)]
        if not rising:
            return found
        moved = model.evaluate(_off_zero(model, found.point, rising), None)
        if moved is None:
            return found
        point, steps, at_zero = moved, found.iterations, found


def _refined(
    model: Model[P],
    objective: Objective[P],
    point: P,
    guess: Matrix,
    steps: int,
    held: Sequence[int],
) -> Maximum[P]:
    ascent = refine(objective, point, guess)
    return Maximum(
        ascent.point,
        objective.free,
        ascent.hessian,
        ascent.distance,
        float(np.abs(objective.slope(ascent.point)).max(initial=0.0)),
        steps + ascent.iterations,
        tuple(k for k in _zeros(model, ascent.point) if k not in held),
    )


def _zeros(model: Model[P], at: P) -> list[int]:
    return [int(k) for k in np.flatnonzero(np.isneginf(at.theta[model.linear :]))]


def _vanishing(model: Model[P], among: Sequence[int], at: P) -> list[int]:
    relative = np.exp(2 * at.theta[model.linear :]) * model.group_information(at)
    if not any(relative[k] < NEAR_ZERO for k in among):
        return []
    slope = model.gradient(at)[model.linear :]
    return [k for k in among if relative[k] < NEAR_ZERO and slope[k] < 0]


def _any_vanishes(model: Model[P], among: Sequence[int], at: P) -> bool:
    return bool(_vanishing(model, among, at))


def _rises_from_zero(model: Model[P], at: P, k: int) -> bool:
    """Whether the log-likelihood rises as variance k leaves 0."""
    theta = at.theta.copy()
    theta[model.linear + k] = np.log(0.01 / np.sqrt(model.group_information(at)[k]))
    reached = model.evaluate(theta, None)
    return reached is not None and bool(model.gradient(reached)[model.linear + k] > 0)


def _with_zeros(model: Model[P], at: P, which: Sequence[int]) -> Vector:
    theta = at.theta.copy()
    theta[[model.linear + k for k in which]] = -np.inf
    return theta


def _off_zero(model: Model[P], at: P, which: Sequence[int]) -> Vector:
    theta = at.theta.copy()
    for k in which:
        theta[model.linear + k] = np.log(0.3 / np.sqrt(model.group_information(at)[k]))
    return theta
