from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from isogloss.mixed.interactions import interaction
from isogloss.stats.glmm import Margins

NAMES = pd.DataFrame(
    [(p, g) for p in ("nobody", "tall") for g in ("blue", "red")], columns=["persona", "guise"]
)
PERSONAS, GUISES = ("tall", "nobody"), ("red", "blue")


@pytest.fixture
def margins() -> Margins:
    """Means 5 and 4 for nobody, 6 and 3 for tall; all variances 0.04, all covariances 0.01."""
    covariance = np.full((4, 4), 0.01) + 0.03 * np.eye(4)
    nothing = np.full(4, np.nan)
    return Margins(
        names=NAMES,
        factor="guise",
        by=("persona",),
        scale="response",
        estimate=np.array([5.0, 4.0, 6.0, 3.0]),
        se=np.sqrt(np.diag(covariance)),
        low=nothing,
        high=nothing,
        covariance=covariance,
        level=0.9,
        n=80,
        status="ok",
        reason=None,
        method="made up",
    )


def test_a_difference_of_differences_by_hand(margins: Margins) -> None:
    found = interaction(margins, PERSONAS, GUISES)
    # (3 - 6) - (4 - 5) = -2; what the four share cancels, and 4 x 0.03 is left
    assert found.estimate == pytest.approx(-2)
    assert found.se == pytest.approx(np.sqrt(0.12))
    assert found.p_value == pytest.approx(2 * stats.norm.cdf(-2 / np.sqrt(0.12)))
    assert (found.high - found.low) / 2 == pytest.approx(1.6448536 * np.sqrt(0.12))
    assert (found.low + found.high) / 2 == pytest.approx(-2)
    assert (found.status, found.reason) == ("ok", None)
    assert found.method.startswith("difference of differences of made up")


@pytest.mark.parametrize(
    ("personas", "guises"), [(PERSONAS[::-1], GUISES), (PERSONAS, GUISES[::-1])]
)
def test_swapping_personas_or_guises_flips_the_sign(
    margins: Margins, personas: tuple[str, str], guises: tuple[str, str]
) -> None:
    found, swapped = interaction(margins, PERSONAS, GUISES), interaction(margins, personas, guises)
    assert swapped.estimate == -found.estimate
    assert (swapped.low, swapped.high) == (-found.high, -found.low)
    assert swapped.p_value == found.p_value


def test_no_covariance_gives_no_test(margins: Margins) -> None:
    found = interaction(replace(margins, covariance=np.zeros((4, 4))), PERSONAS, GUISES)
    assert (found.status, found.reason) == ("not_estimable", "the standard error is 0")
    assert np.isnan([found.estimate, found.se, found.p_value]).all()


def test_a_fit_without_numbers_gives_its_reason(margins: Margins) -> None:
    failed = replace(margins, status="not_estimable", reason="separation: of all")
    found = interaction(failed, PERSONAS, GUISES)
    assert (found.status, found.reason) == ("not_estimable", "separation: of all")
    assert np.isnan(found.estimate)
