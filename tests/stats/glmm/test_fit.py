"""What a fit says when the data are difficult."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import OptimizeResult
from tests.stats.glmm.conftest import simulated

from isogloss.errors import StatisticsError
from isogloss.stats.glmm import GlmmFit, fit_glmm, separation

FAMILIES = ["gaussian", "binomial", "beta", "ordinal"]


def undefined(fit: GlmmFit) -> bool:
    """Whether no number could be taken for an estimate."""
    numbers = [fit.coef, fit.se, fit.p, pd.Series(fit.variances), fit.thresholds]
    return bool(np.isnan(fit.loglik)) and all(bool(part.isna().all()) for part in numbers)


@pytest.mark.parametrize("family", FAMILIES)
def test_levels_that_do_not_differ_have_variance_0(family: str) -> None:
    data = simulated(400, seed=41, sd=(0.0, 0.0))
    fit = fit_glmm(f"{family} ~ w + (1 | g) + (1 | h)", data, family=family)
    without = fit_glmm(f"{family} ~ w", data, family=family)
    assert (fit.status, fit.boundary) == ("boundary", ("g", "h"))
    assert fit.variances == {"g": 0.0, "h": 0.0}
    assert fit.reasons == tuple(f"the variance of {name} is estimated as 0" for name in "gh")
    np.testing.assert_allclose(fit.coef / fit.se, without.coef / without.se, atol=1e-4)
    np.testing.assert_allclose(fit.se, without.se, rtol=1e-5)
    assert fit.loglik == pytest.approx(without.loglik, abs=1e-7)
    assert fit.npar == without.npar + 2


@pytest.mark.parametrize("family", FAMILIES)
def test_a_constant_response_has_no_variation(family: str) -> None:
    value = {"gaussian": 3.0, "binomial": 1, "beta": 0.4, "ordinal": 2}[family]
    data = simulated(60).assign(y=value)
    fit = fit_glmm("y ~ w + (1 | g)", data, family=family)
    assert fit.status == "no_variation"
    assert undefined(fit)


def test_a_gaussian_that_is_fitted_exactly_has_no_variation() -> None:
    data = simulated(200)
    exact = data.assign(y=2 * data["w"])
    assert fit_glmm("y ~ w + (1 | g)", exact, family="gaussian").status == "no_variation"
    exact["y"] += data["g"]
    fit = fit_glmm("y ~ w + (1 | g)", exact, family="gaussian")
    assert fit.status == "no_variation"
    assert undefined(fit)


def test_a_small_residual_is_no_exact_fit() -> None:
    data = simulated(200)
    noise = 1e-4 * np.random.default_rng(0).normal(size=200)
    fit = fit_glmm("y ~ w + (1 | g)", data.assign(y=data["g"] + noise), family="gaussian")
    assert fit.status == "converged"
    assert fit.dispersion == pytest.approx(1e-4, rel=0.2)
    assert fit.variances["g"] == pytest.approx(np.var(np.arange(20)), rel=0.01)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("w + (1 | one)", "one has one level, a"),
        ("x + twice + (1 | g)", "twice: a linear combination"),
        ("x + zero + (1 | g)", "zero: a linear combination"),
    ],
)
def test_what_the_design_cannot_tell_apart(family: str, formula: str, reason: str) -> None:
    data = simulated(100)
    data = data.assign(one="a", twice=2.0 * (data["x"] == "b"), zero=0)
    fit = fit_glmm(f"{family} ~ {formula}", data, family=family)
    assert fit.status == "rank_deficient"
    assert reason in fit.reasons[0]
    assert undefined(fit)


@pytest.mark.parametrize("family", ["gaussian", "binomial", "ordinal"])
def test_a_level_for_each_row(family: str) -> None:
    data = simulated(100).assign(row=np.arange(100), ordinal=lambda d: d["binomial"])
    fit = fit_glmm(f"{family} ~ w + (1 | row)", data, family=family)
    assert fit.status == "rank_deficient"
    assert "each row is its own level of row" in fit.reasons[0]


@pytest.mark.parametrize("family", FAMILIES)
def test_two_factors_that_group_the_rows_alike(family: str) -> None:
    data = simulated(200).assign(again=lambda d: "g" + (99 - d["g"]).astype(str))
    fit = fit_glmm(f"{family} ~ w + (1 | g) + (1 | again)", data, family=family)
    assert fit.status == "rank_deficient"
    assert fit.reasons == ("g and again group the rows alike; leave one out",)
    assert undefined(fit)
    data.loc[0, "again"] = data.loc[data["g"] != data.loc[0, "g"], "again"].iloc[0]
    other = fit_glmm(f"{family} ~ w + (1 | g) + (1 | again)", data, family=family)
    assert other.status != "rank_deficient"


def test_a_linear_program_without_end_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = OptimizeResult(status=4, x=None, message="numerical difficulties")
    monkeypatch.setattr(separation, "linprog", lambda *_, **__: failed)
    fit = fit_glmm("binomial ~ w + (1 | g)", simulated(100), family="binomial")
    assert fit.status == "not_converged"
    assert "the linear program ended with 'numerical difficulties'" in fit.reasons[0]
    assert undefined(fit)


@pytest.mark.parametrize(
    ("formula", "trials", "message"),
    [
        ("w + offset(np.log(o))", None, r"the offset .*o.* is not finite in 2 of 50 rows; leave"),
        ("np.log(o)", None, r"column 'np.log\(o\)' of the model matrix .* 2 of 50 rows; leave"),
        ("w", "t", "t: 2 of 50 values are not finite; leave their rows out"),
    ],
)
def test_numbers_without_end_are_named(formula: str, trials: str | None, message: str) -> None:
    data = simulated(50).assign(o=1.0, t=1.0)
    data.loc[[3, 4], ["o", "t"]] = [0.0, np.inf]
    with pytest.raises(StatisticsError, match=message):
        fit_glmm(f"binomial ~ {formula} + (1 | g)", data, family="binomial", trials=trials)


def test_a_variance_that_the_data_say_nothing_of_has_no_p_values() -> None:
    """Fixed effects of each group leave the restricted likelihood flat in its variance."""
    fit = fit_glmm("gaussian ~ C(h) + (1 | h)", simulated(200), family="gaussian", reml=True)
    assert fit.status == "not_converged"
    assert not fit.estimated
    assert fit.p.isna().all()
    assert fit.se.isna().all()
    assert fit.confint().isna().all(axis=None)


@pytest.mark.parametrize("family", FAMILIES)
def test_two_observations(family: str) -> None:
    data = simulated(40).iloc[[0, 1]].assign(g=["a", "b"], binomial=[0, 1], ordinal=[0, 1])
    fit = fit_glmm(f"{family} ~ 1 + (1 | g)", data, family=family)
    assert fit.status == "rank_deficient"
    assert undefined(fit)
    assert fit.n == 2


@pytest.mark.parametrize("family", ["binomial", "ordinal"])
def test_a_level_with_one_outcome_is_separation(family: str) -> None:
    data = simulated(200)
    top = data[family].max()
    split = data.assign(y=np.where(data["x"] == "c", top, data[family]))
    fit = fit_glmm("y ~ x + (1 | g)", split, family=family)
    assert fit.status == "separation"
    assert "x[T.c]" in fit.reasons[0]
    assert "x[T.b]" not in fit.reasons[0]
    assert undefined(fit)


@pytest.mark.parametrize("family", ["binomial", "ordinal"])
@pytest.mark.parametrize("n", [200, 5000])
def test_a_number_that_splits_the_outcomes_is_separation(family: str, n: int) -> None:
    data = simulated(n, g=30)
    data["y"] = np.searchsorted([-0.7, 0.8], data["w"]) if family == "ordinal" else data["w"] > 0
    assert fit_glmm("y ~ w + (1 | g)", data, family=family).status == "separation"


@pytest.mark.parametrize("family", ["binomial", "ordinal"])
def test_groups_of_one_outcome_each_are_separation(family: str) -> None:
    data = simulated(200, g=20)
    data["y"] = data["g"] // 7 if family == "ordinal" else data["g"] > 9
    fit = fit_glmm("y ~ x + (1 | g)", data, family=family)
    assert fit.status == "separation"
    assert "each level of g has one outcome" in fit.reasons[0]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.0, 0.0, 1.0], "3 of 100 values are exactly 0 or 1.*Smithson and Verkuilen"),
        ([-0.1, 1.2], "2 of 100 values lie outside 0 to 1"),
    ],
)
def test_beta_names_how_many_values_it_is_not_defined_for(values: list, message: str) -> None:
    data = simulated(100)
    data.loc[: len(values) - 1, "beta"] = values
    with pytest.raises(StatisticsError, match=message):
        fit_glmm("beta ~ w + (1 | g)", data, family="beta")


@pytest.mark.parametrize("family", FAMILIES)
def test_missing_values_are_left_out_and_counted(family: str) -> None:
    data = simulated(200)
    data[["w", family]] = data[["w", family]].astype(float)
    data["g"], data["h"] = data["g"].astype(float), np.nan
    data.loc[3, family], data.loc[5, "w"], data.loc[[8, 9], "g"] = np.nan, np.nan, np.nan
    fit = fit_glmm(f"{family} ~ w + (1 | g)", data, family=family)
    kept = fit_glmm(f"{family} ~ w + (1 | g)", data.drop([3, 5, 8, 9]), family=family)
    assert (fit.n, fit.n_dropped) == (196, 4)
    assert (kept.n, kept.n_dropped) == (196, 0)
    assert fit.loglik == kept.loglik


def test_a_level_without_rows_is_left_out_and_named() -> None:
    data = simulated(200)
    empty = data.assign(x=pd.Categorical(data["x"], categories=list("zabc")))
    fit = fit_glmm("beta ~ x + (1 | g)", empty, family="beta")
    assert list(fit.coef.index) == ["Intercept", "x[T.b]", "x[T.c]"]
    assert fit.status == "converged"
    assert fit.reasons == ("x: no row has z; left out",)


def test_an_empty_cell_of_an_interaction_is_rank_deficient() -> None:
    data = simulated(200).assign(z=lambda d: np.where(d["w"] > 0, "p", "q"))
    data = data[~((data["x"] == "c") & (data["z"] == "q"))]
    fit = fit_glmm("beta ~ x * z + (1 | g)", data, family="beta")
    assert fit.status == "rank_deficient"
    assert "x[T.c]:z[T.q]" in fit.reasons[0]


@pytest.mark.parametrize("precision", [1e3, 1e5, 1e6])
def test_a_high_precision_is_found(precision: float) -> None:
    data = simulated(300, precision=precision)
    fit = fit_glmm("beta ~ x + w + (1 | g) + (1 | h)", data, family="beta")
    assert fit.status == "converged"
    assert fit.dispersion == pytest.approx(precision, rel=0.3)
    assert fit.coef["w"] == pytest.approx(0.2, abs=4 * fit.se["w"])
    assert fit.se["w"] == pytest.approx(1 / np.sqrt(300 * precision / 4), rel=0.1)


def test_of_two_maxima_the_higher_is_taken() -> None:
    """Few rows a group, alike within: with variance 0 the precision is low, a local maximum."""
    rng = np.random.default_rng(131)
    groups = np.arange(30) % 21
    eta = -2 + rng.normal(0, 2, 21)[groups]
    mu = 1 / (1 + np.exp(-eta))
    data = pd.DataFrame({"k": groups, "y": rng.beta(mu * 5e4, (1 - mu) * 5e4)})
    fit = fit_glmm("y ~ 1 + (1 | k)", data, family="beta")
    assert fit.status == "converged"
    assert fit.dispersion > 1e3
    assert fit.variances["k"] == pytest.approx(4, rel=0.8)


def test_a_beta_that_is_fitted_exactly_has_no_variation() -> None:
    data = simulated(300)
    data["beta"] = 1 / (1 + np.exp(-data["g"] / 20 - data["w"]))
    fit = fit_glmm("beta ~ w + (1 | g)", data, family="beta")
    assert fit.status == "no_variation"
    assert undefined(fit)


@pytest.mark.parametrize("family", FAMILIES)
def test_groups_of_very_different_sizes(family: str) -> None:
    sizes = [1, 1, 1, 1, 2, 3, 50, 2000]
    data = simulated(sum(sizes), seed=11, g=1).assign(k=np.repeat(np.arange(8), sizes))
    fit = fit_glmm(f"{family} ~ x + w + (1 | k) + (1 | h)", data, family=family)
    without = fit_glmm(f"{family} ~ x + w + (1 | h)", data, family=family)
    assert fit.estimated
    assert list(fit.group_sizes["k"]) == sizes
    assert fit.loglik >= without.loglik - 1e-6
    assert np.isfinite(fit.p).all()


@pytest.mark.parametrize("family", FAMILIES)
def test_units_of_a_covariate_change_nothing(family: str) -> None:
    data = simulated(300)
    plain = fit_glmm(f"{family} ~ w + (1 | g)", data, family=family)
    moved = data.assign(w=1e7 + 1e3 * data["w"])
    other = fit_glmm(f"{family} ~ w + (1 | g)", moved, family=family)
    assert other.loglik == pytest.approx(plain.loglik, abs=1e-6)
    assert 1e3 * other.coef["w"] == pytest.approx(plain.coef["w"], rel=1e-4)
    assert 1e3 * other.se["w"] == pytest.approx(plain.se["w"], rel=1e-4)


@pytest.mark.parametrize("family", FAMILIES)
def test_order_of_rows_and_of_groups_changes_nothing(family: str) -> None:
    data = simulated(300)
    plain = fit_glmm(f"{family} ~ x + (1 | g) + (1 | h)", data, family=family)
    turned = fit_glmm(f"{family} ~ (1 | h) + x + (1 | g)", data.iloc[::-1], family=family)
    assert list(turned.variances) == ["h", "g"]
    assert turned.variances == pytest.approx(plain.variances, rel=1e-6)
    np.testing.assert_allclose(turned.coef, plain.coef, rtol=1e-6)
    np.testing.assert_allclose(turned.modes["g"], plain.modes["g"], atol=1e-6)


def test_nested_groups_are_pairs() -> None:
    data = simulated(300)
    fit = fit_glmm("beta ~ x + (1 | h/g)", data, family="beta")
    same = fit_glmm("beta ~ x + (1 | h) + (1 | h:g)", data, family="beta")
    assert list(fit.variances) == ["h", "h:g"]
    assert fit.groups == {"h": 5, "h:g": len(data.drop_duplicates(["g", "h"]))}
    assert fit.loglik == same.loglik


def test_contrasts_interactions_and_transforms_are_those_of_formulaic() -> None:
    data = simulated(300)
    fit = fit_glmm("beta ~ C(x, Treatment('b')) * w + (1 | g)", data, family="beta")
    assert list(fit.coef.index)[:3] == [
        "Intercept",
        "C(x, Treatment('b'))[T.a]",
        "C(x, Treatment('b'))[T.c]",
    ]
    plain = fit_glmm("beta ~ x * w + (1 | g)", data, family="beta")
    assert fit.loglik == pytest.approx(plain.loglik, abs=1e-8)
    centred = fit_glmm("beta ~ x * center(w) + (1 | g)", data, family="beta")
    assert centred.loglik == pytest.approx(plain.loglik, abs=1e-8)
    shift = plain.coef["w"] * data["w"].mean()
    assert centred.coef["Intercept"] == pytest.approx(plain.coef["Intercept"] + shift, abs=1e-6)


def test_an_offset_is_a_coefficient_of_1() -> None:
    data = simulated(300)
    plain = fit_glmm("beta ~ x + w + (1 | g)", data, family="beta")
    moved = fit_glmm("beta ~ x + w + offset(0.5 * w) + (1 | g)", data, family="beta")
    assert moved.coef["w"] == pytest.approx(plain.coef["w"] - 0.5, abs=1e-6)
    assert moved.loglik == pytest.approx(plain.loglik, abs=1e-8)


def test_a_response_may_be_an_expression() -> None:
    data = simulated(300)
    fit = fit_glmm("np.exp(gaussian) ~ w + (1 | g)", data, family="gaussian")
    column = data.assign(y=np.exp(data["gaussian"]))
    assert fit.loglik == fit_glmm("y ~ w + (1 | g)", column, family="gaussian").loglik


def test_ordinal_takes_the_order_of_a_categorical_and_of_numbers() -> None:
    data = simulated(300)
    names = np.array(["never", "rarely", "often", "always"])
    words = pd.Categorical(names[data["ordinal"]], categories=list(names), ordered=True)
    numbers = fit_glmm("ordinal ~ w + (1 | g)", data, family="ordinal")
    fit = fit_glmm("y ~ w + (1 | g)", data.assign(y=words), family="ordinal")
    assert list(fit.thresholds.index) == ["never|rarely", "rarely|often", "often|always"]
    assert list(numbers.thresholds.index) == ["0|1", "1|2", "2|3"]
    assert fit.loglik == numbers.loglik
    # More of the covariate means higher categories.
    assert fit.coef["w"] > 0


@pytest.mark.parametrize(
    ("options", "change", "message"),
    [
        ({"family": "poisson"}, {}, "family 'poisson': pass one of gaussian"),
        ({"family": "beta", "reml": True}, {}, "REML is for the gaussian family"),
        ({"family": "beta", "trials": "w"}, {"y": 0.3}, "trials are for the binomial family"),
        ({"family": "beta"}, {"y": "a"}, "not numbers"),
        ({"family": "binomial"}, {"y": 0.5}, "value 0 is 0.5; a binomial response is 0 or 1"),
        ({"family": "binomial", "trials": [3, 2]}, {"y": 1}, "pass one number for each"),
        ({"family": "ordinal"}, {"y": "a"}, "text has no order"),
        ({"family": "ordinal"}, {"y": pd.Categorical(["a"] * 50)}, "have no order"),
        ({"family": "gaussian"}, {"y": np.inf}, "not finite"),
        ({"family": "gaussian"}, {"y": np.nan}, "no row has a value"),
        ({"family": "gaussian"}, {"y": 1, "w": np.inf}, "column 'w' of the model matrix"),
    ],
)
def test_what_a_user_can_get_wrong(options: Any, change: Any, message: str) -> None:
    data = simulated(50).assign(**change)
    with pytest.raises(StatisticsError, match=message):
        fit_glmm("y ~ w + (1 | g)", data, **options)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("beta ~ nope + (1 | g)", "names 'nope', which is no column"),
        ("beta ~ w + (1 | nope)", "names 'nope', which is no column"),
        ("nope ~ w + (1 | g)", "names 'nope', which is no column"),
        ("beta ~ w ++* x + (1 | g)", "cannot read|do not match"),
        ("beta ~ np.nope(w) + (1 | g)", "model matrix cannot be built"),
    ],
)
def test_what_a_formula_can_get_wrong(formula: str, message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        fit_glmm(formula, simulated(50), family="beta")


def test_the_table_can_be_read() -> None:
    fit = fit_glmm("ordinal ~ w + (1 | g)", simulated(300), family="ordinal")
    text = str(fit)
    for part in ("[ordinal, ML, Laplace]", "(1 | g): variance", "0|1", "status: converged"):
        assert part in text
    frame = fit.to_frame()
    assert list(frame.columns) == ["estimate", "se", "z", "p_value", "low", "high"]
    assert frame.loc["w", "z"] == pytest.approx(frame.loc["w", "estimate"] / frame.loc["w", "se"])
    assert fit.aic == pytest.approx(-2 * fit.loglik + 2 * 5)
    assert fit.bic == pytest.approx(-2 * fit.loglik + np.log(300) * 5)


def test_a_table_without_numbers_can_be_read_too() -> None:
    data = simulated(60).assign(y=0.4)
    assert "status: no_variation" in str(fit_glmm("y ~ w + (1 | g)", data, family="beta"))
