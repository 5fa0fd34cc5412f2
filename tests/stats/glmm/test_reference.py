"""Agreement with glmmTMB, lme4 and ordinal of R on simulated data."""

from typing import Any

import numpy as np
import pytest

from isogloss.stats.glmm import GlmmFit, fit_glmm, lr_test

LOGLIK = 1e-4
"""Absolute: what the engines of R agree to among themselves."""
COEFFICIENT = 0.002
"""In standard errors: far below what any conclusion could rest on."""
STANDARD_ERROR = 0.002
"""Relative: gaussian standard errors have two definitions, which differ by 0.0001 here."""
VARIANCE = 0.001
"""Relative: clmm and lme4 stop about 1e-4 short of the maximum."""
MODE = 0.002
"""In standard deviations of the random intercept."""
NOTHING = 1e-4
"""Absolute: a variance whose maximum is 0, which glmmTMB only approaches."""

PLAIN = "y ~ ident + ctrl + conv + (1 | user) + (1 | llm)"
POOLED = "y ~ ident + ctrl + conv + (1 | question) + (1 | llm)"

CASES = [
    ("gaussian", "gaussian", "gaussian__glmmTMB", PLAIN),
    ("gaussian", "gaussian", "gaussian__glmmTMB_REML", PLAIN),
    ("gaussian", "gaussian", "gaussian__lme4", PLAIN),
    ("gaussian", "gaussian", "gaussian__lme4_REML", PLAIN),
    ("binomial", "binomial", "binomial__glmmTMB", PLAIN),
    ("binomial", "binomial", "binomial__lme4", PLAIN),
    ("binomial", "binomial_trials", "binomial_trials__glmmTMB", PLAIN),
    ("binomial", "binomial_trials", "binomial_trials__lme4", PLAIN),
    ("beta", "beta", "beta__glmmTMB", PLAIN),
    ("beta", "beta_boundary", "beta_boundary__glmmTMB", PLAIN),
    ("beta", "beta_pooled", "beta_pooled__glmmTMB", POOLED),
    ("beta", "beta_pooled", "beta_pooled_user__glmmTMB", f"{POOLED} + (1 | user)"),
    ("ordinal", "ordinal", "ordinal__clmm", PLAIN),
]


@pytest.fixture(scope="module", params=CASES, ids=[case[2] for case in CASES])
def pair(request: pytest.FixtureRequest, reference: Any) -> tuple[GlmmFit, dict[str, Any], Any]:
    """A fit, that of R, and how to fit another formula to the same data."""
    family, name, fit_name, formula = request.param
    data, expected = reference(name, fit_name)
    trials = "trials" if "trials" in data else None

    def fit(text: str) -> GlmmFit:
        return fit_glmm(text, data, family=family, reml=expected["REML"], trials=trials)

    return fit(formula), expected, fit


def values(of: dict[str, float]) -> np.ndarray:
    return np.array(list(of.values()))


def test_status_says_what_r_found(pair: Any) -> None:
    fit, expected, _ = pair
    at_zero = tuple(name for name, value in expected["var"].items() if value < NOTHING)
    assert fit.boundary == at_zero
    assert fit.status == ("boundary" if at_zero else "converged")
    assert (fit.n, fit.n_dropped) == (expected["nobs"], 0)
    assert fit.npar == expected["npar"]


def test_log_likelihood(pair: Any) -> None:
    fit, expected, _ = pair
    assert fit.loglik == pytest.approx(expected["logLik"], abs=LOGLIK)


def test_coefficients_and_their_covariance(pair: Any) -> None:
    fit, expected, _ = pair
    errors = values(expected["se"])
    off = (fit.coef.to_numpy() - values(expected["coef"])) / errors
    assert np.abs(off).max() < COEFFICIENT
    assert fit.se.to_numpy() == pytest.approx(errors, rel=STANDARD_ERROR)
    covariance = np.array(expected["vcov"])
    scale = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    assert np.abs((fit.joint_vcov.to_numpy() - covariance) / scale).max() < 2 * STANDARD_ERROR


def test_variances_and_dispersion(pair: Any) -> None:
    fit, expected, _ = pair
    for name, variance in expected["var"].items():
        if variance < NOTHING:
            assert fit.variances[name] == 0
        else:
            assert fit.variances[name] == pytest.approx(variance, rel=VARIANCE)
    if expected["dispersion"] is not None:
        assert fit.dispersion == pytest.approx(expected["dispersion"], rel=VARIANCE)


def test_thresholds(pair: Any) -> None:
    fit, expected, _ = pair
    if expected["thresholds"] is None:
        assert not len(fit.thresholds)
        return
    errors = values(expected["thresholds_se"])
    off = (fit.thresholds.to_numpy() - values(expected["thresholds"])) / errors
    assert list(fit.thresholds.index) == list(expected["thresholds"])
    assert np.abs(off).max() < COEFFICIENT
    assert fit.thresholds_se.to_numpy() == pytest.approx(errors, rel=STANDARD_ERROR)


def test_conditional_modes(pair: Any) -> None:
    fit, expected, _ = pair
    modes = fit.modes["llm"]
    assert list(modes.index) == list(expected["ranef_llm"])
    scale = max(np.sqrt(expected["var"]["llm"]), NOTHING)
    assert np.abs(modes.to_numpy() - values(expected["ranef_llm"])).max() < MODE * scale


def test_likelihood_ratio_of_ident(pair: Any) -> None:
    fit, expected, refit = pair
    if expected["REML"]:
        pytest.skip("REML fits with different fixed effects are not compared")
    test = lr_test(refit(fit.formula.replace("ident + ", "")), fit)
    statistic = 2 * (expected["logLik"] - expected["logLik_without_ident"])
    assert (test.df, test.n) == (4, 1500 if "question" not in fit.groups else 3000)
    assert test.estimate == pytest.approx(statistic, abs=4 * LOGLIK)
