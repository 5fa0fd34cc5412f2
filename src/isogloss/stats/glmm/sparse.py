"""Sparse Cholesky factors whose pattern is known, and the inverse at that pattern.

A symmetric matrix is held by the lower triangle of its factor, column by column, each column with
its diagonal first: `start` (q + 1,), `rows` (s,), values (s,). Columns stand in the order in which
they are eliminated. Sources: Davis (2006), chapter 4; Erisman and Tinney (1975).
"""

from math import sqrt

import numpy as np

from isogloss.stats.glmm.compiled import compiled
from isogloss.stats.glmm.kernels import Codes, Matrix, Vector


@compiled
def fill_in(start: Codes, rows: Codes, most: float) -> tuple[Codes, Codes]:
    """Return the pattern of the factor of a matrix whose entries below the diagonal are given.

    The sum over columns of the squared number of entries, which is what factoring costs, is
    bounded by `most`; above it the result is two empty arrays.
    """
    q = start.size - 1
    begin = np.zeros(q + 1, np.int32)
    found = np.empty(4 * rows.size + 4 * q, np.int32)
    head, following = np.full(q, -1, np.int32), np.full(q, -1, np.int32)
    mark = np.full(q, -1, np.int32)
    size, cost = 0, 0.0
    for j in range(q):
        if size + q + 1 > found.size:
            found = np.concatenate((found, np.empty(found.size + q, np.int32)))
        found[size] = j
        first = size + 1
        size += 1
        mark[j] = j
        for i in range(start[j], start[j + 1]):
            if mark[rows[i]] != j:
                mark[rows[i]] = j
                found[size] = rows[i]
                size += 1
        child = head[j]
        while child >= 0:
            for i in range(begin[child] + 1, begin[child + 1]):
                if mark[found[i]] != j:
                    mark[found[i]] = j
                    found[size] = found[i]
                    size += 1
            child = following[child]
        cost += float(size - first + 1) ** 2
        if cost > most:
            return np.empty(0, np.int32), np.empty(0, np.int32)
        if size > first:
            found[first:size].sort()
            parent = found[first]
            following[j] = head[parent]
            head[parent] = j
        begin[j + 1] = size
    return begin, found[:size].copy()


@compiled
def factor_in_place(start: Codes, rows: Codes, values: Vector) -> bool:
    """Turn a matrix into its Cholesky factor; return whether it was positive."""
    for j in range(start.size - 1):
        first, end = start[j], start[j + 1]
        if not values[first] > 0:
            return False
        pivot = sqrt(values[first])
        values[first] = pivot
        for i in range(first + 1, end):
            values[i] /= pivot
        for i in range(first + 1, end):
            value, at = values[i], start[rows[i]]
            for other in range(i, end):
                while rows[at] != rows[other]:
                    at += 1
                values[at] -= value * values[other]
    return True


@compiled
def solve_in_place(start: Codes, rows: Codes, values: Vector, right: Matrix) -> None:
    """Turn `right` (q, r) into the solution for a matrix with this Cholesky factor."""
    q, width = right.shape
    for j in range(q):
        for c in range(width):
            right[j, c] /= values[start[j]]
        for i in range(start[j] + 1, start[j + 1]):
            for c in range(width):
                right[rows[i], c] -= values[i] * right[j, c]
    for j in range(q - 1, -1, -1):
        for i in range(start[j] + 1, start[j + 1]):
            for c in range(width):
                right[j, c] -= values[i] * right[rows[i], c]
        for c in range(width):
            right[j, c] /= values[start[j]]


@compiled
def inverse_at_pattern(start: Codes, rows: Codes, values: Vector) -> Vector:
    """Return the inverse of a matrix with this Cholesky factor, at the factor's pattern.

    From the last column to the first, with Z the inverse and L the factor,
    Z_ij = -sum_(k > j) Z_ik L_kj / L_jj and Z_jj = (1 / L_jj - sum_k L_kj Z_kj) / L_jj.
    """
    q = start.size - 1
    inverse, total = np.empty(values.size), np.zeros(q)
    for j in range(q - 1, -1, -1):
        first, end = start[j], start[j + 1]
        for i in range(first + 1, end):
            total[rows[i]] = 0.0
        for i in range(first + 1, end):
            column, at = rows[i], start[rows[i]]
            total[column] += values[i] * inverse[at]
            for other in range(i + 1, end):
                while rows[at] != rows[other]:
                    at += 1
                total[rows[other]] += values[i] * inverse[at]
                total[column] += values[other] * inverse[at]
        last = 1.0 / values[first]
        for i in range(first + 1, end):
            inverse[i] = -total[rows[i]] / values[first]
            last -= values[i] * inverse[i]
        inverse[first] = last / values[first]
    return inverse


@compiled
def spread_products(
    weight: Vector, diagonal: Codes, pairs: Codes, groups: Codes, size: int
) -> Vector:
    """Return Z'diag(weight)Z by the pattern.

    `diagonal` (q,) and `pairs` (K (K - 1) / 2, m) are places in it, `groups` (K, m) groups
    numbered over all factors.
    """
    result = np.zeros(size)
    for i in range(weight.size):
        for k in range(groups.shape[0]):
            result[diagonal[groups[k, i]]] += weight[i]
        for pair in range(pairs.shape[0]):
            result[pairs[pair, i]] += weight[i]
    return result


@compiled
def gather_leverages(values: Vector, diagonal: Codes, pairs: Codes, groups: Codes) -> Vector:
    """Return z'Az of each cell's indicator z, for A by the pattern; shape (m,)."""
    result = np.zeros(groups.shape[1])
    for i in range(result.size):
        for k in range(groups.shape[0]):
            result[i] += values[diagonal[groups[k, i]]]
        for pair in range(pairs.shape[0]):
            result[i] += 2.0 * values[pairs[pair, i]]
    return result
