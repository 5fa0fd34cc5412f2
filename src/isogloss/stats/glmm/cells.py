"""Rows with the same covariates and groups, added up without loss."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from isogloss.stats.glmm.grouping import Grouping, combine
from isogloss.stats.glmm.kernels import Codes, Vector
from isogloss.stats.glmm.layout import Layout
from isogloss.stats.glmm.response import Response


@dataclass(frozen=True)
class Cells:
    """Sums over all rows that have one linear predictor."""

    layout: Layout
    order: tuple[int, ...]
    """Place in the formula of each factor of `layout`."""
    rows: Codes
    """Row of the model matrix of each cell, shape (m,)."""
    offset: Vector
    count: Vector
    s1: Vector
    s2: Vector
    s3: Vector


def aggregate(
    rows: Codes,
    groups: Sequence[Grouping],
    offset: Vector,
    response: Response,
    *,
    by_category: bool,
) -> Cells:
    """Add up the rows of each cell; `by_category` makes a category of the response a cell.

    A model without groups gets one factor with one level; its standard deviation has to be 0.
    """
    order = sorted(range(len(groups)), key=lambda k: -len(groups[k].levels))
    codes = [groups[k].codes for k in order] or [np.zeros_like(rows)]
    sizes = [len(groups[k].levels) for k in order] or [1]
    keys = [codes[0], *codes[1:], rows]
    if np.ptp(offset):
        keys.append(pd.factorize(offset)[0].astype(np.int32))
    if by_category:
        keys.append(response.s1.astype(np.int32))
    cell, first = combine(keys)
    # Cells of one group of the largest factor stand together, for the sake of the cache.
    ranks = np.argsort(codes[0][first], kind="stable")
    first = first[ranks]
    cell = np.argsort(ranks)[cell]

    def total(values: Vector) -> Vector:
        return np.bincount(cell, weights=values).astype(np.float64)

    return Cells(
        Layout.of([code[first] for code in codes], sizes),
        tuple(order),
        rows[first].astype(np.int32),
        offset[first],
        total(response.count),
        response.s1[first] if by_category else total(response.s1),
        total(response.s2),
        total(response.s3),
    )
