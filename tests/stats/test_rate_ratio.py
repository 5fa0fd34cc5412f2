from math import isnan, sqrt

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize_scalar
from statsmodels.stats.proportion import confint_proportions_2indep

from isogloss.errors import StatisticsError
from isogloss.stats.rate_ratio import rate_ratio
from isogloss.stats.results import Estimate

PRINTED = 6e-5
"""Printed references have four decimals."""
SAME_EQUATION = 1e-6
"""The same equation solved in closed form, whose cubic loses digits."""
HAND = 1e-9
"""Closed forms of special cases."""
Z2 = stats.norm.isf(0.025) ** 2


def ends(result: Estimate) -> tuple[float, float]:
    return result.low, result.high


@pytest.mark.parametrize(
    ("table", "printed"),
    [
        # Perondi et al. (2004) as in Fagerland, Lydersen and Laake, chapter 4.
        ((7, 34, 1, 34), (7.0, 1.2209, 42.5757)),
        # The example of Koopman (1984), to the digits of its R implementations.
        ((36, 40, 16, 80), (4.5, 2.9396, 7.1522)),
    ],
)
def test_against_printed_examples(
    table: tuple[int, int, int, int], printed: tuple[float, float, float]
) -> None:
    result = rate_ratio(*table)
    assert (result.estimate, *ends(result)) == pytest.approx(printed, abs=PRINTED)
    assert (result.n, result.status) == (table[1] + table[3], "ok")


def test_all_against_all_by_hand() -> None:
    # Below 1 the likeliest rates are r and 1: (1 - r)^2 = z^2 r (1 - r) / n, so r = n / (n + z^2).
    assert rate_ratio(10, 10, 10, 10).low == pytest.approx(10 / (10 + Z2), abs=HAND)
    assert rate_ratio(10, 10, 10, 10).high == pytest.approx(1 + Z2 / 10, abs=HAND)


def test_none_has_an_upper_end_only() -> None:
    result = rate_ratio(0, 16, 15, 72)
    assert (result.estimate, result.low) == (0.0, 0.0)
    assert 0 < result.high < 1


@pytest.mark.parametrize("table", [(5, 20, 12, 25), (3, 9, 4, 30), (1, 50, 40, 50), (0, 10, 5, 10)])
def test_inside_the_range_statsmodels_solves_the_same_equation(
    table: tuple[int, int, int, int],
) -> None:
    reference = confint_proportions_2indep(
        *table, compare="ratio", method="score", correction=False
    )
    assert ends(rate_ratio(*table)) == pytest.approx(reference, abs=SAME_EQUATION)


@pytest.mark.parametrize("table", [(5, 10, 10, 10), (1, 30, 30, 30), (10, 10, 3, 10), (8, 9, 6, 7)])
def test_ends_are_where_the_restricted_likelihood_puts_the_statistic_at_z(
    table: tuple[int, int, int, int],
) -> None:
    # The definition, by maximising the likelihood under the ratio with a general optimiser.
    x1, n1, x2, n2 = table
    for ratio in ends(rate_ratio(*table)):

        def deviance(p2: float, ratio: float = ratio) -> float:
            both = [(x1, n1, ratio * p2), (x2, n2, p2)]
            return -sum(stats.binom.logpmf(x, n, min(p, 1.0)) for x, n, p in both)

        top = min(1.0, 1 / ratio)
        p2 = minimize_scalar(
            deviance, bounds=(0, top), method="bounded", options={"xatol": 1e-12}
        ).x
        p1 = ratio * p2
        variance = p1 * (1 - p1) / n1 + ratio**2 * p2 * (1 - p2) / n2
        z = (x1 / n1 - ratio * x2 / n2) / sqrt(variance)
        assert abs(z) == pytest.approx(sqrt(Z2), rel=1e-3)


def test_swapping_inverts_the_interval() -> None:
    one, other = rate_ratio(5, 21, 12, 25), rate_ratio(12, 25, 5, 21)
    assert ends(other) == pytest.approx((1 / one.high, 1 / one.low), rel=HAND)


def test_large_counts_keep_their_digits() -> None:
    result = rate_ratio(10**9, 10**9, 10**9, 10**9)
    assert result.high - 1 == pytest.approx(Z2 / 1e9, rel=1e-4)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ((0, 0, 3, 5), "groups of 0 and 5"),
        ((3, 5, 0, 5), "0 of 5 in the second group; a ratio to 0 is undefined"),
    ],
)
def test_undefined(table: tuple[int, int, int, int], reason: str) -> None:
    result = rate_ratio(*table)
    assert (result.status, result.reason) == ("not_estimable", reason)
    assert isnan(result.estimate)


def test_errors() -> None:
    with pytest.raises(StatisticsError, match="x1 is 6 and n1 is 5"):
        rate_ratio(6, 5, 1, 2)
    with pytest.raises(StatisticsError, match=r"x2 is 1\.0; pass a whole number"):
        rate_ratio(1, 5, 1.0, 2)  # type: ignore[arg-type]
    with pytest.raises(StatisticsError, match="n1 is True; pass a whole number"):
        rate_ratio(1, True, 1, 2)
    with pytest.raises(StatisticsError, match="alpha is 0"):
        rate_ratio(1, 5, 1, 2, alpha=0)


@pytest.mark.slow
@pytest.mark.parametrize("n", [12, 40])
def test_exact_coverage(n: int) -> None:
    # Summed over all tables with a defined ratio: near the level everywhere, on average at it.
    every, shares = np.arange(n + 1), np.array([0.2, 0.5, 0.8, 0.95])
    intervals = {(i, j): ends(rate_ratio(i, n, j, n)) for i in every for j in every[1:]}
    coverages = []
    for p2 in shares:
        for ratio in (0.2, 0.5, 0.8, 1.0):
            mass = np.outer(stats.binom.pmf(every, n, ratio * p2), stats.binom.pmf(every, n, p2))
            covered = sum(mass[t] for t, (low, high) in intervals.items() if low <= ratio <= high)
            coverages.append(covered / mass[:, 1:].sum())
    assert min(coverages) > 0.93
    assert np.mean(coverages) == pytest.approx(0.955, abs=0.015)
