"""Integer codes of columns, and of their combinations."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from isogloss.stats.glmm.kernels import Codes

Integers = NDArray[np.int64]

_LARGEST = 2**62


@dataclass(frozen=True)
class Grouping:
    """A factor that groups rows."""

    name: str
    codes: Codes
    """Level of each row, 0 to G - 1, shape (n,)."""
    levels: pd.Index
    """Names of the levels, sorted; those of several columns are joined by ':'."""

    @property
    def counts(self) -> pd.Series:
        """Rows of each level."""
        return pd.Series(np.bincount(self.codes, minlength=len(self.levels)), index=self.levels)


def grouping(name: str, columns: Sequence[pd.Series]) -> Grouping:
    """Return the factor that the levels of one column, or the pairs of several, make up."""
    parts = [pd.factorize(column, sort=True) for column in columns]
    if len(parts) == 1:
        return Grouping(name, parts[0][0].astype(np.int32), pd.Index(parts[0][1]))
    codes, first = combine([part[0] for part in parts], ordered=True)
    texts = [
        ":".join(str(levels[code[place]]) for code, levels in parts) for place in first.tolist()
    ]
    return Grouping(name, codes.astype(np.int32), pd.Index(texts))


def combine(
    columns: Sequence[NDArray[np.integer]], *, ordered: bool = False
) -> tuple[Integers, Integers]:
    """Number the distinct rows of several columns of codes.

    Returns the number of each row, shape (n,), in order of first appearance or, if `ordered`, of
    the codes, and the first row of each number.
    """
    total = columns[0].astype(np.int64)
    span = int(total.max(initial=0)) + 1
    for column in columns[1:]:
        size = int(column.max(initial=0)) + 1
        if span * size > _LARGEST:
            total, span = _dense(total)
        total = total * size + column
        span *= size
    codes, values = pd.factorize(total, sort=ordered)
    first = np.full(len(values), -1, np.int64)
    first[codes[::-1]] = np.arange(codes.size - 1, -1, -1)
    return codes.astype(np.int64), first


def _dense(codes: Integers) -> tuple[Integers, int]:
    renamed, values = pd.factorize(codes, sort=True)
    return renamed.astype(np.int64), len(values)
