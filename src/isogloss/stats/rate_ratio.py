"""Ratio of two rates, with the interval that inverts the score test."""

from math import exp, inf, log, nan, sqrt

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import check_level
from isogloss.stats.results import Estimate, not_estimable

METHOD = "ratio of independent rates, Koopman score interval"

Counts = tuple[int, int]
"""Selected and total of one group."""


def rate_ratio(x1: int, n1: int, x2: int, n2: int, *, alpha: float = 0.05) -> Estimate:
    """Ratio of two independent rates, (x1 / n1) / (x2 / n2), with Koopman's score interval.

    The interval holds each ratio r with |x1/n1 - r x2/n2| <= z sqrt(p1 q1 / n1 + r^2 p2 q2 / n2),
    where p1 = r p2 are the rates that are most likely when the ratio is r, and q = 1 - p. It is
    defined where rates are 0 or 1: with x1 = 0 it goes from 0 to an upper bound of confidence
    1 - alpha / 2. `n` is n1 + n2; there is no p-value. An empty group, or x2 = 0, leaves the
    ratio undefined. (statsmodels 0.15 has this interval in closed form and takes a wrong root of
    its cubic where a rate is 1: 5 of 10 against 10 of 10 gives 0.75 to 0.79.)

    Raises `StatisticsError` unless 0 <= x <= n in both, and on an alpha outside (0, 1).
    Source: Koopman (1984); recommended by Fagerland, Lydersen and Laake (2015).
    """
    first, second = counts(x1, n1, ("x1", "n1")), counts(x2, n2, ("x2", "n2"))
    check_level(alpha)
    n = first[1] + second[1]
    if not first[1] or not second[1]:
        return not_estimable(f"groups of {n1} and {n2}", n=n, method=METHOD)
    if not second[0]:
        reason = f"0 of {n2} in the second group; a ratio to 0 is undefined"
        return not_estimable(reason, n=n, method=METHOD)
    z = float(stats.norm.isf(alpha / 2))
    low, high = _lower_limit(first, second, z), 1 / _lower_limit(second, first, z)
    ratio = (first[0] * second[1]) / (second[0] * first[1])
    return Estimate(ratio, low, high, nan, n, "ok", None, METHOD)


def counts(selected: int, total: int, names: tuple[str, str]) -> Counts:
    """Return two counts as Python integers, which have no largest value.

    Raises `StatisticsError` unless both are whole numbers with 0 <= selected <= total.
    """
    for value, name in zip((selected, total), names, strict=True):
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise StatisticsError(f"{name} is {value!r}; pass a whole number")
    if not 0 <= selected <= total:
        raise StatisticsError(
            f"{names[0]} is {selected} and {names[1]} is {total}; "
            f"pass 0 <= {names[0]} <= {names[1]}"
        )
    return int(selected), int(total)


def _lower_limit(first: Counts, second: Counts, z: float) -> float:
    """Smallest ratio of `first` to `second` that the test allows; `second` may have rate 0."""
    if not first[0]:
        return 0.0
    # The statistic falls from infinity to 0 at the estimate, which is infinite for a rate of 0.
    upper = log(first[0] * second[1]) - log(second[0] * first[1]) if second[0] else inf
    start = upper if upper < inf else log(first[0] / first[1])
    below, above = start - 1.0, start
    while _score(exp(below), first, second) < z:
        below -= 1.0
    while upper == inf and _score(exp(above), first, second) > z:
        above += 1.0

    def excess(logarithm: float) -> float:
        return (0.0 if logarithm == upper else _score(exp(logarithm), first, second)) - z

    return exp(float(brentq(excess, below, above, xtol=1e-14)))


def _score(ratio: float, first: Counts, second: Counts) -> float:
    (x1, n1), (x2, n2) = first, second
    # The smaller root of N r p2^2 - (a + b) p2 + x1 + x2 = 0, in a form that loses no digits.
    a, b = ratio * (n1 + x2), float(x1 + n2)
    p2 = 2 * (x1 + x2) / (a + b + sqrt((a - b) ** 2 + 4 * ratio * (n1 - x1) * (n2 - x2)))
    p1, p2 = min(ratio * p2, 1.0), min(p2, 1.0)
    variance = p1 * (1 - p1) / n1 + ratio**2 * p2 * (1 - p2) / n2
    distance = x1 / n1 - ratio * x2 / n2
    return distance / sqrt(variance) if variance > 0 else inf if distance > 0 else 0.0
