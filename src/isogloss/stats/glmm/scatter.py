"""Sums over cells by group, and what comes back from groups to cells.

`codes` has shape (K, m): the group of each of m cells in each of K factors. Groups of the first
factor are numbered 0 to q1 - 1; those of all others together 0 to q2 - 1.
"""

import numpy as np

from isogloss.stats.glmm.compiled import compiled
from isogloss.stats.glmm.kernels import Codes, Matrix, Vector


@compiled
def spread(
    fixed: Vector, rows: Codes, offset: Vector, codes: Codes, b1: Vector, b2: Vector, eta: Vector
) -> None:
    """Fill eta = fixed[rows] + offset + the group effects of each cell."""
    factors = codes.shape[0]
    for i in range(eta.size):
        value = fixed[rows[i]] + offset[i] + b1[codes[0, i]]
        for k in range(1, factors):
            value += b2[codes[k, i]]
        eta[i] = value


@compiled
def sums(values: Vector, codes: Codes, q1: int, q2: int) -> tuple[Vector, Vector]:
    """Return the sums of `values` by group: Z'values."""
    first, second = np.zeros(q1), np.zeros(q2)
    factors = codes.shape[0]
    for i in range(values.size):
        first[codes[0, i]] += values[i]
        for k in range(1, factors):
            second[codes[k, i]] += values[i]
    return first, second


@compiled
def products(values: Vector, codes: Codes, q1: int, q2: int) -> tuple[Vector, Matrix, Matrix]:
    """Return the blocks of Z'diag(values)Z: diagonal (q1,), cross (q1, q2), small (q2, q2)."""
    diagonal, cross, small = np.zeros(q1), np.zeros((q1, q2)), np.zeros((q2, q2))
    factors = codes.shape[0]
    for i in range(values.size):
        a, value = codes[0, i], values[i]
        diagonal[a] += value
        for k in range(1, factors):
            c = codes[k, i]
            cross[a, c] += value
            small[c, c] += value
            for other in range(1, k):
                d = codes[other, i]
                small[c, d] += value
                small[d, c] += value
    return diagonal, cross, small


@compiled
def leverages(codes: Codes, diagonal: Vector, cross: Matrix, small: Matrix) -> Vector:
    """Return z'Az of each cell's indicator z, for blocks of a symmetric A; shape (m,)."""
    factors, m = codes.shape
    result = np.empty(m)
    for i in range(m):
        a = codes[0, i]
        value = diagonal[a]
        for k in range(1, factors):
            c = codes[k, i]
            value += 2.0 * cross[a, c] + small[c, c]
            for other in range(1, k):
                value += 2.0 * small[c, codes[other, i]]
        result[i] = value
    return result


@compiled
def sparse_products(
    values: Vector, codes: Codes, q1: int, q2: int, place: Codes, size: int
) -> tuple[Vector, Vector, Matrix]:
    """Return the blocks of Z'diag(values)Z, the cross block by its pattern, shape (size,)."""
    diagonal, cross, small = np.zeros(q1), np.zeros(size), np.zeros((q2, q2))
    factors = codes.shape[0]
    for i in range(values.size):
        value = values[i]
        diagonal[codes[0, i]] += value
        for k in range(1, factors):
            c = codes[k, i]
            cross[place[k - 1, i]] += value
            small[c, c] += value
            for other in range(1, k):
                d = codes[other, i]
                small[c, d] += value
                small[d, c] += value
    return diagonal, cross, small


@compiled
def take_products(small: Matrix, left: Vector, right: Vector, start: Codes, columns: Codes) -> None:
    """Take left'right from `small`, for two blocks of one pattern whose product is symmetric.

    Only the triangle below the diagonal is right afterwards.
    """
    for a in range(start.size - 1):
        for i in range(start[a], start[a + 1]):
            row, value = small[columns[i]], left[i]
            for j in range(start[a], i + 1):
                row[columns[j]] -= value * right[j]


@compiled
def sparse_inverse(
    ratio: Vector, diagonal: Vector, start: Codes, columns: Codes, small: Matrix
) -> tuple[Vector, Vector]:
    """Return the cross block of the inverse at the pattern, and the diagonal of the largest factor.

    With R the ratio and S^-1 = `small`: -R S^-1, and 1 / diagonal + diag(R S^-1 R').
    """
    cross, first = np.empty(ratio.size), 1.0 / diagonal
    for a in range(diagonal.size):
        for i in range(start[a], start[a + 1]):
            row, value = small[columns[i]], 0.0
            for j in range(start[a], start[a + 1]):
                value -= ratio[j] * row[columns[j]]
            cross[i] = value
            first[a] -= value * ratio[i]
    return cross, first


@compiled
def sparse_leverages(
    codes: Codes, place: Codes, diagonal: Vector, cross: Vector, small: Matrix
) -> Vector:
    """Return z'Az of each cell's indicator z, the cross block of A by its pattern; shape (m,)."""
    factors, m = codes.shape
    result = np.empty(m)
    for i in range(m):
        value = diagonal[codes[0, i]]
        for k in range(1, factors):
            c = codes[k, i]
            value += 2.0 * cross[place[k - 1, i]] + small[c, c]
            for other in range(1, k):
                value += 2.0 * small[c, codes[other, i]]
        result[i] = value
    return result


@compiled
def by_row(values: Vector, rows: Codes, size: int) -> Vector:
    """Return the sums of `values` by row of the model matrix, shape (size,)."""
    result = np.zeros(size)
    for i in range(values.size):
        result[rows[i]] += values[i]
    return result


@compiled
def by_group_and_column(
    values: Vector, rows: Codes, matrix: Matrix, codes: Codes, q1: int, q2: int
) -> tuple[Matrix, Matrix]:
    """Return Z'diag(values)X as blocks (q1, p) and (q2, p); `matrix` holds the rows of X."""
    p = matrix.shape[1]
    first, second = np.zeros((q1, p)), np.zeros((q2, p))
    factors = codes.shape[0]
    for i in range(values.size):
        row, value = matrix[rows[i]], values[i]
        a = codes[0, i]
        for j in range(p):
            first[a, j] += value * row[j]
        for k in range(1, factors):
            c = codes[k, i]
            for j in range(p):
                second[c, j] += value * row[j]
    return first, second


@compiled
def by_group_and_parameter(
    values: Matrix, touched: Codes, size: int, codes: Codes, q1: int, q2: int
) -> tuple[Matrix, Matrix]:
    """Return the sums of `values` (m, width) by group and by the parameter each entry touches."""
    first, second = np.zeros((q1, size)), np.zeros((q2, size))
    factors = codes.shape[0]
    for i in range(values.shape[0]):
        for side in range(values.shape[1]):
            a = touched[i, side]
            if a < 0:
                continue
            first[codes[0, i], a] += values[i, side]
            for k in range(1, factors):
                second[codes[k, i], a] += values[i, side]
    return first, second


@compiled
def by_row_and_parameter(
    values: Matrix, touched: Codes, size: int, rows: Codes, n_rows: int
) -> Matrix:
    """Return the sums of `values` (m, width) by row of X and parameter, shape (n_rows, size)."""
    result = np.zeros((n_rows, size))
    for i in range(values.shape[0]):
        for side in range(values.shape[1]):
            if touched[i, side] >= 0:
                result[rows[i], touched[i, side]] += values[i, side]
    return result


@compiled
def by_parameter(values: Matrix, touched: Codes, size: int) -> Vector:
    """Return the sums of `values` (m, width) by parameter, shape (size,)."""
    result = np.zeros(size)
    for i in range(values.shape[0]):
        for side in range(values.shape[1]):
            if touched[i, side] >= 0:
                result[touched[i, side]] += values[i, side]
    return result


@compiled
def directions(values: Matrix, touched: Codes, step: Vector) -> Vector:
    """Return sum over the parameters a cell touches of values * step, shape (m,)."""
    result = np.zeros(values.shape[0])
    for i in range(values.shape[0]):
        for side in range(values.shape[1]):
            if touched[i, side] >= 0:
                result[i] += values[i, side] * step[touched[i, side]]
    return result
