"""Rank tests of several groups: Kruskal-Wallis for independent ones, Friedman for matched ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import Values, sample
from isogloss.stats.results import Status


@dataclass(frozen=True)
class RankTest:
    """Outcome of a rank test of several groups; NaN where the data leave it undefined."""

    statistic: float
    """H of Kruskal and Wallis, or Friedman's chi-squared, corrected for ties."""
    df: float
    """Groups less one, the degrees of freedom of the chi-squared distribution behind the p."""
    p_value: float
    n: int
    """Values of all groups, or in a matched test blocks."""
    status: Status
    """`ok` or `not_estimable`."""
    reason: str | None
    """Why a number is undefined; None when `status` is `ok`."""
    method: str
    """Name of the method that gave the numbers."""


def kruskal_wallis(groups: Sequence[ArrayLike]) -> RankTest:
    """Test whether independent groups differ in location, by the ranks of their values.

    H = 12 / (n (n + 1)) sum_j n_j (mean rank_j - (n + 1) / 2)^2, divided by the tie correction; its
    p-value is that of chi-squared with one degree of freedom less than there are groups. `groups`
    are arrays of shapes (n_j,). Values of one block in several groups make it wrong: `friedman` is
    for those. Fewer than two groups, an empty group or equal values leave it undefined.

    Raises `StatisticsError` on a value that is not finite. Source: Kruskal and Wallis (1952).
    """
    arrays = [sample(group, f"group {i}") for i, group in enumerate(groups)]
    sizes = [array.size for array in arrays]
    method, n = "Kruskal-Wallis H, chi-squared approximation with tie correction", sum(sizes)
    if len(arrays) < 2 or min(sizes) == 0:
        return _undefined(f"groups of {sizes}; 2 groups with a value each are needed", n, method)
    if np.ptp(np.concatenate(arrays)) == 0:
        return _undefined("all values are equal", n, method)
    result = stats.kruskal(*arrays)
    return RankTest(
        float(result.statistic), len(arrays) - 1, float(result.pvalue), n, "ok", None, method
    )


def friedman(scores: ArrayLike) -> RankTest:
    """Test whether matched groups differ in location, by the ranks within each block.

    With r_ij the rank of group j among the k groups of block i (ties share their mean rank),
    Q = (k - 1) sum_j (sum_i r_ij - n (k + 1) / 2)^2 / sum_ij (r_ij - (k + 1) / 2)^2; its p-value
    is that of chi-squared with k - 1 degrees of freedom. `scores` has shape (n, k), a block in
    each row. scipy's form wants three groups; this one takes two as well. Fewer than two blocks or
    groups, or blocks within which nothing differs, leave it undefined.

    Raises `StatisticsError` on a value that is not finite and on an array that is not
    two-dimensional. Source: Friedman (1937), for ties Conover (1999, section 5.8).
    """
    array = _matrix(scores)
    n, k = array.shape
    method = "Friedman chi-squared with tie correction"
    if n < 2 or k < 2:
        return _undefined(f"{n} blocks of {k} groups; 2 of each are needed", n, method)
    ranks: Values = stats.rankdata(array, axis=1)
    spread = float(((ranks - (k + 1) / 2) ** 2).sum())
    if spread == 0:
        return _undefined("no block's values differ", n, method)
    between = float(((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
    statistic = (k - 1) * between / spread
    p_value = float(stats.chi2.sf(statistic, k - 1))
    return RankTest(statistic, k - 1, p_value, n, "ok", None, method)


def _matrix(scores: ArrayLike) -> NDArray[np.float64]:
    array = np.asarray(scores, dtype=np.float64)
    if array.ndim != 2:
        raise StatisticsError(f"scores has {array.ndim} dimensions; pass blocks by groups")
    sample(array.ravel(), "scores")
    return array


def _undefined(reason: str, n: int, method: str) -> RankTest:
    return RankTest(nan, nan, nan, n, "not_estimable", reason, method)
