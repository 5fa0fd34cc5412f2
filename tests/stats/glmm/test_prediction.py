import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from tests.stats.glmm.conftest import simulated

from isogloss.errors import StatisticsError
from isogloss.stats.glmm import fit_glmm

FAMILIES = ["gaussian", "binomial", "beta", "ordinal"]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("scale", ["link", "response"])
@pytest.mark.parametrize("random", ["fitted", "none"])
def test_rows_of_the_fit_as_new_data(family: str, scale: str, random: str) -> None:
    data = simulated(200).set_index(np.arange(200) + 7)
    formula = f"{family} ~ x * w + offset(0.3 * w) + (1 | g) + (1 | h:g)"
    fit = fit_glmm(formula, data, family=family)
    own = fit.predict(scale=scale, random=random)  # type: ignore[arg-type]
    new = fit.predict(data.iloc[::-1], scale=scale, random=random)  # type: ignore[arg-type]
    assert list(own.index) == list(data.index)
    np.testing.assert_allclose(new.loc[own.index], own, atol=1e-12)


def test_a_prediction_by_hand() -> None:
    fit = fit_glmm("beta ~ x + w + (1 | g)", simulated(300), family="beta")
    new = pd.DataFrame({"x": ["c"], "w": [0.5], "g": [3]})
    eta = fit.coef["Intercept"] + fit.coef["x[T.c]"] + 0.5 * fit.coef["w"]
    assert fit.predict(new, scale="link", random="none").iloc[0] == pytest.approx(eta)
    expected = expit(eta + fit.modes["g"][3])
    assert fit.predict(new).iloc[0] == pytest.approx(expected)


def test_ordinal_gives_a_probability_for_each_category() -> None:
    fit = fit_glmm("ordinal ~ w + (1 | g)", simulated(300), family="ordinal")
    table = fit.predict(pd.DataFrame({"w": [0.5]}), random="none")
    assert list(table.columns) == [0, 1, 2, 3]
    assert table.iloc[0].sum() == pytest.approx(1)
    below = expit(fit.thresholds["1|2"] - 0.5 * fit.coef["w"])
    assert table.iloc[0, :2].sum() == pytest.approx(below)


@pytest.mark.parametrize(
    ("new", "options", "message"),
    [
        ({"x": ["z"], "w": [0.0], "g": [3]}, {}, "x: level 'z' was not in the data"),
        ({"x": ["a"], "w": [0.0], "g": [99]}, {}, "g: level .*99.* was not in the fit"),
        ({"x": ["a"], "w": [0.0]}, {}, "have no column 'g'"),
        ({"x": ["a"], "g": [3]}, {}, "model matrix cannot be built"),
        ({"x": ["a"], "w": [np.nan], "g": [3]}, {}, "model matrix cannot be built"),
        ({"x": ["a"], "w": [0.0], "g": [3]}, {"scale": "odds"}, "scale is 'odds'"),
    ],
)
def test_what_cannot_be_predicted_is_named(new: dict, options: dict, message: str) -> None:
    fit = fit_glmm("beta ~ x + w + (1 | g)", simulated(300), family="beta")
    with pytest.raises(StatisticsError, match=message):
        fit.predict(pd.DataFrame(new), **options)


@pytest.mark.parametrize(
    ("terms", "new", "message"),
    [
        ("C(h)", {"h": [99]}, "h: level .*99.* was not in the data"),
        ("C(h, contr.sum)", {"h": [99]}, "h: level .*99.* was not in the data"),
        ("C(h // 2)", {"h": [99]}, "a level is not among those of the model"),
        ("offset(np.log(w + 9))", {"w": [-9.0]}, r"offset .* is not finite in 1 of 1 rows"),
    ],
)
def test_what_the_fit_has_not_seen_is_no_reference_level(
    terms: str, new: dict, message: str
) -> None:
    fit = fit_glmm(f"beta ~ {terms} + (1 | g)", simulated(300), family="beta")
    with pytest.raises(StatisticsError, match=message):
        fit.predict(pd.DataFrame(new), random="none")


def test_new_values_of_known_levels_can_be_predicted() -> None:
    fit = fit_glmm("beta ~ C(w > 0) + (1 | g)", simulated(300), family="beta")
    low, high = fit.predict(pd.DataFrame({"w": [-77.0, 77.0]}), scale="link", random="none")
    assert high - low == pytest.approx(fit.coef.iloc[1])
