"""Shares of yes-or-no and of ordered outcomes, and their differences."""

from math import nan, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import Values, check_level, indicators, pair, same_length
from isogloss.stats.results import Estimate, not_estimable

MAX_EXACT_SIGNS = 13
"""Most differences other than 0 for which all assignments of signs are visited."""


def share(successes: int, n: int, *, alpha: float = 0.05) -> Estimate:
    """Share successes / n with the Wilson score interval (Wilson 1927), and no p-value.

    Raises `StatisticsError` unless 0 <= successes <= n, and on an alpha outside (0, 1).
    """
    _check_count(successes, n, ("successes", "n"))
    check_level(alpha)
    method = "share, Wilson interval"
    if n == 0:
        return not_estimable("no observations", n=0, method=method)
    low, high = _wilson(successes, n, alpha)
    return Estimate(successes / n, low, high, nan, n, "ok", None, method)


def share_difference(x1: int, n1: int, x2: int, n2: int, *, alpha: float = 0.05) -> Estimate:
    """Difference of two independent shares, x1 / n1 - x2 / n2.

    The p-value is Fisher's exact two-sided one; the interval is the hybrid score interval,
    method 10 of Newcombe (1998, interval estimation for the difference between independent
    proportions). They are different methods and can disagree near alpha. `n` is n1 + n2.

    Raises `StatisticsError` unless 0 <= x <= n in both, and on an alpha outside (0, 1).
    """
    _check_count(x1, n1, ("x1", "n1"))
    _check_count(x2, n2, ("x2", "n2"))
    check_level(alpha)
    method, n = "difference of shares, Fisher exact test, Newcombe hybrid score interval", n1 + n2
    if n1 == 0 or n2 == 0:
        return not_estimable(f"groups of {n1} and {n2}", n=n, method=method)
    low, high = _square_and_add((x1, n1), (x2, n2), 0.0, alpha)
    p_value = float(stats.fisher_exact(np.array([[x1, n1 - x1], [x2, n2 - x2]])).pvalue)
    return Estimate(x1 / n1 - x2 / n2, low, high, min(p_value, 1.0), n, "ok", None, method)


def paired_share_difference(a: ArrayLike, b: ArrayLike, *, alpha: float = 0.05) -> Estimate:
    """Difference of the shares of True in `a` and `b`, which are aligned by pair.

    The p-value is the exact McNemar one (binomial on the discordant pairs; 1 when there is none).
    The interval is the square-and-add interval with a corrected correlation, method 10 of
    Newcombe (1998, improved confidence intervals for the difference between binomial proportions
    based on paired data). `a` and `b` have shape (n,) and hold booleans.

    Raises `StatisticsError` on unequal lengths, a value that is neither 0 nor 1, and an alpha
    outside (0, 1).
    """
    first, second = indicators(a, "a") == 1, indicators(b, "b") == 1
    same_length(first.size, second.size, ("a", "b"))
    check_level(alpha)
    method, n = "difference of paired shares, exact McNemar test, Newcombe interval", first.size
    if n == 0:
        return not_estimable("no pairs", n=0, method=method)
    both, neither = int((first & second).sum()), int((~first & ~second).sum())
    only_a, only_b = int((first & ~second).sum()), int((~first & second).sum())
    phi = _corrected_phi(both, only_a, only_b, neither)
    low, high = _square_and_add((both + only_a, n), (both + only_b, n), phi, alpha)
    discordant = only_a + only_b
    p_value = float(stats.binomtest(only_a, discordant).pvalue) if discordant else 1.0
    return Estimate((only_a - only_b) / n, low, high, p_value, n, "ok", None, method)


def wilcoxon_signed(a: ArrayLike, b: ArrayLike) -> Estimate:
    """Wilcoxon signed-rank test of ordered outcomes aligned by pair, coded as numbers.

    The estimate is the matched-pairs rank-biserial correlation
    (W+ - W-) / (W+ + W-), positive when `a` is larger, and has no interval. Pairs without a
    difference are ranked and then left out of the sums (Pratt 1959); `n` counts them. The p-value
    is exact over all signs up to 13 differences other than 0, and beyond that the normal
    approximation with tie correction. It is 1 when no pair differs.

    Raises `StatisticsError` on unequal lengths and on a value that is not finite.
    """
    first, second = pair(a, b)
    differences, n = first - second, first.size
    method = "Wilcoxon signed-rank, Pratt zeros"
    if n == 0:
        return not_estimable("no pairs", n=0, method=method)
    signed = np.sign(differences) * stats.rankdata(np.abs(differences))
    total = float(np.abs(signed).sum())
    if total == 0:
        return Estimate(0.0, nan, nan, 1.0, n, "ok", None, f"{method}, no pair differs")
    p_value, kind = _signed_rank_p(signed)
    return Estimate(
        float(signed.sum()) / total, nan, nan, p_value, n, "ok", None, f"{method}, {kind}"
    )


def _check_count(successes: int, n: int, names: tuple[str, str]) -> None:
    for value, name in zip((successes, n), names, strict=True):
        if not isinstance(value, int | np.integer):
            raise StatisticsError(f"{name} is {value!r}; pass a whole number")
    if not 0 <= successes <= n:
        raise StatisticsError(
            f"{names[0]} is {successes} and {names[1]} is {n}; pass 0 <= {names[0]} <= {names[1]}"
        )


def _wilson(successes: int, n: int, alpha: float) -> tuple[float, float]:
    interval = stats.binomtest(successes, n).proportion_ci(1 - alpha, method="wilson")
    return float(interval.low), float(interval.high)


def _square_and_add(
    first: tuple[int, int], second: tuple[int, int], phi: float, alpha: float
) -> tuple[float, float]:
    (p1, below1, above1), (p2, below2, above2) = (
        _share_and_margins(*counts, alpha) for counts in (first, second)
    )
    difference = p1 - p2
    low = difference - _combined(below1, above2, phi)
    high = difference + _combined(below2, above1, phi)
    return max(low, -1.0), min(high, 1.0)


def _share_and_margins(successes: int, n: int, alpha: float) -> tuple[float, float, float]:
    low, high = _wilson(successes, n, alpha)
    return successes / n, successes / n - low, high - successes / n


def _combined(below: float, above: float, phi: float) -> float:
    return sqrt(max(below**2 - 2 * phi * below * above + above**2, 0.0))


def _corrected_phi(both: int, only_a: int, only_b: int, neither: int) -> float:
    n = both + only_a + only_b + neither
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    if margins == 0:
        return 0.0
    excess = both * neither - only_a * only_b
    corrected = max(excess - n / 2, 0.0) if excess > 0 else float(excess)
    return corrected / sqrt(margins)


def _signed_rank_p(signed: Values) -> tuple[float, str]:
    ranks = signed[signed != 0]
    if ranks.size == 1:
        return 1.0, "exact over signs"
    if ranks.size <= MAX_EXACT_SIGNS:
        test = stats.permutation_test(
            (ranks,),
            lambda r, axis: np.abs(r.sum(axis=axis)),
            permutation_type="samples",
            n_resamples=2**MAX_EXACT_SIGNS,
            alternative="greater",
            vectorized=True,
        )
        return float(test.pvalue), "exact over signs"
    normal = stats.wilcoxon(signed, zero_method="pratt", method="approx", correction=True)
    return float(normal.pvalue), "normal approximation with tie and continuity correction"
