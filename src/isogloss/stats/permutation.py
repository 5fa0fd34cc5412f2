"""Exact tests that flip signs."""

from collections.abc import Sequence
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import cluster_codes, sample
from isogloss.stats.results import ClusteredEstimate, not_estimable

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
    estimate: ClusteredEstimate, values: ArrayLike, clusters: ArrayLike | Sequence[Any]
) -> ClusteredEstimate:
    """Give a `cluster_mean` the p-value of `cluster_sign_flip` where clusters are few enough.

    `estimate` is the mean of the same `values` and `clusters`, both of shape (n,). One that is not
    estimable, or has more than `MAX_CLUSTERS` clusters, stays as it is. Raises as
    `cluster_sign_flip` does.
    """
    if estimate.status != "ok" or estimate.n_clusters > MAX_CLUSTERS:
        return estimate
    exact = cluster_sign_flip(values, clusters)
    return replace(estimate, p_value=exact.p_value, method=f"{estimate.method}; p: {exact.method}")
