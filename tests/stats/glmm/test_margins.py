"""Marginal means, average effects and odds ratios against hand computation and differences."""

from collections.abc import Callable
from dataclasses import replace
from math import log, sqrt

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from scipy.special import expit, logit
from tests.stats.glmm.conftest import simulated

from isogloss.errors import StatisticsError
from isogloss.stats.glmm import GlmmFit, fit_glmm
from isogloss.stats.glmm.average import average_effects
from isogloss.stats.glmm.margins import marginal_means, odds_ratios

FAMILIES = ["gaussian", "binomial", "beta", "ordinal"]
SLOPE = 1e-6
"""Relative error of a central difference of step 1e-5."""
BINOMIAL = 3.5
"""Standard errors of a simulated rate; a right procedure leaves them in 1 of 2,000 seeds."""


def fitted(family: str, terms: str = "x * k + w") -> tuple[GlmmFit, pd.DataFrame]:
    rng = np.random.default_rng(3)
    data = simulated(400).assign(k=rng.choice(["p", "p", "p", "q"], 400))
    return fit_glmm(f"{family} ~ {terms} + (1 | g)", data, family=family), data


def moved(fit: GlmmFit, place: int, by: float) -> GlmmFit:
    """The fit with one threshold or coefficient changed."""
    cuts = len(fit.thresholds)
    part = "thresholds" if place < cuts else "coef"
    values = getattr(fit, part).copy()
    values.iloc[place if place < cuts else place - cuts] += by
    return replace(fit, **{part: values})


def numerical_covariance(fit: GlmmFit, values: Callable[[GlmmFit], np.ndarray]) -> np.ndarray:
    step = 1e-5
    slopes = np.column_stack(
        [
            (values(moved(fit, j, step)) - values(moved(fit, j, -step))) / (2 * step)
            for j in range(len(fit.joint_vcov))
        ]
    )
    return np.asarray(slopes @ fit.joint_vcov.to_numpy() @ slopes.T)


def mean_of(fit: GlmmFit, rows: pd.DataFrame) -> np.ndarray:
    """Predicted response at random intercepts of 0; of an ordinal one the mean category."""
    found = fit.predict(rows, random="none")
    if isinstance(found, pd.DataFrame):
        return found.to_numpy() @ np.array(found.columns, float)
    return found.to_numpy()


@pytest.mark.parametrize("family", FAMILIES)
def test_a_margin_is_the_mean_over_the_other_factors_levels(family: str) -> None:
    fit, data = fitted(family)
    frame = marginal_means(fit, data, "x").to_frame()
    assert list(frame["x"]) == ["a", "b", "c"]
    for row in frame.itertuples():
        rows = pd.DataFrame({"x": [row.x] * 2, "k": ["p", "q"], "w": data["w"].mean()})
        assert row.estimate == pytest.approx(mean_of(fit, rows).mean())
    assert frame["p_value"].isna().all()
    assert "equal weights over k" in frame["method"][0]
    assert f"w at {data['w'].mean():.6g}" in frame["method"][0]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("scale", ["response", "link"])
def test_covariance_of_margins_by_numerical_differences(family: str, scale: str) -> None:
    fit, data = fitted(family)
    margins = marginal_means(fit, data, "x", by=["k"], scale=scale)  # type: ignore[arg-type]

    def values(other: GlmmFit) -> np.ndarray:
        return marginal_means(other, data, "x", by=["k"], scale=scale).estimate  # type: ignore[arg-type]

    expected = numerical_covariance(fit, values)
    np.testing.assert_allclose(margins.covariance, expected, rtol=SLOPE, atol=1e-9)
    np.testing.assert_allclose(margins.se, np.sqrt(np.diag(expected)), rtol=SLOPE)


@pytest.mark.parametrize("family", FAMILIES)
def test_average_effect_and_its_error_by_brute_force(family: str) -> None:
    fit, data = fitted(family)
    frame = average_effects(fit, data, "x").set_index("contrast")

    def values(other: GlmmFit) -> np.ndarray:
        base = mean_of(other, data.assign(x="a"))
        return np.array([(mean_of(other, data.assign(x=v)) - base).mean() for v in "bc"])

    assert list(frame.index) == ["b - a", "c - a"]
    np.testing.assert_allclose(frame["estimate"], values(fit))
    np.testing.assert_allclose(frame["se"] ** 2, np.diag(numerical_covariance(fit, values)), SLOPE)
    z = 1.959963984540054
    np.testing.assert_allclose(frame["high"], frame["estimate"] + z * frame["se"])
    np.testing.assert_array_equal(frame["p_value"] < 0.05, frame["low"] * frame["high"] > 0)


def test_average_effect_of_a_step_in_a_covariate() -> None:
    fit, data = fitted("binomial")
    (row,) = average_effects(fit, data, "w", step=0.5).itertuples()
    change = mean_of(fit, data.assign(w=data["w"] + 0.5)) - mean_of(fit, data)
    assert row.contrast == "w + 0.5"
    assert row.estimate == pytest.approx(change.mean())


def test_average_effect_against_statsmodels() -> None:
    data = simulated(400).assign(d=lambda d: (d["x"] == "b").astype(int))
    ours = fit_glmm("binomial ~ w + d", data, family="binomial")
    theirs = smf.logit("binomial ~ w + d", data).fit(disp=0).get_margeff(dummy=True)
    expected = theirs.summary_frame().loc["d"]
    as_text = data.assign(d=data["d"].map({0: "no", 1: "yes"}))
    fit = fit_glmm("binomial ~ w + d", as_text, family="binomial")
    (row,) = average_effects(fit, as_text, "d").itertuples()
    assert fit.loglik == pytest.approx(ours.loglik)
    assert row.estimate == pytest.approx(expected["dy/dx"], rel=1e-5)
    assert row.se == pytest.approx(expected["Std. Err."], rel=1e-4)
    assert row.p_value == pytest.approx(expected["Pr(>|z|)"], rel=1e-3)


def test_a_binomial_margin_by_hand() -> None:
    data = pd.DataFrame(
        {"x": ["a"] * 40 + ["b"] * 60, "y": [1] * 10 + [0] * 30 + [1] * 45 + [0] * 15}
    )
    fit = fit_glmm("y ~ x", data, family="binomial")
    first, second = marginal_means(fit, data, "x").to_frame().itertuples()
    assert (first.estimate, second.estimate) == (pytest.approx(0.25), pytest.approx(0.75))
    assert first.se == pytest.approx(sqrt(0.25 * 0.75 / 40), rel=1e-5)
    half = 1.959963984540054 / sqrt(40 * 0.25 * 0.75)
    assert first.low == pytest.approx(expit(logit(0.25) - half), rel=1e-5)
    assert first.high == pytest.approx(expit(logit(0.25) + half), rel=1e-5)
    ratio = odds_ratios(fit).loc["x[T.b]"]
    assert ratio["odds_ratio"] == pytest.approx(9)
    half = 1.959963984540054 * sqrt(1 / 10 + 1 / 30 + 1 / 45 + 1 / 15)
    assert log(ratio["high"]) == pytest.approx(log(9) + half, rel=1e-5)
    assert "odds ratio of the outcome 1" in ratio["method"]


def test_probabilities_of_categories_sum_to_1_and_make_the_mean() -> None:
    fit, data = fitted("ordinal")
    frame = marginal_means(fit, data, "x", scale="probability").to_frame()
    wide = frame.pivot(index="x", columns="category", values="estimate")
    np.testing.assert_allclose(wide.sum(axis=1), 1)
    means = marginal_means(fit, data, "x").estimate
    np.testing.assert_allclose(wide.to_numpy() @ [0, 1, 2, 3], means)
    assert ((frame["low"] > 0) & (frame["high"] < 1)).all()
    effects = average_effects(fit, data, "x", scale="probability")
    sums = effects.groupby("contrast")["estimate"].sum()
    np.testing.assert_allclose(sums, 0, atol=1e-12)


def test_categories_without_numbers_need_scores() -> None:
    data = simulated(300)
    order = pd.CategoricalDtype(["no", "maybe", "yes", "sure"], ordered=True)
    data["y"] = data["ordinal"].map(dict(enumerate(order.categories))).astype(order)
    fit = fit_glmm("y ~ x + (1 | g)", data, family="ordinal")
    with pytest.raises(StatisticsError, match="no, maybe, yes, sure are no numbers; pass scores"):
        marginal_means(fit, data, "x")
    plain = fit_glmm("ordinal ~ x + (1 | g)", data, family="ordinal")
    given = marginal_means(fit, data, "x", scores=[0, 1, 2, 3])
    np.testing.assert_allclose(given.estimate, marginal_means(plain, data, "x").estimate)
    doubled = marginal_means(fit, data, "x", scores=[0, 2, 4, 6])
    np.testing.assert_allclose(doubled.high, 2 * given.high)


def test_an_odds_ratio_above_1_means_higher_categories() -> None:
    data = simulated(2000, slope=1.0)
    fit = fit_glmm("ordinal ~ w + (1 | g)", data, family="ordinal")
    ratio = odds_ratios(fit).loc["w"]
    assert ratio["low"] > 1
    above = np.exp(fit.coef["w"])
    table = fit.predict(pd.DataFrame({"w": [0.0, 1.0]}), random="none").iloc[:, 2:].sum(axis=1)
    odds = table / (1 - table)
    assert odds[1] / odds[0] == pytest.approx(above)
    assert "of a higher category" in ratio["method"]


@pytest.mark.parametrize("family", ["gaussian", "beta"])
def test_odds_ratios_are_refused_where_there_are_none(family: str) -> None:
    with pytest.raises(StatisticsError, match=f"a {family} model has no odds ratios"):
        odds_ratios(fitted(family, "x")[0])


def test_levels_follow_a_categorical_and_c_makes_a_factor_of_numbers() -> None:
    data = simulated(300)
    data["x"] = pd.Categorical(data["x"], categories=list("zcab"))
    fit = fit_glmm("gaussian ~ x + C(h) + (1 | g)", data, family="gaussian")
    assert list(marginal_means(fit, data, "x").names["x"]) == ["c", "a", "b"]
    assert list(marginal_means(fit, data, "h").names["h"]) == [0, 1, 2, 3, 4]


def test_at_sets_a_covariate_and_an_offset() -> None:
    data = simulated(300).assign(o=0.5)
    fit = fit_glmm("gaussian ~ x + w + offset(o) + (1 | g)", data, family="gaussian")
    first = marginal_means(fit, data, "x", at={"w": 2.0, "o": 1.0}).estimate[0]
    assert first == pytest.approx(fit.coef["Intercept"] + 2 * fit.coef["w"] + 1.0)


def test_another_offset_is_not_the_data_of_the_fit() -> None:
    data = simulated(300).assign(o=lambda d: 0.5 * d["w"])
    fit = fit_glmm("gaussian ~ x + offset(o) + (1 | g)", data, family="gaussian")
    with pytest.raises(StatisticsError, match="not those of the fit"):
        marginal_means(fit, data.assign(o=data["o"] + 1), "x")


def test_rows_that_the_fit_dropped_do_not_count() -> None:
    data = simulated(300)
    data.loc[[3, 4], "gaussian"] = np.nan
    data.loc[[3, 4], "w"] = 1e6
    fit = fit_glmm("gaussian ~ x + w + (1 | g)", data, family="gaussian")
    kept = data.drop(index=[3, 4])
    np.testing.assert_allclose(
        marginal_means(fit, data, "x").estimate, marginal_means(fit, kept, "x").estimate
    )
    with pytest.raises(StatisticsError, match="298 that the fit used"):
        marginal_means(fit, data.set_index(np.zeros(300)), "x")


def test_a_fit_that_failed_has_no_margins() -> None:
    data = simulated(200)
    data["y"] = np.where(data["x"] == "c", data["ordinal"].max(), data["ordinal"])
    fit = fit_glmm("y ~ x + (1 | g)", data, family="ordinal")
    for frame in (
        marginal_means(fit, data, "x").to_frame(),
        average_effects(fit, data, "x"),
        odds_ratios(fit),
    ):
        numbers = frame.filter(["estimate", "odds_ratio", "se", "low", "high", "p_value"])
        assert numbers.isna().all(axis=None)
        assert set(frame["status"]) == {"not_estimable"}
        assert frame["reason"].str.startswith("separation: ").all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f, d: marginal_means(f, d, "w"), "'w' is no factor of the model; factors: k, x"),
        (lambda f, d: marginal_means(f, d, "x", at={"k": 1}), "at names 'k'"),
        (lambda f, d: marginal_means(f, d, "x", scale="odds"), "scale is 'odds'"),
        (lambda f, d: marginal_means(f, d, "x", scale="probability"), "no probabilities"),
        (lambda f, d: marginal_means(f, d, "x", level=95), "level is 95"),
        (lambda f, d: marginal_means(f, d.drop(columns="w"), "x"), "no column 'w'"),
        (lambda f, d: marginal_means(f, d.head(9), "x"), "cannot be matched"),
        (lambda f, d: marginal_means(f, d.assign(w=0.0), "x"), "not those of the fit"),
        (lambda f, d: average_effects(f, d, "x", reference="z"), "x has no level 'z'"),
        (lambda f, d: average_effects(f, d, "g"), "'g' is no factor of the model"),
    ],
)
def test_what_cannot_be_computed_is_named(call: Callable, message: str) -> None:
    fit, data = fitted("binomial", "x + k + w")
    with pytest.raises(StatisticsError, match=message):
        call(fit, data)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_intervals_cover_the_true_mean_and_the_true_effect(family: str) -> None:
    fits, covered = 200, []
    for seed in range(fits):
        data = simulated(300, seed=seed, g=30, sd=(0.6, 0.0))
        fit = fit_glmm(f"{family} ~ x + w + (1 | g)", data, family=family)
        row = marginal_means(fit, data, "x").to_frame().set_index("x").loc["b"]
        effect = average_effects(fit, data, "x").set_index("contrast").loc["b - a"]
        eta = 0.2 * data["w"].to_numpy()
        mean = true_mean(family, np.array([0.3 + eta.mean()]))[0]
        change = (true_mean(family, eta + 0.3) - true_mean(family, eta)).mean()
        covered.append(
            (row["low"] <= mean <= row["high"], effect["low"] <= change <= effect["high"])
        )
    rates = np.mean(covered, axis=0)
    assert rates == pytest.approx(0.95, abs=BINOMIAL * sqrt(0.95 * 0.05 / fits))


def true_mean(family: str, eta: np.ndarray) -> np.ndarray:
    """Mean response at random intercepts of 0 under the thresholds of `simulated`."""
    if family == "gaussian":
        return eta
    if family == "ordinal":
        return np.sum([expit(eta - cut) for cut in (-1, 0, 1)], axis=0)
    return expit(eta)
