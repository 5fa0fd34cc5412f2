"""Coverage of Wald intervals and level of Wald tests, by seeded simulation."""

from math import sqrt

import numpy as np
import pytest
from tests.stats.glmm.conftest import simulated

from isogloss.stats.glmm import fit_glmm

BINOMIAL = 3.5
"""Standard errors of a simulated rate; a right procedure leaves them in 1 of 2,000 seeds."""
FITS = 200
NULL = ["v1", "v2", "v3", "v4"]
"""Covariates without effect: independent of each other, so each fit makes four tests."""
SLOPE = 0.2


@pytest.mark.slow
@pytest.mark.parametrize("family", ["gaussian", "binomial", "beta", "ordinal"])
def test_wald_intervals_cover_and_wald_tests_hold_their_level(family: str) -> None:
    rng = np.random.default_rng(0)
    formula = f"{family} ~ w + {' + '.join(NULL)} + (1 | g)"
    covered, rejected, errors = [], [], []
    for seed in range(FITS):
        data = simulated(300, seed=seed, g=30, sd=(0.6, 0.0), slope=SLOPE)
        data[NULL] = rng.normal(size=(len(data), len(NULL)))
        fit = fit_glmm(formula, data, family=family)
        assert fit.estimated, fit.reasons
        low, high = fit.confint().loc["w"]
        covered.append(low <= SLOPE <= high)
        rejected.extend(fit.p[NULL] < 0.05)
        errors.append((fit.coef["w"] - SLOPE) / fit.se["w"])
    assert np.mean(covered) == pytest.approx(0.95, abs=BINOMIAL * sqrt(0.95 * 0.05 / FITS))
    tests = len(rejected)
    assert np.mean(rejected) == pytest.approx(0.05, abs=BINOMIAL * sqrt(0.95 * 0.05 / tests))
    assert abs(np.mean(errors)) < BINOMIAL / sqrt(FITS)
