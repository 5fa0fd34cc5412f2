"""The approximation against its definition, and its gradient against differences."""

from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize, stats
from scipy.special import expit
from tests.stats.glmm.conftest import simulated

from isogloss.stats.glmm.assemble import problem
from isogloss.stats.glmm.cells import aggregate
from isogloss.stats.glmm.grouping import Grouping, grouping
from isogloss.stats.glmm.laplace import TIGHT, Laplace
from isogloss.stats.glmm.response import response

DIFFERENCES = 1e-7
"""Relative error of fourth-order differences with a step of 1e-3, modes exact to rounding."""
DEFINITION = 1e-7
"""Relative error of a one-dimensional minimum and of the second difference there."""
QUADRATURE = 2e-3
"""Error of the approximation itself for one group of 300 rows, of order 1 / 300."""

EXTRA = {"binomial": [], "beta": [1.9], "ordinal": [-0.9, 0.1, 1.2]}
FAMILIES = list(EXTRA)


def model(family: str, data: Any, factors: list[Grouping], matrix: np.ndarray) -> Laplace:
    rows = np.arange(len(data))
    answer = response(family, data[family], family, None)
    ordered = family == "ordinal"
    offset = 0.1 * data["w"].to_numpy()
    cells = aggregate(rows, factors, offset, answer, by_category=ordered)
    return Laplace(problem(cells, matrix, family, len(answer.categories)), decrement=TIGHT)


def density(family: str, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """Log-density of each row, from scipy."""
    if family == "binomial":
        return stats.bernoulli.logpmf(y, expit(eta))
    if family == "beta":
        phi = np.exp(EXTRA["beta"][0])
        return stats.beta.logpdf(y, expit(eta) * phi, expit(-eta) * phi)
    cuts = np.array([-np.inf, *EXTRA["ordinal"], np.inf])
    return np.log(expit(cuts[y + 1] - eta) - expit(cuts[y] - eta))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("factors", [["g"], ["g", "h"], ["g", "h", "k"]])
def test_gradient_is_exact(family: str, factors: list[str]) -> None:
    data = simulated(80, seed=3, g=12, h=4)
    data["k"] = np.random.default_rng(0).integers(0, 3, len(data))
    matrix = np.column_stack([data["w"], data["x"] == "b"]).astype(float)
    fit = model(family, data, [grouping(name, [data[name]]) for name in factors], matrix)
    theta = np.array([0.3, -0.4, *EXTRA[family], *np.log([0.7, 0.4, 0.9][: len(factors)])])
    point = fit.evaluate(theta)
    assert point is not None
    for j, slope in enumerate(fit.gradient(point)):
        step = np.zeros(theta.size)
        step[j] = 1e-3
        at = [fit.evaluate(theta + k * step).loglik for k in (-2, -1, 1, 2)]  # type: ignore[union-attr]
        assert slope == pytest.approx(
            (8 * (at[2] - at[1]) - (at[3] - at[0])) / 12e-3, rel=DIFFERENCES, abs=1e-6
        )


@pytest.mark.parametrize("family", FAMILIES)
def test_one_group_against_definition_and_integral(family: str) -> None:
    data = simulated(300, seed=4, g=1, h=1)
    sd, beta = 0.8, 0.3
    eta = (beta + 0.1) * data["w"].to_numpy()
    y = data[family].to_numpy()

    def joint(b: float) -> float:
        log_density = density(family, y, eta + b).sum()
        return float(log_density + stats.norm.logpdf(b, 0, sd))

    # ln integral of exp joint, about its peak: joint(b^) + ln sqrt(2 pi / -joint''(b^)).
    peak = optimize.minimize_scalar(lambda b: -joint(b), tol=1e-12).x
    h = 1e-3
    at = [joint(peak + k * h) for k in (-2, -1, 0, 1, 2)]
    bend = (-at[0] + 16 * at[1] - 30 * at[2] + 16 * at[3] - at[4]) / (12 * h * h)
    laplace = at[2] + 0.5 * np.log(2 * np.pi / -bend)
    width = 8 / np.sqrt(-bend)
    area = integrate.quad(lambda b: np.exp(joint(b) - at[2]), peak - width, peak + width)[0]
    factor = grouping("one", [data["g"]])
    fit = model(family, data, [factor], data[["w"]].to_numpy())
    point = fit.evaluate(np.array([beta, *EXTRA[family], np.log(sd)]))
    assert point is not None
    assert point.loglik == pytest.approx(laplace, rel=DEFINITION)
    assert point.loglik == pytest.approx(at[2] + np.log(area), abs=QUADRATURE)


@pytest.mark.parametrize("family", FAMILIES)
def test_without_groups_it_is_the_likelihood(family: str) -> None:
    data = simulated(60, seed=5)
    fit = model(family, data, [], data[["w"]].to_numpy())
    point = fit.evaluate(np.array([0.4, *EXTRA[family], -np.inf]))
    assert point is not None
    expected = density(family, data[family].to_numpy(), 0.5 * data["w"].to_numpy()).sum()
    assert point.loglik == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_near_point_changes_nothing(family: str) -> None:
    data = simulated(120, seed=6)
    factors = [grouping(name, [data[name]]) for name in ("g", "h")]
    fit = model(family, data, factors, data[["w"]].to_numpy())
    theta = np.array([0.1, *EXTRA[family], -0.5, -0.9])
    near = fit.evaluate(theta)
    alone, warm = fit.evaluate(theta + 0.3), fit.evaluate(theta + 0.3, near)
    assert alone is not None
    assert warm is not None
    assert warm.loglik == pytest.approx(alone.loglik, rel=1e-13)
    np.testing.assert_allclose(warm.mode.u, alone.mode.u, atol=1e-9)


def test_there_is_no_likelihood_where_thresholds_are_not_in_order() -> None:
    data = simulated(60, seed=7)
    fit = model("ordinal", data, [], data[["w"]].to_numpy())
    assert fit.evaluate(np.array([0.4, 0.5, 0.1, 1.0, -np.inf])) is None
