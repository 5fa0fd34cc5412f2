"""How much of a gap between guises a mitigation takes away."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import Values, cluster_codes, pair
from isogloss.stats.results import ClusteredEstimate, not_estimable
from isogloss.stats.tests import repeated_mean

GAPS = ("baseline", "mitigated")


def gap_change(
    baseline: ArrayLike,
    mitigated: ArrayLike,
    clusters: ArrayLike | Sequence[Any],
    *,
    alpha: float = 0.05,
) -> ClusteredEstimate:
    """Change of the mean gap, mean(mitigated - baseline), by `repeated_mean`.

    `baseline` and `mitigated` have shape (n,): the gaps (a difference of two guises) of the same
    pairs without and with the mitigation, in the units of the ratings. Where the gap is negative,
    as a penalty is, a positive change makes it smaller.

    Raises `StatisticsError` as `cluster_mean` does, and on unequal lengths.
    """
    first, second = pair(baseline, mitigated, GAPS)
    change = repeated_mean(second - first, clusters, alpha=alpha)
    return replace(change, method=f"change of the gap; {change.method}")


def gap_reduction(
    baseline: ArrayLike,
    mitigated: ArrayLike,
    clusters: ArrayLike | Sequence[Any],
    *,
    draws: int = 2000,
    seed: int,
    alpha: float = 0.05,
) -> ClusteredEstimate:
    """Reduction of the mean gap in percent, 100 * (1 - mean(mitigated) / mean(baseline)).

    Above 100 the gap has changed its sign, below 0 it has grown. The interval is a percentile
    bootstrap of whole clusters with `draws` draws of numpy's default generator from `seed`; `se`
    is the standard deviation of the draws. No reduction means no change, so the p-value is that of
    `gap_change`, which can disagree with the interval near alpha. Arguments are those of
    `gap_change`. With 10 clusters an interval of 95 % covers in about 90 % of samples, with 20 in
    93 %, with 100 in 95 %.

    A ratio needs a denominator: where the interval of the baseline gap covers 0 or is undefined,
    or a draw has a baseline gap of 0, the reduction is not estimable; `gap_change` still is. Nor is
    it where the change is the same in every cluster.

    Raises `StatisticsError` as `gap_change` does, and unless `draws` is at least 2.
    """
    first, second = pair(baseline, mitigated, GAPS)
    if draws < 2:
        raise StatisticsError(f"draws is {draws}; it must be at least 2")
    change = gap_change(first, second, clusters, alpha=alpha)
    gap = repeated_mean(first, clusters, alpha=alpha)
    method = (
        f"gap reduction in percent, percentile bootstrap of clusters, {draws} draws, seed {seed}"
    )
    undefined = ClusteredEstimate(
        **vars(not_estimable("", n=gap.n, method=method)), n_clusters=gap.n_clusters
    )
    if gap.status != "ok":
        return replace(undefined, reason=f"baseline gap: {gap.reason}")
    if not (gap.low > 0 or gap.high < 0):
        return replace(undefined, reason="baseline gap not different from 0")
    reduction = 100 * (1 - float(second.mean()) / float(first.mean()))
    if change.status != "ok":
        return replace(undefined, estimate=reduction, reason=f"change of the gap: {change.reason}")
    codes = cluster_codes(clusters, first.size, "clusters")
    drawn = _draw_reductions(_sums(first, codes), _sums(second, codes), draws, seed)
    empty = int((~np.isfinite(drawn)).sum())
    if empty:
        reason = f"baseline gap is 0 in {empty} of {draws} draws"
        return replace(undefined, estimate=reduction, reason=reason)
    low, high = (float(end) for end in np.quantile(drawn, [alpha / 2, 1 - alpha / 2]))
    se = float(drawn.std(ddof=1))
    return ClusteredEstimate(
        reduction,
        low,
        high,
        change.p_value,
        change.n,
        "ok",
        None,
        method,
        se=se,
        n_clusters=change.n_clusters,
    )


def _sums(gaps: Values, codes: NDArray[np.intp]) -> Values:
    return np.bincount(codes, weights=gaps).astype(np.float64)


def _draw_reductions(baseline: Values, mitigated: Values, draws: int, seed: int) -> Values:
    generator = np.random.default_rng(seed)
    chosen = generator.integers(baseline.size, size=(draws, baseline.size))
    with np.errstate(divide="ignore", invalid="ignore"):
        drawn: Values = 100 * (1 - mitigated[chosen].sum(axis=1) / baseline[chosen].sum(axis=1))
    return drawn
