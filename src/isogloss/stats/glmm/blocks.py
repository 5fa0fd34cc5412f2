"""The precision matrix of the random effects, factored by its structure.

H = I + L Z'WZ L, with L the diagonal matrix of standard deviations. The block of the largest
factor is diagonal, whatever the number of its groups; the Schur complement on the groups of all
other factors is a dense matrix of their number. Between the two, the cross block is held whole or,
where most groups never meet, by its pattern. Where nesting leaves the complement sparse too (a
conversation has one user), the whole matrix gets a sparse factor instead.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, cast

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse import csr_array

from isogloss.stats.glmm import scatter, sparse
from isogloss.stats.glmm.kernels import Matrix, Vector
from isogloss.stats.glmm.layout import Blocks, Layout, Products
from isogloss.stats.glmm.patterns import CrossPattern, FullPattern


class Factored(Protocol):
    """H, factored."""

    @property
    def scale(self) -> Vector:
        """Standard deviation of each random effect, shape (q,)."""

    @property
    def logdet(self) -> float:
        """log |H|."""

    def solve(self, right: Matrix) -> Matrix:
        """Return H^-1 right, for shape (q,) or (q, r)."""

    def inverse_diagonal(self) -> Vector:
        """Return the diagonal of H^-1, shape (q,)."""

    def leverages(self) -> Vector:
        """Return z'L H^-1 L z of each cell, shape (m,)."""


@dataclass(frozen=True)
class _Bordered(ABC):
    """H, with the block of the largest factor as a diagonal."""

    layout: Layout
    scale: Vector
    """Standard deviation of each random effect, shape (q,)."""
    diagonal: Vector
    """Block of the largest factor, shape (q1,)."""
    ratio: Matrix | csr_array
    """Cross block divided by `diagonal`, shape (q1, q2)."""
    root: tuple[Matrix, bool]
    """Cholesky factor of the Schur complement, as scipy gives it."""
    logdet: float
    """log |H|."""

    def solve(self, right: Matrix) -> Matrix:
        """Return H^-1 right, for shape (q,) or (q, r)."""
        q1 = self.layout.first
        top, bottom = right[:q1], right[q1:]
        divided = top / (self.diagonal if right.ndim == 1 else self.diagonal[:, None])
        if not bottom.size:
            return divided
        below = cho_solve(self.root, bottom - self.ratio.T @ top, check_finite=False)
        return np.concatenate([divided - self.ratio @ below, below])

    def inverse_diagonal(self) -> Vector:
        """Return the diagonal of H^-1, shape (q,)."""
        first, _, small = self._blocks
        return np.concatenate([first, np.diag(small)])

    @cached_property
    def _blocks(self) -> tuple[Vector, Matrix | Vector, Matrix]:
        """The blocks of H^-1 that the gradient needs; its diagonal in the first place."""
        small = np.eye(self.layout.rest)
        if small.size:
            small = cho_solve(self.root, small, check_finite=False)
        return (*self._borders(small), small)

    @abstractmethod
    def _borders(self, small: Matrix) -> tuple[Vector, Matrix | Vector]:
        """Return the diagonal of the first block of H^-1, and what is needed of the cross block."""


@dataclass(frozen=True)
class _Whole(_Bordered):
    """H, with the cross block held whole."""

    def leverages(self) -> Vector:
        """Return z'L H^-1 L z of each cell, shape (m,)."""
        first, cross, small = self._blocks
        s1, s2 = self.scale[: self.layout.first], self.scale[self.layout.first :]
        return scatter.leverages(
            self.layout.codes, s1 * s1 * first, s1[:, None] * cross * s2, s2[:, None] * small * s2
        )

    def _borders(self, small: Matrix) -> tuple[Vector, Matrix]:
        ratio = cast(Matrix, self.ratio)
        cross = -ratio @ small
        return 1.0 / self.diagonal - np.einsum("ij,ij->i", cross, ratio), cross


@dataclass(frozen=True)
class _ByPattern(_Bordered):
    """H, with the cross block held by its pattern."""

    def leverages(self) -> Vector:
        """Return z'L H^-1 L z of each cell, shape (m,)."""
        first, cross, small = self._blocks
        pattern = cast(CrossPattern, self.layout.pattern)
        s1, s2 = self.scale[: self.layout.first], self.scale[self.layout.first :]
        both = np.repeat(s1, np.diff(pattern.start)) * s2[pattern.columns]
        return scatter.sparse_leverages(
            self.layout.codes,
            pattern.place,
            s1 * s1 * first,
            both * cross,
            s2[:, None] * small * s2,
        )

    def _borders(self, small: Matrix) -> tuple[Vector, Vector]:
        pattern = cast(CrossPattern, self.layout.pattern)
        cross, first = scatter.sparse_inverse(
            cast(Vector, self.ratio.data), self.diagonal, pattern.start, pattern.columns, small
        )
        return first, cross


@dataclass(frozen=True)
class _Sparse:
    """H, all of it by its pattern."""

    pattern: FullPattern
    scale: Vector
    values: Vector
    """Entries of the Cholesky factor, shape (s,)."""
    logdet: float

    def solve(self, right: Matrix) -> Matrix:
        """Return H^-1 right, for shape (q,) or (q, r)."""
        result = np.array(right, order="C").reshape(right.shape[0], -1)
        sparse.solve_in_place(self.pattern.start, self.pattern.rows, self.values, result)
        return result.reshape(right.shape)

    def inverse_diagonal(self) -> Vector:
        """Return the diagonal of H^-1, shape (q,)."""
        diagonal: Vector = self._entries[self.pattern.start[:-1]]
        return diagonal

    def leverages(self) -> Vector:
        """Return z'L H^-1 L z of each cell, shape (m,)."""
        pattern = self.pattern
        both = self.scale[pattern.rows] * self.scale[pattern.columns]
        return sparse.gather_leverages(
            both * self._entries, pattern.start[:-1], pattern.pairs, pattern.groups
        )

    @cached_property
    def _entries(self) -> Vector:
        """Entries of H^-1 at the places of the factor's."""
        entries: Vector = sparse.inverse_at_pattern(
            self.pattern.start, self.pattern.rows, self.values
        )
        return entries


def factor(layout: Layout, products: Products, sigma: Vector) -> Factored | None:
    """Factor H for the standard deviations `sigma` (K,), or return None if it is not positive.

    `products` are the entries of Z'WZ.
    """
    scale = layout.repeat(sigma)
    if isinstance(layout.pattern, FullPattern):
        return _sparse(layout.pattern, cast(Vector, products), scale)
    blocks = cast(Blocks, products)
    diagonal = 1.0 + scale[: layout.first] ** 2 * blocks[0]
    return _schur(layout, blocks, scale, diagonal) if (diagonal > 0).all() else None


def _schur(layout: Layout, blocks: Blocks, scale: Vector, diagonal: Vector) -> Factored | None:
    s1, s2, pattern = scale[: layout.first], scale[layout.first :], layout.pattern
    schur = np.eye(s2.size) + s2[:, None] * blocks[2] * s2
    if isinstance(pattern, CrossPattern):
        rows = np.diff(pattern.start)
        cross = np.repeat(s1, rows) * blocks[1] * s2[pattern.columns]
        ratio = cross / np.repeat(diagonal, rows)
        scatter.take_products(schur, cross, ratio, pattern.start, pattern.columns)
    else:
        cross = s1[:, None] * blocks[1] * s2
        ratio = cross / diagonal[:, None]
        schur -= cross.T @ ratio
    root = _root(schur)
    if root is None:
        return None
    logdet = float(np.log(diagonal).sum()) + 2.0 * float(np.log(np.diag(root[0])).sum())
    if not np.isfinite(logdet):
        return None
    if isinstance(pattern, CrossPattern):
        held = csr_array((ratio, pattern.columns, pattern.start), shape=(s1.size, s2.size))
        return _ByPattern(layout, scale, diagonal, held, root, logdet)
    return _Whole(layout, scale, diagonal, ratio, root, logdet)


def _sparse(pattern: FullPattern, products: Vector, scale: Vector) -> Factored | None:
    values: Vector = products * scale[pattern.rows] * scale[pattern.columns]
    values[pattern.start[:-1]] += 1.0
    if not sparse.factor_in_place(pattern.start, pattern.rows, values):
        return None
    logdet = 2.0 * float(np.log(values[pattern.start[:-1]]).sum())
    return _Sparse(pattern, scale, values, logdet) if np.isfinite(logdet) else None


def _root(matrix: Matrix) -> tuple[Matrix, bool] | None:
    if not matrix.size:
        return matrix, True
    try:
        return cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
    except LinAlgError:
        return None
