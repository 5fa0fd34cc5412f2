"""Effect sizes, each with its standardiser, sign convention and interval."""

from math import nan, sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats
from scipy.optimize import brentq

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import Values, check_level, pair, sample, without_rounding
from isogloss.stats.results import Estimate, not_estimable
from isogloss.stats.selection import impact_ratio as impact_ratio

Standardiser = Literal["d_z", "d_av"]

FAR = 200.0
"""Value of t beyond which scipy's inverse of the noncentral t is slow and loses digits.

There the quantiles of t S + Z (S^2 chi-squared over df, Z normal) are taken by adding the squared
distances of the quantiles of both from their medians, which errs by less than 1e-4 of the width.
"""


def cohens_d_paired(
    a: ArrayLike, b: ArrayLike, *, standardiser: Standardiser = "d_z", alpha: float = 0.05
) -> Estimate:
    """Cohen's d of pairs: mean(a - b) over a standard deviation with ddof 1, not bias-corrected.

    `d_z` divides by sd(a - b); its interval inverts the noncentral t distribution (Steiger and
    Fouladi 1997). `d_av` divides by sqrt((sd(a)^2 + sd(b)^2) / 2); its interval is the normal one
    of Bonett (2008), for large n. Positive when `a` is larger. `a` and `b` have shape (n,). It
    carries no p-value: `isogloss.stats.tests.paired_t` tests the same hypothesis. A standardiser
    of 0 leaves it undefined.

    Raises `StatisticsError` on unequal lengths, a value that is not finite, an unknown
    standardiser, and an alpha outside (0, 1).
    """
    first, second = pair(a, b)
    check_level(alpha)
    if standardiser not in get_args(Standardiser):
        choices = ", ".join(get_args(Standardiser))
        raise StatisticsError(f"standardiser is {standardiser!r}; use one of {choices}")
    method = f"Cohen's {standardiser}"
    if first.size < 2:
        return not_estimable(f"{first.size} pairs; 2 are needed", n=first.size, method=method)
    if standardiser == "d_z":
        return _d_z(first, second, alpha, f"{method}, noncentral t interval")
    return _d_av(first, second, alpha, f"{method}, normal interval")


def rank_biserial(x: ArrayLike, y: ArrayLike, *, alpha: float = 0.05) -> Estimate:
    """Rank-biserial correlation r = 1 - 2 U / (n1 n2) of two independent samples.

    U counts the pairs with x > y, and half of the ties, as scipy's `mannwhitneyu(x, y)` does. So
    r = P(x < y) - P(x > y): **positive when `y` tends to be larger**; swapping flips its sign.
    The interval inverts the score test with the Hanley-McNeil variance, method 5 of Newcombe
    (2006); ties make it wide. It carries no p-value: `isogloss.stats.tests.mann_whitney` has one.
    `x` has shape (n1,), `y` (n2,). An empty sample leaves it undefined.

    Raises `StatisticsError` on a value that is not finite and on an alpha outside (0, 1).
    """
    first, second = sample(x, "x"), sample(y, "y")
    check_level(alpha)
    method, n = "rank-biserial r = 1 - 2 U / (n1 n2), score interval", first.size + second.size
    if not first.size or not second.size:
        reason = f"samples of {first.size} and {second.size}; 1 is needed in each"
        return not_estimable(reason, n=n, method=method)
    pairs = first.size * second.size
    u = _u_statistic(first, second)
    low = 2 * _superiority_low((pairs - u) / pairs, first.size, second.size, alpha) - 1
    high = 1 - 2 * _superiority_low(u / pairs, first.size, second.size, alpha)
    return Estimate((pairs - 2 * u) / pairs, low, high, nan, n, "ok", None, method)


def _d_z(a: Values, b: Values, alpha: float, method: str) -> Estimate:
    differences, n = a - b, a.size
    sd = without_rounding(float(differences.std(ddof=1)), a, b)
    if sd == 0:
        return not_estimable("all differences are equal", n=n, method=method)
    d = float(differences.mean()) / sd
    low, high = (nc / sqrt(n) for nc in _noncentrality_interval(d * sqrt(n), n - 1, alpha))
    return Estimate(d, low, high, nan, n, "ok", None, method, df=float(n - 1))


def _d_av(a: Values, b: Values, alpha: float, method: str) -> Estimate:
    n, df = a.size, a.size - 1
    covariance = np.cov(a, b, ddof=1)
    v_a, v_b, v_ab = covariance[0, 0], covariance[1, 1], covariance[0, 1]
    variance = without_rounding(sqrt((v_a + v_b) / 2), a, b) ** 2
    if variance == 0:
        return not_estimable("both samples are constant", n=n, method=method)
    d = float((a - b).mean()) / sqrt(variance)
    of_standardiser = d**2 * (v_a**2 + v_b**2 + 2 * v_ab**2) / (8 * df * variance**2)
    of_mean = (a - b).var(ddof=1) / (df * variance)
    se = sqrt(of_standardiser + of_mean)
    margin = float(stats.norm.isf(alpha / 2)) * se
    return Estimate(d, d - margin, d + margin, nan, n, "ok", None, method, se)


def _noncentrality_interval(t: float, df: int, alpha: float) -> tuple[float, float]:
    if t < 0:
        low, high = _noncentrality_interval(-t, df, alpha)
        return -high, -low
    tails = np.array([alpha / 2, 1 - alpha / 2])
    if t <= FAR:
        low, high = special.nctdtrinc(df, 1 - tails, t)
    else:
        centre = t * sqrt(stats.chi2.ppf(0.5, df) / df)
        of_sd = t * np.sqrt(stats.chi2.ppf(tails, df) / df) - centre
        low, high = centre + np.hypot(of_sd, stats.norm.ppf(tails)) * [-1, 1]
    return float(low), float(high)


def _u_statistic(x: Values, y: Values) -> float:
    ordered = np.sort(y)
    below = np.searchsorted(ordered, x, side="left")
    return float(below.sum() + np.searchsorted(ordered, x, side="right").sum()) / 2


def _superiority_low(theta: float, n1: int, n2: int, alpha: float) -> float:
    if theta == 0:
        return 0.0
    z2, size = float(stats.norm.isf(alpha / 2)) ** 2, (n1 + n2) / 2

    def excess(t: float) -> float:
        # Both sides of the score equation divided by 1 - t, of which theta = 1 has a factor more.
        distance = (theta - t) ** 2 / (1 - t) if theta < 1 else 1 - t
        spread = 1 + (size - 1) * ((1 - t) / (2 - t) + t / (1 + t))
        return distance - z2 * t * spread / (n1 * n2)

    return float(brentq(excess, 0.0, theta))
