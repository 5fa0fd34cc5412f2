"""Where random effects stand, and sums over the cells of their groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from isogloss.stats.glmm import scatter, sparse
from isogloss.stats.glmm.kernels import Codes, Matrix, Vector
from isogloss.stats.glmm.patterns import CrossPattern, FullPattern, pattern_of

Blocks = tuple[Vector, Matrix, Matrix]
Products = Blocks | Vector
"""Z'WZ: the diagonal of the largest factor (q1,), its block with all others, whole (q1, q2) or by
a `CrossPattern` (s,), and the block of all others (q2, q2); or all of it by a `FullPattern`."""


@dataclass(frozen=True)
class Layout:
    """Where the groups of each factor stand in the vector of random effects."""

    codes: Codes
    """Group of each cell in each factor, as `isogloss.stats.glmm.scatter` wants it; (K, m)."""
    sizes: tuple[int, ...]
    """Number of groups of each factor, the largest factor first."""
    pattern: CrossPattern | FullPattern | None
    """How Z'WZ is held; None for blocks that are held whole."""

    @classmethod
    def of(cls, codes: Sequence[NDArray[np.integer]], sizes: Sequence[int]) -> Self:
        """Number the groups of K factors, largest first, from codes 0 to size - 1 of each."""
        starts = [0, *np.cumsum([0, *sizes[1:-1]])] if len(sizes) > 1 else [0]
        shifted = [
            np.asarray(code + start, np.int32) for code, start in zip(codes, starts, strict=True)
        ]
        stacked = np.ascontiguousarray(np.vstack(shifted))
        return cls(stacked, tuple(sizes), pattern_of(stacked, sizes[0], sum(sizes[1:])))

    @property
    def first(self) -> int:
        """Number of groups of the largest factor."""
        return self.sizes[0]

    @property
    def rest(self) -> int:
        """Number of groups of all other factors together."""
        return sum(self.sizes[1:])

    @property
    def slices(self) -> list[slice]:
        """Place of each factor in the vector of random effects."""
        ends = np.cumsum(self.sizes)
        return [
            slice(int(end) - size, int(end)) for end, size in zip(ends, self.sizes, strict=True)
        ]

    def repeat(self, sigma: Vector) -> Vector:
        """Return the standard deviation of each random effect, shape (q,)."""
        return np.repeat(sigma, self.sizes)

    def by_factor(self, values: Vector) -> Vector:
        """Return the sums of `values` (q,) over each factor, shape (K,)."""
        return np.array([values[part].sum() for part in self.slices])

    def sums(self, values: Vector) -> Vector:
        """Return Z'values, shape (q,)."""
        return np.concatenate(scatter.sums(values, self.codes, self.first, self.rest))

    def products(self, weight: Vector) -> Products:
        """Return Z'diag(weight)Z as `pattern` says."""
        if self.pattern is None:
            return scatter.products(weight, self.codes, self.first, self.rest)
        if isinstance(self.pattern, FullPattern):
            diagonal, size = self.pattern.start[:-1], self.pattern.rows.size
            return sparse.spread_products(
                weight, diagonal, self.pattern.pairs, self.pattern.groups, size
            )
        return scatter.sparse_products(
            weight, self.codes, self.first, self.rest, self.pattern.place, self.pattern.columns.size
        )

    def predictor(self, fixed: Vector, rows: Codes, offset: Vector, effects: Vector) -> Vector:
        """Return eta of each cell, shape (m,)."""
        eta = np.empty(offset.size)
        b1, b2 = effects[: self.first], effects[self.first :]
        scatter.spread(fixed, rows, offset, self.codes, b1, b2, eta)
        return eta
