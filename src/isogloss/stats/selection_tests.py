"""Tests of differences between selection rates, beside the ratio of the four-fifths rule."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, nan, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from isogloss.stats.arrays import cluster_codes, indicators, same_length
from isogloss.stats.rate_ratio import Counts, counts
from isogloss.stats.results import ClusteredEstimate, Estimate, not_estimable
from isogloss.stats.selection import SMALL_GROUP, group_counts, highest_rate
from isogloss.stats.shares import share_difference
from isogloss.stats.tests import adjust

FEWEST_EXPECTED = 5
"""Smallest expected count for which the large-sample test is customary."""


@dataclass(frozen=True)
class SelectionTest:
    """Tests of one group's selection rate against the group with the highest rate."""

    group: str
    reference: str
    fisher: Estimate
    """Difference of the rates, group minus reference, with Fisher's exact p-value."""
    pooled: Estimate
    """The difference in standard deviations; see `standard_deviations`."""
    fisher_adjusted: float
    """Fisher's p-value, Holm-adjusted in the family."""
    pooled_adjusted: float
    """The p-value of `pooled`, Holm-adjusted in the family."""
    go_by: Literal["fisher", "pooled"]
    """Which of the two is customary for these counts: `fisher` for fewer than 30 in a group or an
    expected count below 5."""
    family: str
    family_size: int


def selection_tests(
    selected: Iterable[int],
    total: Iterable[int],
    *,
    family: str,
    family_size: int | None = None,
    groups: Sequence[str] | None = None,
    alpha: float = 0.05,
) -> tuple[SelectionTest, ...]:
    """Test each group's selection rate against the highest rate, taking all as independent.

    Two tests are given: Fisher's exact one, and the two-sample z with pooled variance, the rule of
    two or three standard deviations (Hazelwood School District v. United States 1977, note 14).
    Each is adjusted by Holm's method among the k (k - 1) / 2 pairs of the k groups, of which only
    those with the highest rate are tested: the reference is chosen by looking, and with the k - 1
    tests as family the z test rejects too often. `family` names the family; a larger
    `family_size` may be given. One record for each group but the reference; none without a rate.

    Raises `StatisticsError` on counts that `impact_ratio` refuses, a family smaller than the
    number of tests, and an alpha outside (0, 1).
    """
    table, names = group_counts(selected, total, groups)
    reference = highest_rate(table)
    if reference is None:
        return ()
    size = comb(len(table), 2) if family_size is None else family_size
    others = [place for place in range(len(table)) if place != reference]
    fisher = [share_difference(*table[k], *table[reference], alpha=alpha) for k in others]
    pooled = [standard_deviations(*table[k], *table[reference]) for k in others]
    adjusted = [
        adjust([test.p_value for test in tests], "holm", size) for tests in (fisher, pooled)
    ]
    return tuple(
        SelectionTest(
            names[k],
            names[reference],
            fisher[i],
            pooled[i],
            float(adjusted[0][i]),
            float(adjusted[1][i]),
            _customary(table[k], table[reference]),
            family,
            size,
        )
        for i, k in enumerate(others)
    )


def standard_deviations(x1: int, n1: int, x2: int, n2: int) -> Estimate:
    """Difference of two independent rates in standard deviations: the pooled two-sample z.

    z = (x1/n1 - x2/n2) / sqrt(p (1 - p) (1/n1 + 1/n2)) with p = (x1 + x2) / (n1 + n2), without
    continuity correction; the p-value is the two-sided normal one, for large samples. The estimate
    is z. An empty group, and rates that are both 0 or both 1, leave it undefined.

    Raises `StatisticsError` unless 0 <= x <= n in both.
    """
    (x1, n1), (x2, n2) = counts(x1, n1, ("x1", "n1")), counts(x2, n2, ("x2", "n2"))
    method, n = "pooled two-sample z, in standard deviations", n1 + n2
    if not n1 or not n2:
        return not_estimable(f"groups of {n1} and {n2}", n=n, method=method)
    p = (x1 + x2) / n
    if p in (0, 1):
        return not_estimable(f"both rates are {p:.0f}", n=n, method=method)
    z = (x1 / n1 - x2 / n2) / sqrt(p * (1 - p) * (1 / n1 + 1 / n2))
    return Estimate(z, nan, nan, 2 * float(stats.norm.sf(abs(z))), n, "ok", None, method)


def paired_selection(
    a: ArrayLike, b: ArrayLike, clusters: ArrayLike | Sequence[Any]
) -> ClusteredEstimate:
    """Exact test of the difference of two rates observed on the same pairs, in clusters.

    `a` and `b` hold booleans and `clusters` labels, all of shape (n,): whether pair i was selected
    as the one and as the other, and what it belongs to. With D_g the sum of a - b in cluster g, p
    is the share of all assignments of signs s with |sum s_g D_g| >= |sum D_g|, counted exactly:
    under the null hypothesis the two labels could be exchanged within any cluster. With one pair
    in each cluster this is the exact McNemar test. The estimate is the mean of a - b; there is no
    interval. Fewer than 2 clusters leave it undefined; p is 1 when no cluster differs.

    Raises `StatisticsError` on unequal lengths, a value that is neither 0 nor 1, and a missing
    label.
    """
    first, second = indicators(a, "a"), indicators(b, "b")
    same_length(first.size, second.size, ("a", "b"))
    codes = cluster_codes(clusters, first.size, "clusters")
    method = "difference of paired rates, exact test by exchanging the labels within clusters"
    differences, n = first - second, first.size
    groups = int(codes.max(initial=-1)) + 1
    mean = float(differences.mean()) if n else nan
    if groups < 2:
        reason = f"{groups} clusters; 2 are needed"
        result = not_estimable(reason, n=n, method=method, estimate=mean)
    else:
        sums = np.rint(np.bincount(codes, weights=differences)).astype(int)
        result = Estimate(mean, nan, nan, _exchange_p(sums), n, "ok", None, method)
    return ClusteredEstimate(**vars(result), n_clusters=groups)


def _exchange_p(sums: NDArray[np.intp]) -> float:
    """Share of assignments of signs with a sum at least as far from 0, by convolution."""
    masses = np.ones(1)
    for size in np.abs(sums[sums != 0]):
        # Index i stands for the sum i - (length - 1) / 2.
        wider = np.zeros(masses.size + 2 * size)
        wider[: masses.size] += masses / 2
        wider[2 * size :] += masses / 2
        masses = wider
    distances = np.abs(np.arange(masses.size) - masses.size // 2)
    return min(float(masses[distances >= abs(int(sums.sum()))].sum()), 1.0)


def _customary(group: Counts, reference: Counts) -> Literal["fisher", "pooled"]:
    (x1, n1), (x2, n2) = group, reference
    smaller, chosen = min(n1, n2), min(x1 + x2, n1 + n2 - x1 - x2)
    small = smaller < SMALL_GROUP or smaller * chosen < FEWEST_EXPECTED * (n1 + n2)
    return "fisher" if small else "pooled"
