import numpy as np
import pytest
from scipy import special

from isogloss.stats.glmm.kernels import gamma_three, gamma_two

SERIES = 1e-11
"""Relative error that the module states; scipy itself is good to about 1e-14."""
ROOT = 1e-13
"""Absolute error near the zeros of lgamma (1 and 2) and of digamma (1.46)."""

POINTS = [1e-12, 1e-4, 0.3, 0.999999, 1.4616321, 2.0, 3.7, 7.999999, 8.0, 8.1, 40.0, 1e4, 1e9]


@pytest.mark.parametrize("x", POINTS)
def test_all_four_functions_against_scipy(x: float) -> None:
    expected = [
        special.gammaln(x),
        special.digamma(x),
        float(special.polygamma(1, x)),
        float(special.polygamma(2, x)),
    ]
    assert gamma_three(x) == pytest.approx(expected, rel=SERIES, abs=ROOT)
    assert gamma_two(x) == gamma_three(x)[:3]


def test_the_series_joins_the_recurrence_without_a_step() -> None:
    below, above = np.array(gamma_three(np.nextafter(8.0, 0))), np.array(gamma_three(8.0))
    np.testing.assert_allclose(below, above, rtol=SERIES)
