"""Exact tests that flip signs."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import Values, cluster_codes, sample
from isogloss.stats.results import ClusteredEstimate, SignFlipEstimate, not_estimable

MAX_CLUSTERS = 20
"""Most clusters for which every assignment of signs is looked at."""

_TIE = 1e-12
"""Share of the largest possible sum within which two sums count as equal."""


def cluster_sign_flip(values: ArrayLike, clusters: ArrayLike | Sequence[Any]) -> ClusteredEstimate:
    """Exact two-sided test that the mean of `values` is 0, for few clusters of any size.

    With T_g the sum over cluster g, p is the share of all 2^G assignments of signs s for which
    |sum_g s_g T_g| >= |sum_g T_g|. It holds its level for any number and size of clusters when
    the T_g are independent and symmetric about 0 under the null hypothesis. `values` and
    `clusters` have shape (n,). There is no interval; the smallest p is 2 / 2^G.

    Raises `StatisticsError` above `MAX_CLUSTERS` clusters, and as `cluster_mean` does.
    Source: Canay, Romano and Shaikh (2017).
    """
    array = sample(values, "values")
    codes = cluster_codes(clusters, array.size, "clusters")
    groups = int(codes.max(initial=-1)) + 1
    method = "exact test by flipping the signs of clusters"
    if groups > MAX_CLUSTERS:
        raise StatisticsError(f"{groups} clusters; signs are flipped for {MAX_CLUSTERS} at most")
    if groups == 0:
        result = not_estimable("no values", n=0, method=method)
        return ClusteredEstimate(**vars(result), n_clusters=0)
    sums = np.bincount(codes, weights=array)
    # The first sign is fixed: flipping all signs leaves the absolute value as it is.
    flipped = sums[:1]
    for total in sums[1:]:
        flipped = np.concatenate([flipped + total, flipped - total])
    least = abs(float(sums.sum())) - _TIE * float(np.abs(sums).sum())
    p_value = float((np.abs(flipped) >= least).mean())
    mean = float(array.mean())
    return ClusteredEstimate(
        mean, nan, nan, p_value, array.size, "ok", None, method, n_clusters=groups
    )


def exact_where_few(
    estimate: ClusteredEstimate,
    values: ArrayLike,
    clusters: ArrayLike | Sequence[Any],
    *,
    alpha: float = 0.05,
) -> ClusteredEstimate:
    """Give a `cluster_mean` the p-value and interval of sign flips where clusters are few enough.

    The p-value is that of `cluster_sign_flip`, the interval holds the means that the same test does
    not reject at `alpha`: with the means m of all 2^G - 1 non-empty sets of clusters in ascending
    order and K the least whole number that is not below alpha / 2 * 2^G - 1, it goes from the K-th
    smallest m to the K-th largest. Where K is 0, which is with G < 6 for 95 %, no mean can be
    rejected, and low and high are NaN. `se` and `df` stay those of `cluster_mean`.

    `estimate` is the mean of the same `values` and `clusters`, both of shape (n,). One that is not
    estimable, or has more than `MAX_CLUSTERS` clusters, stays as it is. Raises as
    `cluster_sign_flip` does. Source: Canay, Romano and Shaikh (2017); Hartigan (1969).
    """
    if estimate.status != "ok" or estimate.n_clusters > MAX_CLUSTERS:
        return estimate
    exact = cluster_sign_flip(values, clusters)
    array = sample(values, "values")
    means = _subset_means(array, cluster_codes(clusters, array.size, "clusters"))
    low, high = sign_flip_interval(means, alpha / 2)
    changed = replace(
        estimate,
        low=low,
        high=high,
        p_value=exact.p_value,
        method=f"{estimate.method}; p and interval: {exact.method}",
    )
    return SignFlipEstimate(**vars(changed), subset_means=means)


def sign_flip_interval(subset_means: NDArray[np.float64], level: float) -> tuple[float, float]:
    """Ends of the interval outside which each one-sided sign-flip test rejects at `level`.

    NaN where the test cannot reject. `subset_means` are those of `SignFlipEstimate`.
    """
    rejected = ceil(level * (subset_means.size + 1) - 1)
    if rejected < 1:
        return nan, nan
    return float(subset_means[rejected - 1]), float(subset_means[-rejected])


def sign_flip_equivalence(subset_means: NDArray[np.float64], bound: float) -> float:
    """P-value of two one-sided sign-flip tests of |true mean| >= `bound`, the larger of the two.

    The test that the mean is at least `bound` has p = (1 + number of m >= bound) / 2^G, with the
    means m of all non-empty sets of clusters, since flipping the signs of a set F raises the sum of
    the deviations from the bound exactly where the mean over F is not above it; the other likewise.
    """
    near = _TIE * float(np.abs(subset_means).max(initial=bound))
    above = int((subset_means >= bound - near).sum())
    below = int((subset_means <= -bound + near).sum())
    return (1 + max(above, below)) / (subset_means.size + 1)


def _subset_means(values: Values, codes: NDArray[np.intp]) -> NDArray[np.float64]:
    sums, sizes = np.zeros(1), np.zeros(1)
    for total, size in zip(np.bincount(codes, weights=values), np.bincount(codes), strict=True):
        sums = np.concatenate([sums, sums + total])
        sizes = np.concatenate([sizes, sizes + size])
    return np.sort(sums[1:] / sizes[1:])
