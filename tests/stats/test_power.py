from math import inf, isnan, nan, sqrt

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from isogloss.errors import StatisticsError
from isogloss.stats.power import minimum_detectable_difference
from isogloss.stats.tests import paired_t

LIMIT = 1e-5
"""At ten million degrees of freedom t and noncentral t are normal to this."""
SOLVED = 1e-9
"""A root search leaves this much of the power, and of the root."""
BINOMIAL = 3.5
"""Standard errors of a simulated rate; a right procedure leaves them in 1 of 2,000 seeds."""


def test_by_hand_in_the_normal_limit() -> None:
    # z(.975) + z(.80) = 1.9599640 + 0.8416212 = 2.8015852, times a standard error of 0.5.
    result = minimum_detectable_difference(0.5, 1e7)
    assert result == pytest.approx(0.5 * 2.8015852, abs=LIMIT)


@pytest.mark.parametrize("n", [4, 20, 100, 2000])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.95), (0.1, 0.5)])
def test_against_statsmodels(n: int, alpha: float, power: float) -> None:
    # Held against its power and not its solver, which stops early: for n = 4, alpha = .01 and
    # power .95 it returns an effect whose power is .77.
    d_z = minimum_detectable_difference(1 / sqrt(n), n - 1, alpha=alpha, power=power)
    assert TTestPower().power(d_z, n, alpha) == pytest.approx(power, abs=SOLVED)


@pytest.mark.parametrize("df", [1, 2, 5])
def test_few_degrees_of_freedom_ask_for_a_larger_difference(df: float) -> None:
    few, more = (minimum_detectable_difference(1, k) for k in (df, df + 1))
    assert few > more > 2.8


def test_it_is_in_the_units_of_the_standard_error() -> None:
    one, three = (minimum_detectable_difference(se, 12) for se in (1.0, 3.0))
    assert three == pytest.approx(3 * one, rel=SOLVED)


def test_nan_for_an_estimate_without_a_standard_error() -> None:
    undefined = paired_t([1, 2, 3], [1, 2, 3])
    assert isnan(minimum_detectable_difference(undefined.se, undefined.df))
    assert isnan(minimum_detectable_difference(1.0, nan))


@pytest.mark.parametrize(("se", "df"), [(0.0, 5), (-1.0, 5), (inf, 5), (1.0, 0), (1.0, inf)])
def test_a_standard_error_and_df_are_positive_and_finite(se: float, df: float) -> None:
    with pytest.raises(StatisticsError, match="both must be positive and finite"):
        minimum_detectable_difference(se, df)


def test_levels() -> None:
    with pytest.raises(StatisticsError, match="alpha is 0"):
        minimum_detectable_difference(1, 5, alpha=0)
    with pytest.raises(StatisticsError, match="power is 1"):
        minimum_detectable_difference(1, 5, power=1)
    with pytest.raises(StatisticsError, match=r"power is 0\.05; it must exceed alpha"):
        minimum_detectable_difference(1, 5, power=0.05)


def test_an_alpha_out_of_reach_of_the_degrees_of_freedom() -> None:
    assert minimum_detectable_difference(1, 1, alpha=1e-4) > 1000
    with pytest.raises(StatisticsError, match=r"alpha is 1e-06, out of reach with df 1"):
        minimum_detectable_difference(1, 1, alpha=1e-6)


@pytest.mark.slow
def test_a_paired_test_finds_the_difference_with_that_power() -> None:
    draws, n, rng = 4000, 25, np.random.default_rng(1)
    difference = minimum_detectable_difference(1 / sqrt(n), n - 1)
    samples = rng.normal(difference, 1, size=(draws, n))
    found = np.mean(stats.ttest_1samp(samples, 0, axis=1).pvalue < 0.05)
    assert found == pytest.approx(0.80, abs=BINOMIAL * sqrt(0.8 * 0.2 / draws))
