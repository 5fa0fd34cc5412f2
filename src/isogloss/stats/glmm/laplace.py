"""The Laplace approximation of the log-likelihood, with its exact gradient.

With u the spherical random effects, b = L u, eta = X beta + offset + Z b and

    h(u) = u'u / 2 - l(eta),    H = I + L Z'WZ L,    W = -d2l/deta2,

the approximation is -h(u^) - log|H| / 2 at the minimum u^ of h. Parameters are one vector:
beta (p), further parameters of the family (e), log standard deviations (K). A log standard
deviation of -inf takes a factor out.
"""

from dataclasses import dataclass

import numpy as np

from isogloss.stats.glmm import scatter
from isogloss.stats.glmm.blocks import Factored, factor
from isogloss.stats.glmm.families import Kernels
from isogloss.stats.glmm.kernels import Codes, Matrix, Vector
from isogloss.stats.glmm.layout import Layout

TIGHT = 1e-13
"""Newton decrement that leaves the mode of the random effects exact to rounding."""
QUICK = 1e-9
"""Newton decrement before the last step; the step after it leaves about its square."""
LARGEST = 1e6
"""Standard deviation above which there is no likelihood to speak of."""
MAX_STEPS = 60
MAX_HALVINGS = 12


@dataclass(frozen=True)
class Problem:
    """Cells, model matrix and family of a model."""

    kernels: Kernels
    layout: Layout
    matrix: Matrix
    """Distinct rows of the model matrix, shape (r, p)."""
    rows: Codes
    """Row of `matrix` of each cell, shape (m,)."""
    offset: Vector
    count: Vector
    s1: Vector
    s2: Vector
    touched: Codes
    """Further parameters that each cell depends on, -1 for none; shape (m, width)."""
    extra: int
    """Number of further parameters."""

    @property
    def linear(self) -> int:
        """Number of parameters before the log standard deviations."""
        return int(self.matrix.shape[1]) + self.extra

    def split(self, theta: Vector) -> tuple[Vector, Vector, Vector]:
        """Return beta, further parameters and standard deviations."""
        p = self.matrix.shape[1]
        return theta[:p], theta[p : self.linear], np.exp(theta[self.linear :])


@dataclass(frozen=True)
class Mode:
    """Minimum of h, with what the kernels say there of each cell."""

    u: Vector
    value: float
    """h(u^)."""
    factored: Factored
    d1: Vector
    weight: Vector
    d1_by: Matrix


@dataclass(frozen=True)
class Third:
    """Derivatives that only the gradient needs, and that are not kept."""

    d3: Vector
    by: Matrix
    d2_by: Matrix


@dataclass(frozen=True)
class Evaluation:
    """The approximation at one vector of parameters."""

    theta: Vector
    loglik: float
    mode: Mode
    gradient: Vector
    """Exact derivative by all parameters."""


class Laplace:
    """Evaluates the approximation, starting each search for the mode from a known one."""

    def __init__(self, problem: Problem, *, decrement: float = QUICK) -> None:
        self.problem = problem
        self.decrement = decrement

    @property
    def linear(self) -> int:
        """Number of parameters before the log standard deviations."""
        return self.problem.linear

    @property
    def factors(self) -> int:
        """Number of grouping factors."""
        return len(self.problem.layout.sizes)

    def group_information(self, at: Evaluation) -> Vector:
        """Return the mean information of a group on its effect, for each factor; shape (K,)."""
        layout = self.problem.layout
        total = layout.by_factor(layout.sums(np.abs(at.mode.weight)))
        result: Vector = total / np.array(layout.sizes)
        return result

    def evaluate(self, theta: Vector, near: Evaluation | None = None) -> Evaluation | None:
        """Return the approximation at `theta`, or None where it does not exist."""
        start = np.zeros(sum(self.problem.layout.sizes)) if near is None else near.mode.u
        if near is not None:
            start = self._predicted(theta, near)
        found = find_mode(self.problem, theta, start, self.decrement)
        if found is None and near is not None:
            found = find_mode(self.problem, theta, np.zeros_like(start), self.decrement)
        if found is None:
            return None
        mode, third = found
        loglik = -mode.value - mode.factored.logdet / 2
        return Evaluation(theta, loglik, mode, _gradient(self.problem, mode, third))

    def gradient(self, at: Evaluation) -> Vector:
        """Return the exact derivative of the approximation by all parameters."""
        return at.gradient

    def information(self, at: Evaluation) -> Matrix:
        """Return minus the second derivative of -h(u^) by beta and the further parameters.

        It leaves out what log|H| adds, so it is a start for a search and no standard error.
        """
        problem, mode = self.problem, at.mode
        cross, own = _joint_blocks(problem, at)
        result: Matrix = own - cross.T @ mode.factored.solve(cross)
        return result

    def _predicted(self, theta: Vector, near: Evaluation) -> Vector:
        step = np.zeros_like(theta)
        np.subtract(theta, near.theta, out=step, where=theta != near.theta)
        mode, problem = near.mode, self.problem
        if not np.isfinite(step).all() or np.abs(step[problem.linear :]).max(initial=0.0) > 1.0:
            return mode.u
        p = problem.matrix.shape[1]
        scale = mode.factored.scale
        sizes = problem.layout.sizes
        change = np.repeat(step[problem.linear :], sizes) * mode.u
        moved = -mode.weight * problem.layout.predictor(
            problem.matrix @ step[:p], problem.rows, np.zeros_like(problem.offset), scale * change
        )
        if problem.extra:
            moved += scatter.directions(mode.d1_by, problem.touched, step[p : problem.linear])
        result: Vector = mode.u + mode.factored.solve(scale * problem.layout.sums(moved) + change)
        return result


def find_mode(
    problem: Problem, theta: Vector, start: Vector, decrement: float
) -> tuple[Mode, Third] | None:
    """Minimise h by Newton's method from `start`; None where it fails or H is not positive."""
    beta, extra, sigma = problem.split(theta)
    if not (np.isfinite(theta[: problem.linear]).all() and (sigma < LARGEST).all()):
        return None
    search = _Search(problem, problem.matrix @ beta, extra, sigma)
    u, value = start, search.second(start)
    if not np.isfinite(value):
        u = np.zeros_like(start)
        value = search.second(u)
    if not np.isfinite(value):
        return None
    for _ in range(MAX_STEPS):
        step, size = search.step(u)
        if step is None or not np.isfinite(size):
            return None
        if size < decrement:
            return search.finish(u + step)
        u, moved = search.shorten(u, step, value, size)
        if moved is None:
            return search.finish(u) if size < 1e-6 else None
        value = moved
    return None


class _Search:
    def __init__(self, problem: Problem, fixed: Vector, extra: Vector, sigma: Vector) -> None:
        self.problem, self.fixed, self.extra, self.sigma = problem, fixed, extra, sigma
        self.scale = problem.layout.repeat(sigma)
        self.d1 = np.empty_like(problem.offset)
        self.weight = np.empty_like(problem.offset)

    def eta(self, u: Vector) -> Vector:
        problem = self.problem
        return problem.layout.predictor(self.fixed, problem.rows, problem.offset, self.scale * u)

    def second(self, u: Vector) -> float:
        problem = self.problem
        loglik = problem.kernels.second(
            self.eta(u), problem.count, problem.s1, problem.s2, self.extra, self.d1, self.weight
        )
        return float(u @ u) / 2 - loglik

    def step(self, u: Vector) -> tuple[Vector | None, float]:
        layout = self.problem.layout
        factored = factor(layout, layout.products(self.weight), self.sigma)
        if factored is None:
            factored = factor(layout, layout.products(np.abs(self.weight)), self.sigma)
        if factored is None:
            return None, np.nan
        down = self.scale * layout.sums(self.d1) - u
        step = factored.solve(down)
        return step, float(step @ down)

    def shorten(
        self, u: Vector, step: Vector, value: float, size: float
    ) -> tuple[Vector, float | None]:
        length = 1.0
        for _ in range(MAX_HALVINGS):
            moved = self.second(u + length * step)
            if moved <= value - 1e-4 * length * size + 1e-12 * abs(value):
                return u + length * step, moved
            length /= 2
        return u, None

    def finish(self, u: Vector) -> tuple[Mode, Third] | None:
        problem, m = self.problem, self.problem.offset.size
        d1, weight, d3 = np.empty(m), np.empty(m), np.empty(m)
        by, d1_by, d2_by = (np.empty((m, problem.kernels.width)) for _ in range(3))
        loglik = problem.kernels.third(
            self.eta(u),
            problem.count,
            problem.s1,
            problem.s2,
            self.extra,
            d1,
            weight,
            d3,
            by,
            d1_by,
            d2_by,
        )
        factored = factor(problem.layout, problem.layout.products(weight), self.sigma)
        if factored is None or not np.isfinite(loglik):
            return None
        value = float(u @ u) / 2 - loglik
        return Mode(u, value, factored, d1, weight, d1_by), Third(d3, by, d2_by)


def _gradient(problem: Problem, mode: Mode, third: Third) -> Vector:
    """With v = diag(Z L H^-1 L Z') and q = H^-1 L Z'(v d3) / 2, the adjoint of the mode,

    d/dbeta    = X'r,  r = d1 + v d3 / 2 - W Z L q
    d/da       = sum of by + v d2_by / 2 + d1_by (Z L q)
    d/dlog s_k = sum over k of b (Z'r) + q u - (1 - diag H^-1).
    """
    layout = problem.layout
    leverage = mode.factored.leverages()
    scale = mode.factored.scale
    turned = 0.5 * leverage * third.d3
    adjoint = mode.factored.solve(scale * layout.sums(turned))
    reached = layout.predictor(
        np.zeros(problem.matrix.shape[0]), problem.rows, np.zeros_like(leverage), scale * adjoint
    )
    score = mode.d1 + turned - mode.weight * reached
    fixed = problem.matrix.T @ scatter.by_row(score, problem.rows, problem.matrix.shape[0])
    parts = third.by + 0.5 * leverage[:, None] * third.d2_by + mode.d1_by * reached[:, None]
    extra = scatter.by_parameter(parts, problem.touched, problem.extra)
    effects = scale * mode.u * layout.sums(score) + adjoint * mode.u
    deviations = layout.by_factor(effects - 1.0 + mode.factored.inverse_diagonal())
    return np.concatenate([fixed, extra, deviations])


def _joint_blocks(problem: Problem, at: Evaluation) -> tuple[Matrix, Matrix]:
    """Return -d2l/(du dtheta') and -d2l/(dtheta dtheta') for theta = (beta, further)."""
    mode, layout = at.mode, problem.layout
    p, e, r = problem.matrix.shape[1], problem.extra, problem.matrix.shape[0]
    scale = mode.factored.scale[:, None]
    place = (layout.codes, layout.first, layout.rest)
    to_beta = np.concatenate(
        scatter.by_group_and_column(mode.weight, problem.rows, problem.matrix, *place)
    )
    to_extra = np.concatenate(
        scatter.by_group_and_parameter(mode.d1_by, problem.touched, e, *place)
    )
    own = np.empty((p + e, p + e))
    weights = scatter.by_row(mode.weight, problem.rows, r)
    own[:p, :p] = problem.matrix.T @ (weights[:, None] * problem.matrix)
    between = scatter.by_row_and_parameter(mode.d1_by, problem.touched, e, problem.rows, r)
    own[:p, p:] = -problem.matrix.T @ between
    own[p:, :p] = own[:p, p:].T
    beta, extra, _ = problem.split(at.theta)
    eta = layout.predictor(
        problem.matrix @ beta, problem.rows, problem.offset, mode.factored.scale * mode.u
    )
    own[p:, p:] = -problem.kernels.curvature(eta, problem.count, problem.s1, problem.s2, extra)
    return scale * np.hstack([to_beta, -to_extra]), own
