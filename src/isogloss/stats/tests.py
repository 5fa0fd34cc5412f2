"""Tests of differences and of equivalence, and their adjustment for multiplicity."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import comb, isnan, nan, sqrt
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import (
    Values,
    check_level,
    cluster_codes,
    numbers,
    pair,
    sample,
    without_rounding,
)
from isogloss.stats.effects import rank_biserial
from isogloss.stats.permutation import (
    exact_where_few,
    sign_flip_equivalence,
    sign_flip_interval,
)
from isogloss.stats.results import (
    ClusteredEstimate,
    Equivalence,
    Estimate,
    SignFlipEstimate,
    Verdict,
    not_estimable,
)

Adjustment = Literal["holm", "bonferroni", "fdr_bh"]

MAX_EXACT_PAIRS = 2_500
"""Largest n1 n2 for which the null distribution of U without ties is counted."""

MAX_EXACT_SPLITS = 20_000
"""Largest number of splits of tied ranks that are all visited."""


def paired_t(a: ArrayLike, b: ArrayLike, *, alpha: float = 0.05) -> Estimate:
    """Paired t-test of mean(a - b) = 0, with standard error sd(a - b) / sqrt(n) and ddof 1.

    `a` and `b` have shape (n,), aligned by pair; the estimate is in their units. Fewer than two
    pairs or equal differences leave interval and p-value undefined.

    Raises `StatisticsError` on unequal lengths, on a value that is not finite (the caller decides
    what to do about missing pairs), and on an alpha outside (0, 1).
    """
    first, second = pair(a, b)
    check_level(alpha)
    method, n = "paired t-test", first.size
    differences = first - second
    if n < 2:
        mean = float(differences[0]) if n else nan
        return not_estimable(f"{n} pairs; 2 are needed", n=n, method=method, estimate=mean)
    se = without_rounding(float(differences.std(ddof=1)) / sqrt(n), first, second)
    return _student(
        float(differences.mean()), se, n - 1, n, "all differences are equal", method, alpha
    )


def welch_t(x: ArrayLike, y: ArrayLike, *, alpha: float = 0.05) -> Estimate:
    """Unpaired t-test of mean(x) - mean(y) = 0 with unequal variances (Welch 1947).

    It treats rows as independent, which paired guises are not: it is here only to repeat a
    paper's own test. `x` has shape (n1,), `y` (n2,); degrees of freedom by Satterthwaite.

    Raises `StatisticsError` on a value that is not finite and on an alpha outside (0, 1).
    """
    first, second = sample(x, "x"), sample(y, "y")
    check_level(alpha)
    method, n = "Welch t-test, unpaired", first.size + second.size
    if min(first.size, second.size) < 2:
        reason = f"samples of {first.size} and {second.size}; 2 are needed in each"
        return not_estimable(reason, n=n, method=method)
    difference = float(first.mean() - second.mean())
    parts = np.array([first.var(ddof=1) / first.size, second.var(ddof=1) / second.size])
    se = without_rounding(float(np.sqrt(parts.sum())), first, second)
    reason = "both samples are constant"
    if se == 0:
        return not_estimable(reason, n=n, method=method, estimate=difference)
    shares = parts / parts.sum()
    df = float(1 / (shares**2 / np.array([first.size - 1, second.size - 1])).sum())
    return _student(difference, se, df, n, reason, method, alpha)


def mann_whitney(x: ArrayLike, y: ArrayLike, *, alpha: float = 0.05) -> Estimate:
    """Two-sided Mann-Whitney U test of two independent samples; the estimate is rank-biserial r.

    The p-value is exact where that is affordable: by counting without ties, by visiting every
    split of the ranks with them (two-sided in |U - n1 n2 / 2|). Otherwise it is the normal
    approximation with tie and continuity correction. `method` says which. Estimate, sign
    convention and interval are those of `isogloss.stats.effects.rank_biserial`.

    Raises `StatisticsError` on a value that is not finite and on an alpha outside (0, 1).
    """
    effect = rank_biserial(x, y, alpha=alpha)
    if effect.status != "ok":
        return effect
    p_value, kind = _mann_whitney_p(sample(x, "x"), sample(y, "y"))
    return replace(effect, p_value=p_value, method=f"Mann-Whitney U, {kind}; {effect.method}")


def cluster_mean(
    values: ArrayLike, clusters: ArrayLike | Sequence[Any], *, alpha: float = 0.05
) -> ClusteredEstimate:
    """Mean of `values` with a standard error that is robust to clustering, tested against 0.

    With S_g the sum over cluster g of deviations from the mean,
    se^2 = G / (G - 1) * sum_g S_g^2 / n^2, and t has G - 1 degrees of freedom. With one value per
    cluster this is the one-sample t-test. `values` and `clusters` have shape (n,). One cluster, or
    clusters that do not differ, leave interval and p-value undefined.

    Raises `StatisticsError` on unequal lengths, a value that is not finite, a missing label, and
    an alpha outside (0, 1). Source: Liang and Zeger (1986); the correction is that of CR1 for an
    intercept alone, without its factor (n - 1) / (n - k), which is 1 there.
    """
    array = sample(values, "values")
    codes = cluster_codes(clusters, array.size, "clusters")
    check_level(alpha)
    n, groups = array.size, int(codes.max(initial=-1)) + 1
    method = "mean, standard error robust to clustering (G / (G - 1)), t on G - 1 df"
    mean = float(array.mean()) if n else nan
    if groups < 2:
        reason = f"{groups} clusters; 2 are needed"
        result = not_estimable(reason, n=n, method=method, estimate=mean)
    else:
        sums = np.bincount(codes, weights=array - mean)
        se = without_rounding(sqrt(groups / (groups - 1) * float(sums @ sums)) / n, array)
        result = _student(mean, se, groups - 1, n, "the clusters do not differ", method, alpha)
    return ClusteredEstimate(**vars(result), n_clusters=groups)


def repeated_mean(
    values: ArrayLike, clusters: ArrayLike | Sequence[Any], *, alpha: float = 0.05
) -> ClusteredEstimate:
    """`cluster_mean`, with `exact_where_few` where a cluster gives more than one value.

    With one value a cluster `cluster_mean` is the t-test, which needs no other. With several it
    rejects too often when clusters are few and of unequal size. Arguments, and what is raised, are
    those of `cluster_mean`.
    """
    mean = cluster_mean(values, clusters, alpha=alpha)
    if mean.n == mean.n_clusters:
        return mean
    return exact_where_few(mean, values, clusters, alpha=alpha)


def equivalence_paired(
    a: ArrayLike, b: ArrayLike, bound: float, *, alpha: float = 0.05
) -> Equivalence:
    """Two one-sided paired t-tests of |mean(a - b)| >= bound (Schuirmann 1987).

    `a` and `b` have shape (n,), aligned by pair; `bound` is positive, in their units. Undefined
    where `paired_t` is.

    Raises `StatisticsError` as `paired_t` does, on a bound that is not positive, and on an alpha
    outside (0, 0.5).
    """
    check_level(alpha, upper=0.5)
    return equivalence_from(paired_t(a, b), bound, alpha=alpha)


def equivalence_from(estimate: Estimate, bound: float, *, alpha: float = 0.05) -> Equivalence:
    """Two one-sided t-tests of |true value| >= bound from an estimate, its `se` and its `df`.

    The larger of the two p-values is P(T > (bound - |estimate|) / se); the interval is
    estimate -+ t(1 - alpha) se, inside the bounds exactly when that p-value is below alpha. Of a
    `SignFlipEstimate` both tests are exact ones; see `sign_flip_equivalence`.

    Raises `StatisticsError` on a bound that is not positive and an alpha outside (0, 0.5).
    """
    check_level(alpha, upper=0.5)
    if not 0 < bound < np.inf:
        raise StatisticsError(f"bound is {bound}; it must be positive and finite")
    if isinstance(estimate, SignFlipEstimate):
        return _sign_flip_equivalence(estimate, bound, alpha)
    method = f"two one-sided t-tests; {estimate.method}"
    if estimate.status != "ok" or isnan(estimate.se) or isnan(estimate.df):
        reason = estimate.reason or "the estimate has no standard error or degrees of freedom"
        return Equivalence(
            nan, nan, nan, bound, estimate.n, "not_estimable", reason, method, equivalent=False
        )
    p_value = float(stats.t.sf((bound - abs(estimate.estimate)) / estimate.se, estimate.df))
    margin = float(stats.t.isf(alpha, estimate.df)) * estimate.se
    low, high = estimate.estimate - margin, estimate.estimate + margin
    return Equivalence(
        p_value, low, high, bound, estimate.n, "ok", None, method, equivalent=p_value < alpha
    )


def _sign_flip_equivalence(estimate: SignFlipEstimate, bound: float, alpha: float) -> Equivalence:
    p_value = sign_flip_equivalence(estimate.subset_means, bound)
    low, high = sign_flip_interval(estimate.subset_means, alpha)
    return Equivalence(
        p_value,
        low,
        high,
        bound,
        estimate.n,
        "ok",
        None,
        f"two one-sided sign-flip tests; {estimate.method}",
        equivalent=p_value < alpha,
    )


def verdict(difference: Estimate, equivalence: Equivalence, *, alpha: float = 0.05) -> Verdict:
    """Say what a difference test and an equivalence test at level alpha mean together.

    Both p-values below alpha: `different_but_negligible`; only the difference's: `different`; only
    the equivalence's: `equivalent`; neither: `inconclusive`; one undefined: `not_estimable`. For a
    verdict under multiplicity, put the adjusted p-value in with `dataclasses.replace`.

    Raises `StatisticsError` on an alpha outside (0, 0.5).
    """
    check_level(alpha, upper=0.5)
    undefined = "not_estimable" in (difference.status, equivalence.status)
    if undefined or isnan(difference.p_value) or isnan(equivalence.p_value):
        return "not_estimable"
    if difference.p_value < alpha:
        return "different_but_negligible" if equivalence.p_value < alpha else "different"
    return "equivalent" if equivalence.p_value < alpha else "inconclusive"


def adjust(
    p_values: ArrayLike, method: Adjustment, family_size: int | None = None
) -> NDArray[np.float64]:
    """Adjust p-values of shape (m,) for a family of `family_size` planned tests.

    NaN stays NaN. A NaN, and each planned test beyond m, counts in the family as a p-value of 1,
    so that a test that failed does not make the others easier to pass. `family_size` defaults to
    m, NaN included. Methods: `holm`, `bonferroni`, `fdr_bh` (Benjamini and Hochberg 1995).

    Raises `StatisticsError` on an unknown method, a p-value outside [0, 1], and a family smaller
    than m.
    """
    array = numbers(p_values, "p_values")
    size = array.size if family_size is None else family_size
    _check_family(array, method, size)
    if not array.size:
        return array
    planned = np.ones(size)
    planned[: array.size] = np.where(np.isnan(array), 1.0, array)
    adjusted = _ADJUSTED[method](planned)[: array.size]
    adjusted[np.isnan(array)] = nan
    return adjusted


def _holm(p_values: Values) -> Values:
    """Holm (1979): the largest of (m - k + 1) p_(k) up to each place k of the ascending order."""
    order = np.argsort(p_values, kind="stable")
    steps = p_values[order] * np.arange(p_values.size, 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def _bonferroni(p_values: Values) -> Values:
    return np.minimum(p_values * p_values.size, 1.0)


def _benjamini_hochberg(p_values: Values) -> Values:
    return np.asarray(stats.false_discovery_control(p_values, method="bh"))


# By hand, as statsmodels' Holm collects garbage at each call: seconds for hundreds of families.
_ADJUSTED: dict[str, Callable[[Values], Values]] = {
    "holm": _holm,
    "bonferroni": _bonferroni,
    "fdr_bh": _benjamini_hochberg,
}


def _check_family(p_values: Values, method: str, size: int) -> None:
    if method not in get_args(Adjustment):
        raise StatisticsError(f"method is {method!r}; use one of {', '.join(get_args(Adjustment))}")
    outside = np.flatnonzero((p_values < 0) | (p_values > 1))
    if outside.size:
        first = int(outside[0])
        raise StatisticsError(f"p_values: value {first} is {p_values[first]}; pass 0 <= p <= 1")
    if size < p_values.size:
        raise StatisticsError(
            f"family_size is {size}, {p_values.size} p-values were given; count every planned test"
        )


def _student(
    estimate: float, se: float, df: float, n: int, constant: str, method: str, alpha: float
) -> Estimate:
    if se == 0:
        return not_estimable(constant, n=n, method=method, estimate=estimate)
    margin = float(stats.t.isf(alpha / 2, df)) * se
    p_value = 2 * float(stats.t.sf(abs(estimate) / se, df))
    return Estimate(
        estimate,
        estimate - margin,
        estimate + margin,
        p_value,
        n,
        "ok",
        None,
        method,
        se,
        float(df),
    )


def _mann_whitney_p(x: Values, y: Values) -> tuple[float, str]:
    pooled = np.concatenate([x, y])
    if np.unique(pooled).size == pooled.size and x.size * y.size <= MAX_EXACT_PAIRS:
        return float(stats.mannwhitneyu(x, y, method="exact").pvalue), "exact"
    if comb(pooled.size, x.size) <= MAX_EXACT_SPLITS:
        return _split_p(stats.rankdata(pooled), x.size), "exact by permutation"
    if np.ptp(pooled) == 0:
        return 1.0, "exact, all values equal"
    kind = "normal approximation with tie and continuity correction"
    return float(stats.mannwhitneyu(x, y, method="asymptotic").pvalue), kind


def _single_p(ranks: Values, single: int) -> float:
    """Share of the places for a sample of one that are as far from the middle as its own.

    scipy's permutation test takes samples of two or more.
    """
    distances = np.abs(ranks - ranks.mean())
    return float((distances >= distances[single]).mean())


def _split_p(ranks: Values, first: int) -> float:
    if min(first, ranks.size - first) == 1:
        return _single_p(ranks, 0 if first == 1 else ranks.size - 1)
    centre = first * (ranks.size + 1) / 2

    def distance(x: Values, y: Values, axis: int) -> Values:  # noqa: ARG001
        return np.asarray(np.abs(x.sum(axis=axis) - centre))

    test = stats.permutation_test(
        (ranks[:first], ranks[first:]),
        distance,
        n_resamples=MAX_EXACT_SPLITS,
        alternative="greater",
        vectorized=True,
    )
    return float(test.pvalue)
