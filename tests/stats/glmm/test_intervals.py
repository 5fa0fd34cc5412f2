import numpy as np
import pytest
from scipy import stats
from tests.stats.glmm.conftest import simulated

from isogloss.errors import StatisticsError
from isogloss.stats.glmm import fit_glmm

FAMILIES = ["gaussian", "binomial", "beta", "ordinal"]


def test_wald_intervals_by_hand() -> None:
    fit = fit_glmm("beta ~ w + (1 | g)", simulated(300), family="beta")
    ends = fit.confint(0.9)
    assert ends.loc["w", "low"] == pytest.approx(fit.coef["w"] - 1.6448536 * fit.se["w"])
    assert ends.loc["w", "high"] == pytest.approx(fit.coef["w"] + 1.6448536 * fit.se["w"])


@pytest.mark.parametrize("family", FAMILIES)
def test_a_profile_ends_where_the_ratio_test_starts_to_reject(family: str) -> None:
    data = simulated(200, g=8)
    fit = fit_glmm(f"{family} ~ x + w + (1 | g)", data, family=family)
    ends = fit.confint(method="profile").loc["w"]
    assert ends["low"] < fit.coef["w"] < ends["high"]
    for value in ends:
        held = data.assign(held=value * data["w"])
        fixed = fit_glmm(f"{family} ~ x + offset(held) + (1 | g)", held, family=family)
        ratio = 2 * (fit.loglik - fixed.loglik)
        assert stats.chi2.sf(ratio, 1) == pytest.approx(0.05, abs=1e-4)


def test_a_profile_is_near_wald_in_large_samples() -> None:
    fit = fit_glmm("beta ~ w + (1 | g)", simulated(3000, g=200), family="beta")
    wald, profile = fit.confint(), fit.confint(method="profile")
    assert np.abs((profile - wald).div(fit.se, axis=0)).to_numpy().max() < 0.05


def test_a_profile_lets_a_variance_leave_0() -> None:
    data = simulated(400, seed=17, sd=(0.0, 0.0))
    fit = fit_glmm("beta ~ w + (1 | g)", data, family="beta")
    assert fit.status == "boundary"
    ends = fit.confint(method="profile")
    assert np.isfinite(ends.to_numpy()).all()


def test_reml_has_no_profile_and_a_level_lies_between_0_and_1() -> None:
    fit = fit_glmm("gaussian ~ w + (1 | g)", simulated(200), family="gaussian", reml=True)
    with pytest.raises(StatisticsError, match="REML fit has no profile"):
        fit.confint(method="profile")
    with pytest.raises(StatisticsError, match="level is 1"):
        fit.confint(1.0)


def test_a_fit_without_numbers_has_intervals_of_nan() -> None:
    data = simulated(60).assign(y=0.4)
    fit = fit_glmm("y ~ w + (1 | g)", data, family="beta")
    assert fit.confint().isna().all(axis=None)
    assert fit.confint(method="profile").isna().all(axis=None)
