"""From cells to a model that can be evaluated."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import qr, solve_triangular

from isogloss.stats.glmm import scatter
from isogloss.stats.glmm.cells import Cells
from isogloss.stats.glmm.families import KERNELS
from isogloss.stats.glmm.kernels import Codes, Matrix, Vector
from isogloss.stats.glmm.laplace import Problem

DEPENDENT = 1e-9
"""Share of a column's length, left by the columns before it, below which it depends on them."""


@dataclass(frozen=True)
class Whitened:
    """A model matrix whose columns have been made orthonormal over the observations."""

    matrix: Matrix
    """Distinct rows, shape (r, p)."""
    back: Matrix
    """Coefficients of the original columns are `back` times those of `matrix`; (p, p)."""


def row_counts(cells: Cells, size: int) -> Vector:
    """Return the observations of each distinct row of the model matrix, shape (r,)."""
    return scatter.by_row(cells.count, cells.rows, size)


def dependent_columns(matrix: Matrix, *, intercept: bool) -> list[int]:
    """Return columns of `matrix` that are linear combinations of those before them.

    With `intercept`, a constant column counts as standing before the first.
    """
    full = np.column_stack([np.ones(matrix.shape[0]), matrix]) if intercept else matrix
    lengths = np.linalg.norm(full, axis=0)
    scaled = full / np.where(lengths > 0, lengths, 1.0)
    kept: list[int] = []
    dependent: list[int] = []
    basis = np.zeros((matrix.shape[0], 0))
    for j, column in enumerate(scaled.T):
        left = column - basis @ (basis.T @ column)
        left -= basis @ (basis.T @ left)
        length = float(np.linalg.norm(left))
        if length <= DEPENDENT:
            dependent.append(j - intercept)
        else:
            kept.append(j)
            basis = np.column_stack([basis, left / length])
    return dependent


def whiten(matrix: Matrix, counts: Vector) -> Whitened:
    """Make the columns of a model matrix of full rank orthonormal, weighted by `counts`."""
    if not matrix.shape[1]:
        return Whitened(matrix, np.zeros((0, 0)))
    lengths = np.sqrt(counts @ matrix**2)
    triangle = qr(np.sqrt(counts)[:, None] * matrix / lengths, mode="r", check_finite=False)[0]
    triangle = triangle[: matrix.shape[1]]
    back = solve_triangular(triangle, np.eye(matrix.shape[1])) * np.sqrt(counts.sum())
    back /= lengths[:, None]
    return Whitened(np.ascontiguousarray(matrix @ back), back)


def problem(cells: Cells, matrix: Matrix, family: str, categories: int) -> Problem:
    """Return what the Laplace approximation needs; `matrix` is whitened."""
    touched, extra = _touched(cells, family, categories)
    return Problem(
        KERNELS[family],
        cells.layout,
        matrix,
        cells.rows,
        cells.offset,
        cells.count,
        cells.s1,
        cells.s2,
        touched,
        extra,
    )


def shifted(cells: Cells, by: Vector) -> Cells:
    """Return gaussian cells of y - `by`, a value for each cell."""
    s1 = cells.s1 - cells.count * by
    return replace(cells, s1=s1, s2=cells.s2 - by * (cells.s1 + s1))


def _touched(cells: Cells, family: str, categories: int) -> tuple[Codes, int]:
    if family == "beta":
        return np.zeros((cells.rows.size, 1), np.int32), 1
    if family == "ordinal":
        last = categories - 1
        above = np.where(cells.s1 < last, cells.s1, -1)
        return np.column_stack([above, cells.s1 - 1]).astype(np.int32), last
    return np.zeros((cells.rows.size, 0), np.int32), 0
