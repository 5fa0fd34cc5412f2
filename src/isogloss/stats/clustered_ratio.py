"""Ratios of the rates of several groups that are observed in the same clusters."""

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import Values, check_level
from isogloss.stats.results import ClusteredEstimate, Status

METHOD = "bootstrap over clusters, expanded percentile interval"

FEWEST_RESAMPLES = 100

_BLOCK = 1_000
"""Resamples that are drawn at a time, so that memory does not grow with their number."""


@dataclass(frozen=True)
class Bootstrap:
    """How often, and from which seed, clusters are drawn with replacement."""

    resamples: int = 5_000
    seed: int = 0


DEFAULT = Bootstrap()


def clustered_ratio(
    sums: ArrayLike,
    counts: ArrayLike,
    reference: int,
    *,
    bootstrap: Bootstrap = DEFAULT,
    alpha: float = 0.05,
) -> tuple[ClusteredEstimate, ...]:
    """Ratio of each group's rate to that of the group `reference`, with a bootstrap interval.

    `sums` and `counts` have shape (clusters, groups): in each cluster the sum of a group's values
    (selections, or their probabilities) and how many there are. A rate is sum / count over all
    clusters. Whole clusters are drawn with replacement, the same for all groups, so that the
    interval allows for any dependence within a cluster. Its quantiles are moved outwards to match
    the t distribution (Hesterberg 2014), because percentiles are too narrow for few clusters; with
    fewer than about 20 it can still be. The reference is taken as given in each resample.

    A resample without a rate of the reference counts as a ratio of 0 for the low end and as an
    infinite one for the high end. Undefined: a group without values, or with none to compare it
    with; a reference of rate 0; fewer than 2 clusters with values; resamples that do not vary; an
    infinite end.

    Raises `StatisticsError` on arrays that do not fit, negative or missing numbers, a reference
    that does not exist, fewer than 100 resamples, and an alpha outside (0, 1).
    """
    numerators, denominators = _tables(sums, counts)
    _check(numerators, reference, bootstrap, alpha)
    used = denominators.sum(axis=1) > 0
    numerators, denominators = numerators[used], denominators[used]
    ratios = _resampled(numerators, denominators, reference, bootstrap)
    level = _expanded(alpha, len(numerators))
    return tuple(
        _estimate(numerators, denominators, group, reference, ratios[:, group], level)
        for group in range(numerators.shape[1])
    )


def _resampled(
    numerators: Values, denominators: Values, reference: int, bootstrap: Bootstrap
) -> Values:
    """Ratios in each resample, shape (resamples, groups); NaN where one is undefined."""
    rng, clusters = np.random.default_rng(bootstrap.seed), len(numerators)
    if clusters < 2:
        return np.full((1, numerators.shape[1]), nan)
    blocks = []
    for start in range(0, bootstrap.resamples, _BLOCK):
        draws = min(_BLOCK, bootstrap.resamples - start)
        times = rng.multinomial(clusters, np.full(clusters, 1 / clusters), size=draws)
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = (times @ numerators) / (times @ denominators)
            ratios = rates / rates[:, [reference]]
        blocks.append(np.where(np.isfinite(ratios), ratios, nan))
    return np.concatenate(blocks)


def _estimate(
    numerators: Values,
    denominators: Values,
    group: int,
    reference: int,
    ratios: Values,
    level: float,
) -> ClusteredEstimate:
    total, clusters = int(denominators[:, group].sum()), int((denominators[:, group] > 0).sum())
    sums, counts = numerators.sum(axis=0), denominators.sum(axis=0)
    reason = _undefined(sums, counts, group, reference)
    if reason is None:
        ratio = float(sums[group] * counts[reference] / (sums[reference] * counts[group]))
        if group == reference:
            return _result(1.0, (nan, nan), total, clusters)
        reason = _no_interval(ratios, min(clusters, len(numerators)))
        if reason is None:
            low, high = _ends(ratios, level)
            if np.isfinite(high):
                return _result(ratio, (low, high), total, clusters)
            undefined = int(np.isnan(ratios).sum())
            reason = (
                f"a rate to divide by is missing or 0 in {undefined} of {len(ratios)} resamples"
            )
        return _result(ratio, (nan, nan), total, clusters, reason)
    return _result(nan, (nan, nan), total, clusters, reason)


def _undefined(sums: Values, counts: Values, group: int, reference: int) -> str | None:
    if not counts[group] or not counts[reference]:
        return "no values in the group" if not counts[group] else "no values in the reference"
    if np.count_nonzero(counts) < 2:
        return "one group has values; nothing to compare"
    return None if sums[reference] else "the rate of the reference is 0"


def _no_interval(ratios: Values, clusters: int) -> str | None:
    if clusters < 2:
        return f"{clusters} clusters with values; 2 are needed"
    defined = ratios[~np.isnan(ratios)]
    if defined.size and np.ptp(defined) <= 1e-12 * defined.max():
        return "every resample of the clusters has the same ratio"
    return None


def _ends(ratios: Values, level: float) -> tuple[float, float]:
    undefined, last = np.isnan(ratios), len(ratios) - 1
    place = int(np.floor(level / 2 * len(ratios)))
    low = np.sort(np.where(undefined, 0.0, ratios))[place]
    high = np.sort(np.where(undefined, np.inf, ratios))[last - place]
    return float(low), float(high)


def _expanded(alpha: float, clusters: int) -> float:
    """Level at which percentiles of a mean's bootstrap are as wide as the t interval at `alpha`."""
    if clusters < 2:
        return alpha
    quantile = stats.t.isf(alpha / 2, clusters - 1) * np.sqrt(clusters / (clusters - 1))
    return 2 * float(stats.norm.sf(quantile))


def _result(
    ratio: float, ends: tuple[float, float], n: int, clusters: int, reason: str | None = None
) -> ClusteredEstimate:
    status: Status = "ok" if reason is None else "not_estimable"
    return ClusteredEstimate(ratio, *ends, nan, n, status, reason, METHOD, n_clusters=clusters)


def _tables(sums: ArrayLike, counts: ArrayLike) -> tuple[Values, Values]:
    numerators, denominators = np.asarray(sums, dtype=float), np.asarray(counts, dtype=float)
    if numerators.ndim != 2 or numerators.shape != denominators.shape:
        raise StatisticsError(
            f"sums has shape {numerators.shape} and counts {denominators.shape}; "
            "pass one row for each cluster and one column for each group"
        )
    for table, name in ((numerators, "sums"), (denominators, "counts")):
        if not _is_usable(table):
            raise StatisticsError(f"{name}: a number is negative or not finite; pass 0 or more")
    return numerators, denominators


def _is_usable(table: NDArray[np.float64]) -> bool:
    return bool((np.isfinite(table) & (table >= 0)).all())


def _check(table: Values, reference: int, bootstrap: Bootstrap, alpha: float) -> None:
    check_level(alpha)
    if not 0 <= reference < table.shape[1]:
        raise StatisticsError(f"reference is {reference}; there are {table.shape[1]} groups")
    if bootstrap.resamples < FEWEST_RESAMPLES:
        raise StatisticsError(
            f"resamples is {bootstrap.resamples}; draw {FEWEST_RESAMPLES} at least"
        )
