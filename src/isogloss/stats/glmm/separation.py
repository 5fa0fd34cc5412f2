"""Whether a model of categories has a finite maximum (Albert and Anderson 1984, Konis 2007)."""

import numpy as np
from scipy.optimize import linprog

from isogloss.errors import StatisticsError
from isogloss.stats.glmm import scatter
from isogloss.stats.glmm.cells import Cells
from isogloss.stats.glmm.kernels import Matrix

_SEPARATED = 1e-6


def separated_columns(cells: Cells, matrix: Matrix, categories: int) -> list[int] | None:
    """Return the columns of `matrix` along which the likelihood rises for ever, or None.

    A direction d of the coefficients, with shifts k of the thresholds of an ordinal response,
    separates when every observed category j has k_(j-1) <= x'd <= k_j, and one inequality is
    strict. A linear program finds the d of largest sum. `categories` is 0 for a binomial, whose
    one threshold is 0. Random intercepts do not matter: the likelihood rises for each of their
    values. The list is empty when thresholds alone diverge.

    Raises `StatisticsError` when the linear program is not solved.
    """
    bounds = _binary(cells, matrix) if categories == 0 else _ordered(cells, matrix, categories)
    if not bounds.size:
        return None
    scaled = bounds / np.maximum(np.abs(bounds).max(axis=0), 1e-300)
    found = linprog(
        -scaled.sum(axis=0),
        A_ub=-scaled,
        b_ub=np.zeros(len(scaled)),
        bounds=(-1, 1),
        method="highs",
    )
    if found.status != 0 or found.x is None:
        raise StatisticsError(
            "whether the outcomes are separated could not be told: the linear program ended with "
            f"{found.message!r}; centre and scale the columns of the model or leave some out"
        )
    if scaled.sum(axis=0) @ found.x <= _SEPARATED:
        return None
    direction = found.x[: matrix.shape[1]]
    return [int(j) for j in np.flatnonzero(np.abs(direction) > _SEPARATED)]


def _binary(cells: Cells, matrix: Matrix) -> Matrix:
    successes = scatter.by_row(cells.s1, cells.rows, matrix.shape[0])
    failures = scatter.by_row(cells.count, cells.rows, matrix.shape[0]) - successes
    result: Matrix = np.vstack([matrix[successes > 0], -matrix[failures > 0]])
    return result


def _ordered(cells: Cells, matrix: Matrix, categories: int) -> Matrix:
    pairs = np.unique(cells.rows.astype(np.int64) * categories + cells.s1.astype(np.int64))
    rows, category = pairs // categories, pairs % categories
    thresholds: Matrix = np.eye(categories - 1)
    above, below = category < categories - 1, category > 0
    result: Matrix = np.vstack(
        [
            np.hstack([-matrix[rows[above]], thresholds[category[above]]]),
            np.hstack([matrix[rows[below]], -thresholds[category[below] - 1]]),
        ]
    )
    return result
