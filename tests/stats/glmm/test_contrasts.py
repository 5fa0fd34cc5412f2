from math import sqrt

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tests.stats.glmm.conftest import simulated

from isogloss.errors import StatisticsError
from isogloss.stats.glmm import GlmmFit, fit_glmm
from isogloss.stats.glmm.contrasts import contrasts
from isogloss.stats.glmm.margins import marginal_means

BINOMIAL = 3.5
"""Standard errors of a simulated rate; a right procedure leaves them in 1 of 2,000 seeds."""


def fitted(terms: str = "x + w", family: str = "gaussian") -> tuple[GlmmFit, pd.DataFrame]:
    data = simulated(400).assign(k=lambda d: np.where(d["h"] > 1, "p", "q"))
    return fit_glmm(f"{family} ~ {terms} + (1 | g)", data, family=family), data


def test_differences_of_a_linear_model_are_its_coefficients() -> None:
    fit, data = fitted()
    frame = contrasts(marginal_means(fit, data, "x")).set_index("contrast")
    assert list(frame.index) == ["b - a", "c - a", "c - b"]
    np.testing.assert_allclose(frame["estimate"][:2], fit.coef[["x[T.b]", "x[T.c]"]])
    np.testing.assert_allclose(frame["se"][:2], fit.se[["x[T.b]", "x[T.c]"]])
    np.testing.assert_allclose(frame["p_value"][:2], fit.p[["x[T.b]", "x[T.c]"]])
    v = fit.vcov
    variance = v.loc["x[T.c]", "x[T.c]"] + v.loc["x[T.b]", "x[T.b]"] - 2 * v.loc["x[T.b]", "x[T.c]"]
    assert frame.loc["c - b", "se"] == pytest.approx(sqrt(variance))
    bounds = fit.confint().loc["x[T.b]"]
    assert frame.loc["b - a", ["low", "high"]].tolist() == pytest.approx(bounds.tolist())


def test_another_reference_turns_the_sign() -> None:
    fit, data = fitted()
    margins = marginal_means(fit, data, "x")
    pairs = contrasts(margins, adjustment="none").set_index("contrast")
    with_b = contrasts(margins, reference="b", adjustment="none").set_index("contrast")
    assert list(with_b.index) == ["a - b", "c - b"]
    assert with_b.loc["a - b", "estimate"] == -pairs.loc["b - a", "estimate"]
    assert with_b.loc["a - b", "low"] == -pairs.loc["b - a", "high"]
    assert with_b.loc["c - b", "p_value"] == pytest.approx(pairs.loc["c - b", "p_value"])


def test_holm_by_hand() -> None:
    fit, data = fitted()
    frame = contrasts(marginal_means(fit, data, "x"), adjustment="holm")
    p = frame["p_value"].sort_values()
    expected = np.minimum(np.maximum.accumulate(p * [3, 2, 1]), 1)
    np.testing.assert_allclose(frame.loc[p.index, "p_adjusted"], expected)
    assert set(frame["family_size"]) == {3}
    half = stats.norm.isf(0.025 / 3) * frame["se"]
    np.testing.assert_allclose(frame["high_all"], frame["estimate"] + half)


def test_tukey_is_the_largest_difference_of_three_means() -> None:
    """Table value: 3.314 is the 95 % point of the range of three standard normal variables."""
    fit, data = fitted()
    frame = contrasts(marginal_means(fit, data, "x"), adjustment="tukey")
    margin = (frame["high_all"] - frame["estimate"]) / frame["se"]
    np.testing.assert_allclose(margin, 3.3145 / sqrt(2), rtol=1e-4)
    rejected = frame["p_adjusted"] < 0.05
    np.testing.assert_array_equal(rejected, frame["low_all"] * frame["high_all"] > 0)
    assert (frame["p_adjusted"] > frame["p_value"]).all()


def test_tukey_of_two_levels_is_no_adjustment() -> None:
    fit, data = fitted("k + w")
    frame = contrasts(marginal_means(fit, data, "k"), adjustment="tukey")
    np.testing.assert_allclose(frame["p_adjusted"], frame["p_value"], rtol=1e-6)
    np.testing.assert_allclose(frame["low_all"], frame["low"], rtol=1e-5)


def test_within_by_each_combination_is_a_family() -> None:
    fit, data = fitted("x * k", "ordinal")
    margins = marginal_means(fit, data, "x", by=["k"])
    frame = contrasts(margins)
    assert list(frame["k"]) == ["p"] * 3 + ["q"] * 3
    assert set(frame["family_size"]) == {3}
    table = margins.to_frame().set_index(["k", "x"])["estimate"]
    row = frame[(frame["k"] == "q") & (frame["contrast"] == "c - b")].iloc[0]
    assert row["estimate"] == pytest.approx(table["q", "c"] - table["q", "b"])


def test_a_failed_fit_gives_rows_without_numbers() -> None:
    data = simulated(100).assign(y=1.0)
    fit = fit_glmm("y ~ x + (1 | g)", data, family="gaussian")
    frame = contrasts(marginal_means(fit, data, "x"), reference="a")
    assert len(frame) == 2
    assert frame[["estimate", "se", "low_all", "p_value", "p_adjusted"]].isna().all(axis=None)
    assert set(frame["status"]) == {"not_estimable"}
    assert set(frame["reason"]) == {"no_variation: y is 1 in every row"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reference": "a", "adjustment": "tukey"}, "tukey is for all pairs"),
        ({"reference": "z"}, "x has no level 'z'; levels: a, b, c"),
        ({"adjustment": "fdr"}, "adjustment is 'fdr'"),
    ],
)
def test_what_cannot_be_compared_is_named(options: dict, message: str) -> None:
    fit, data = fitted()
    with pytest.raises(StatisticsError, match=message):
        contrasts(marginal_means(fit, data, "x"), **options)


@pytest.mark.slow
@pytest.mark.parametrize("adjustment", ["tukey", "holm"])
def test_a_family_without_effects_is_rejected_as_often_as_its_level(adjustment: str) -> None:
    fits = 300
    rejected = []
    for seed in range(fits):
        data = simulated(300, seed=seed, g=30, sd=(0.6, 0.0))
        data["gaussian"] -= 0.3 * (data["x"] == "b")
        fit = fit_glmm("gaussian ~ x + (1 | g)", data, family="gaussian")
        frame = contrasts(marginal_means(fit, data, "x"), adjustment=adjustment)  # type: ignore[arg-type]
        rejected.append((frame["p_adjusted"] < 0.05).any())
    rate = np.mean(rejected)
    error = BINOMIAL * sqrt(0.05 * 0.95 / fits)
    assert rate < 0.05 + error
    if adjustment == "tukey":
        assert rate > 0.05 - error
