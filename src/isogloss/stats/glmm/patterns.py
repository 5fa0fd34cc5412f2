"""Which entries of Z'WZ can differ from 0, and how they are held."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from isogloss.stats.glmm.kernels import Codes
from isogloss.stats.glmm.sparse import fill_in

HELD_WHOLE = 200_000
"""Entries of the cross block up to which it is held whole, however few differ from 0."""
CHEAPER = 0.1
"""Operations of a sparse factor, as a share of those of a dense Schur complement, up to which it
is taken: the dense ones run that much faster."""
SPARSE = 0.25
"""Share of entries other than 0 up to which a large cross block is held by its pattern."""


@dataclass(frozen=True)
class CrossPattern:
    """Entries of the cross block that can differ from 0, row by row."""

    start: Codes
    """First entry of each row and the number of entries, shape (q1 + 1,)."""
    columns: Codes
    """Column of each entry, shape (s,)."""
    place: Codes
    """Entry of each cell and factor but the largest, shape (K - 1, m)."""


@dataclass(frozen=True)
class FullPattern:
    """Entries of the whole matrix and its Cholesky factor, as `isogloss.stats.glmm.sparse` says."""

    start: Codes
    rows: Codes
    columns: Codes
    """Column of each entry, shape (s,)."""
    groups: Codes
    """Group of each cell in each factor, numbered over all factors; (K, m)."""
    pairs: Codes
    """Entry of each pair of factors and cell, shape (K (K - 1) / 2, m)."""


def pattern_of(codes: Codes, q1: int, q2: int) -> CrossPattern | FullPattern | None:
    """Return how Z'WZ is best held, or None where its blocks should be held whole.

    `codes` is that of `isogloss.stats.glmm.scatter`.
    """
    if q1 * q2 <= HELD_WHOLE:
        return None
    return _full(codes, q1, q2) or _cross(codes, q1, q2)


def _full(codes: Codes, q1: int, q2: int) -> FullPattern | None:
    q = q1 + q2
    groups = codes.copy()
    groups[1:] += q1
    keys = np.stack(
        [groups[k].astype(np.int64) * q + groups[other] for k, other in _pairs(len(codes))]
    )
    entries = np.sort(pd.unique(keys.ravel()))
    below = _starts(entries, q)
    start, rows = fill_in(below, (entries % q).astype(np.int32), CHEAPER * float(q2) ** 3)
    if not rows.size:
        return None
    columns = np.repeat(np.arange(q, dtype=np.int32), np.diff(start))
    held = columns.astype(np.int64) * q + rows
    pairs = np.searchsorted(held, keys).astype(np.int32)
    return FullPattern(start, rows, columns, groups, pairs)


def _cross(codes: Codes, q1: int, q2: int) -> CrossPattern | None:
    pairs = codes[0].astype(np.int64) * q2 + codes[1:]
    place, entries = pd.factorize(pairs.ravel(), sort=True)
    if entries.size > SPARSE * q1 * q2:
        return None
    return CrossPattern(
        np.searchsorted(entries, np.arange(q1 + 1, dtype=np.int64) * q2).astype(np.int32),
        (entries % q2).astype(np.int32),
        place.astype(np.int32).reshape(pairs.shape),
    )


def _pairs(factors: int) -> list[tuple[int, int]]:
    return list(combinations(range(factors), 2))


def _starts(entries: NDArray[np.int64], q: int) -> Codes:
    return np.searchsorted(entries, np.arange(q + 1, dtype=np.int64) * q).astype(np.int32)
