"""Where the search for the maximum of a Laplace approximation begins."""

from dataclasses import replace

import numpy as np
from scipy.special import expit, logit, polygamma

from isogloss.stats.glmm.ascent import made_positive
from isogloss.stats.glmm.assemble import shifted
from isogloss.stats.glmm.cells import Cells
from isogloss.stats.glmm.estimate import maximise
from isogloss.stats.glmm.kernels import Matrix, Vector
from isogloss.stats.glmm.laplace import Evaluation, Laplace, Problem
from isogloss.stats.glmm.linear import CrossProducts, Linear
from isogloss.stats.glmm.scatter import by_row

SMALLEST, LARGEST = 0.1, 2.0
"""Bounds of the first standard deviation, on the scale of the linear predictor."""
_STEPS = 40


def without_groups(model: Laplace, family: str) -> Evaluation | None:
    """Return the maximum with all standard deviations 0, by Newton's method, or None."""
    problem = model.problem
    theta = np.concatenate([_crude(problem, family), np.full(len(problem.layout.sizes), -np.inf)])
    point = model.evaluate(theta)
    if point is None:
        return None
    free = slice(0, problem.linear)
    for _ in range(_STEPS):
        slope = model.gradient(point)[free]
        step = np.linalg.solve(made_positive(model.information(point)), slope).astype(np.float64)
        if float(slope @ step) < 1e-8:
            break
        reached = _step(model, point, step)
        if reached is None:
            break
        point = reached
    return point


def deviations(problem: Problem, at: Evaluation) -> Vector:
    """Return first log standard deviations by the method of moments, shape (K,).

    With S_g and I_g the score and the information of group g, E S_g^2 is about
    I_g + s^2 I_g^2.
    """
    score = problem.layout.sums(at.mode.d1)
    information = np.maximum(problem.layout.sums(at.mode.weight), 1e-8)
    excess = problem.layout.by_factor(score**2 - information)
    variance = excess / problem.layout.by_factor(information**2)
    result: Vector = np.log(np.sqrt(np.clip(variance, SMALLEST**2, LARGEST**2)))
    return result


def from_logits(cells: Cells, matrix: Matrix) -> Vector | None:
    """Return where the search of a beta begins: the gaussian model of logit y, or None.

    `matrix` is whitened. The residual variance v gives the precision by
    v = trigamma(mu phi) + trigamma((1 - mu) phi) at the mean of mu.
    """
    total = cells.s1 - cells.s2
    logits = replace(cells, s1=total, s2=cells.s3)
    beta = matrix.T @ by_row(total - cells.count * cells.offset, cells.rows, len(matrix))
    beta /= cells.count.sum()
    left = shifted(logits, (matrix @ beta)[cells.rows] + cells.offset)
    if not left.s2.sum() > 0:
        return None
    n = int(cells.count.sum())
    model = Linear(CrossProducts.of(left, matrix, n, reml=False))
    found = maximise(model, [np.full(model.factors, ratio) for ratio in (-0.5, 1.5)], looks=2)
    if found is None:
        return None
    beta += found.point.beta
    eta = np.average((matrix @ beta)[cells.rows] + cells.offset, weights=cells.count)
    phi = _precision(found.point.variance, float(expit(eta)))
    sigma = np.sqrt(found.point.variance) * np.exp(found.point.theta)
    return np.concatenate([beta, [np.log(phi)], np.log(np.maximum(sigma, SMALLEST))])


def _precision(variance: float, mu: float) -> float:
    ends = np.log([1e-3, 1e9])
    for _ in range(40):
        middle = float(ends.mean())
        shapes = np.exp(middle) * np.array([mu, 1 - mu])
        ends[int(polygamma(1, shapes).sum() < variance)] = middle
    return float(np.exp(ends.mean()))


def _step(model: Laplace, point: Evaluation, step: Vector) -> Evaluation | None:
    length = 1.0
    for _ in range(20):
        theta = point.theta.copy()
        theta[: step.size] += length * step
        reached = model.evaluate(theta)
        if reached is not None and reached.loglik >= point.loglik - 1e-10 * abs(point.loglik):
            return reached
        length /= 2
    return None


def _crude(problem: Problem, family: str) -> Vector:
    beta = np.zeros(problem.matrix.shape[1])
    if family == "ordinal":
        counts = np.bincount(problem.s1.astype(np.intp), weights=problem.count)
        return np.concatenate([beta, logit(np.cumsum(counts)[:-1] / counts.sum())])
    if family == "beta":
        target = (problem.s1 - problem.s2) / problem.count
        beta = _least_squares(problem, target)
        fitted = (problem.matrix @ beta)[problem.rows] + problem.offset
        spread = float(np.average((target - fitted) ** 2, weights=problem.count))
        # Var logit y is about 1 / (mu (1 - mu) phi).
        middle = float(np.cosh(np.clip(np.average(fitted, weights=problem.count), -9, 9) / 2))
        return np.append(beta, np.log(np.clip(4 * middle**2 / max(spread, 1e-8), 0.5, 1e6)))
    target = logit((problem.s1 + 0.5) / (problem.count + 1))
    return _least_squares(problem, target)


def _least_squares(problem: Problem, target: Vector) -> Vector:
    """Regress `target` less the offset on the model matrix, whose columns are orthonormal."""
    values = problem.count * (target - problem.offset)
    total = np.zeros(problem.matrix.shape[0])
    np.add.at(total, problem.rows, values)
    result: Vector = problem.matrix.T @ total / problem.count.sum()
    return result
