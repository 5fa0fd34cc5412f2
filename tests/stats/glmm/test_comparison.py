from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from tests.stats.glmm.conftest import simulated

from isogloss.errors import StatisticsError
from isogloss.stats.glmm import GlmmFit, fit_glmm, lr_test


def fit(formula: str, family: str = "beta", **options: object) -> GlmmFit:
    return fit_glmm(f"{family} ~ {formula}", simulated(300), family=family, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("family", ["gaussian", "beta", "ordinal"])
def test_fixed_effects(family: str) -> None:
    small, large = fit("w + (1 | g)", family), fit("x + w + (1 | g)", family)
    test = lr_test(small, large)
    statistic = 2 * (large.loglik - small.loglik)
    assert (test.estimate, test.df, test.n, test.status) == (statistic, 2, 300, "ok")
    assert test.p_value == pytest.approx(stats.chi2.sf(statistic, 2))
    assert lr_test(large, small) == test


def test_nesting_does_not_go_by_names() -> None:
    small, large = fit("w + (1 | g)"), fit("C(x, Treatment('c')) * w + (1 | g)")
    assert lr_test(small, large).df == 4
    whole = fit("0 + x + w + (1 | g)")
    assert lr_test(fit("w + (1 | g)"), whole).df == 2


def test_one_variance_is_tested_on_its_boundary() -> None:
    test = lr_test(fit("w + (1 | g)"), fit("w + (1 | g) + (1 | h)"))
    assert test.p_value == pytest.approx(stats.chi2.sf(test.estimate, 1) / 2)
    assert "0.5 chi-squared" in test.method
    two = lr_test(fit("w"), fit("w + (1 | g) + (1 | h)"))
    assert two.p_value == pytest.approx(stats.chi2.sf(two.estimate, 2))
    assert "conservative" in two.method


def test_a_variance_of_0_has_p_1() -> None:
    data = simulated(400, seed=17, sd=(0.0, 0.0))
    fits = [fit_glmm(f"beta ~ w{more}", data, family="beta") for more in ("", " + (1 | g)")]
    assert lr_test(fits[0], fits[1]).p_value == 1.0


def test_reml_fits_compare_variances_only() -> None:
    small = fit("w + (1 | g)", "gaussian", reml=True)
    assert lr_test(small, fit("w + (1 | g) + (1 | h)", "gaussian", reml=True)).status == "ok"
    with pytest.raises(StatisticsError, match="REML fits with different fixed effects"):
        lr_test(small, fit("x + w + (1 | g)", "gaussian", reml=True))
    with pytest.raises(StatisticsError, match="REML"):
        lr_test(small, fit("w + (1 | g) + (1 | h)", "gaussian"))


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (("x + (1 | g)", "beta"), ("x + w + (1 | g)", "gaussian"), "of families beta and gaussian"),
        (("x + (1 | g)", "beta"), ("w * h + (1 | h) + (1 | g)", "beta"), "is not nested in"),
        (("w + (1 | h)", "beta"), ("x + w + (1 | g)", "beta"), "is not nested in"),
        (("w + (1 | h)", "beta"), ("w + (1 | g)", "beta"), "neither is nested"),
        (("w", "beta"), ("w + x + offset(w)", "beta"), "different rows, responses or offsets"),
    ],
)
def test_what_is_refused(a: tuple[str, str], b: tuple[str, str], message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        lr_test(fit(*a), fit(*b))


def test_fits_of_other_rows_are_refused() -> None:
    data = simulated(300)
    data.loc[0, "x"] = None
    large = fit_glmm("beta ~ x + w + (1 | g)", data, family="beta")
    with pytest.raises(StatisticsError, match=r"299 rows|300 and 299"):
        lr_test(fit("w + (1 | g)"), large)


def test_a_fit_without_numbers_has_no_test() -> None:
    data = simulated(300).assign(y=0.4, v=np.arange(300.0))
    fits = [fit_glmm(f"y ~ {terms}", data, family="beta") for terms in ("w", "w + v")]
    test = lr_test(fits[0], fits[1])
    assert test.status == "not_estimable"
    assert np.isnan(test.p_value)
    assert "no_variation" in str(test.reason)


def test_a_larger_model_that_ended_below_the_smaller_has_no_test() -> None:
    small, large = fit("w + (1 | g)"), fit("x + w + (1 | g)")
    test = lr_test(small, replace(large, loglik=small.loglik - 0.01))
    assert test.status == "not_estimable"
    assert np.isnan([test.estimate, test.p_value]).all()
    assert "ended 0.01 below" in str(test.reason)
    rounding = lr_test(small, replace(large, loglik=small.loglik - 1e-5))
    assert (rounding.estimate, rounding.p_value, rounding.status) == (0.0, 1.0, "ok")
