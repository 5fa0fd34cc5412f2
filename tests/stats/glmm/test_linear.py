"""Gaussian likelihoods against their dense formulas, and against statsmodels."""

import numpy as np
import pytest
import statsmodels.formula.api as smf
from scipy import stats
from tests.stats.glmm.conftest import simulated

from isogloss.stats.glmm import GlmmFit, fit_glmm

DENSE = 1e-10
"""Relative error of a Cholesky factor of 150 rows."""
STATSMODELS = 0.003
"""Relative: its standard errors invert the second derivative by coefficients and variances
together; those of generalised least squares, as in lme4, hold the variances."""

FORMULA = "gaussian ~ x + w + (1 | g) + (1 | h) + offset(2 * w)"


def parts(fit: GlmmFit, data: object) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Residuals, X and the dense covariance V at the estimates."""
    frame = simulated(150, seed=2)
    x = np.column_stack([np.ones(150), frame["x"] == "b", frame["x"] == "c", frame["w"]])
    v = fit.dispersion**2 * np.eye(150)
    for name, variance in fit.variances.items():
        codes = frame[name].to_numpy()
        v += variance * (codes[:, None] == codes[None, :])
    residual = frame["gaussian"] - 2 * frame["w"] - x @ fit.coef.to_numpy()
    return residual.to_numpy(), x.astype(float), v


@pytest.mark.parametrize("reml", [False, True])
def test_dense_log_likelihood_and_covariance(reml: bool) -> None:
    data = simulated(150, seed=2)
    fit = fit_glmm(FORMULA, data, family="gaussian", reml=reml)
    residual, x, v = parts(fit, data)
    information = x.T @ np.linalg.solve(v, x)
    expected = stats.multivariate_normal.logpdf(residual, cov=v)
    if reml:
        expected += 0.5 * (4 * np.log(2 * np.pi) - np.linalg.slogdet(information)[1])
    assert fit.status == "converged"
    assert fit.loglik == pytest.approx(expected, rel=DENSE)
    np.testing.assert_allclose(fit.vcov, np.linalg.inv(information), rtol=1e-8, atol=1e-12)
    # Generalised least squares: the residuals are orthogonal to X.
    assert np.abs(x.T @ np.linalg.solve(v, residual)).max() < 1e-8


def test_modes_are_the_best_linear_predictors() -> None:
    data = simulated(150, seed=2)
    fit = fit_glmm(FORMULA, data, family="gaussian")
    residual, _, v = parts(fit, data)
    weights = np.linalg.solve(v, residual)
    for name in ("g", "h"):
        expected = [
            fit.variances[name] * weights[data[name] == level].sum()
            for level in fit.modes[name].index
        ]
        np.testing.assert_allclose(fit.modes[name], expected, atol=1e-9)


@pytest.mark.parametrize("reml", [False, True])
def test_statsmodels_on_one_random_intercept(reml: bool) -> None:
    data = simulated(300, seed=3)
    ours = fit_glmm("gaussian ~ x + w + (1 | g)", data, family="gaussian", reml=reml)
    model = smf.mixedlm("gaussian ~ x + w", data, groups="g")
    theirs = model.fit(reml=reml)
    names = list(ours.coef.index)
    assert names == ["Intercept", "x[T.b]", "x[T.c]", "w"]
    assert ours.loglik == pytest.approx(theirs.llf, abs=1e-4)
    np.testing.assert_allclose(ours.coef, theirs.fe_params[names], atol=1e-4)
    np.testing.assert_allclose(ours.se, theirs.bse_fe[names], rtol=STATSMODELS)
    variance = float(theirs.cov_re.iloc[0, 0])
    assert ours.variances["g"] == pytest.approx(variance, rel=1e-3)


def test_a_large_mean_and_large_units_change_nothing_but_units() -> None:
    data = simulated(300, seed=3)
    plain = fit_glmm("gaussian ~ x + w + (1 | g)", data, family="gaussian")
    moved = data.assign(gaussian=1e8 + 1e-3 * data["gaussian"])
    other = fit_glmm("gaussian ~ x + w + (1 | g)", moved, family="gaussian")
    np.testing.assert_allclose(1e3 * other.coef.iloc[1:], plain.coef.iloc[1:], rtol=1e-3)
    np.testing.assert_allclose(1e3 * other.se, plain.se, rtol=1e-3)
    np.testing.assert_allclose(1e6 * other.variances["g"], plain.variances["g"], rtol=1e-3)
