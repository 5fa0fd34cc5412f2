from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tests.mixed.conftest import MODELS, responses, table

from isogloss.analysis.effects import effects
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import columns_of
from isogloss.mixed.files import MIXED_NAMES
from isogloss.mixed.records import MIXED_TABLES
from isogloss.mixed.tables import mixed_tables
from isogloss.stats.glmm import fit_glmm

Tables = dict[str, pd.DataFrame]


@pytest.fixture(scope="module")
def made(rated: pd.DataFrame, plan: AnalysisPlan) -> Tables:
    return mixed_tables(rated, plan, MODELS)


def test_names_and_columns_are_those_declared(made: Tables) -> None:
    assert tuple(made) == MIXED_NAMES == tuple(MIXED_TABLES)
    for name, kind in MIXED_TABLES.items():
        assert list(made[name].columns) == columns_of(kind)


def test_coefficients_are_those_of_a_fit_of_the_same_rows(
    made: Tables, rated: pd.DataFrame
) -> None:
    data = pd.DataFrame(
        {
            "y": rated["expected"],
            "red": (rated["guise"] == "red").astype(int),
            "m2": (rated["model"] == "m2").astype(int),
            "item": rated["item_id"],
        }
    )
    fit = fit_glmm("y ~ red * m2 + (1 | item)", data, family="gaussian", reml=True)
    frame = made["mixed_coefficients"]
    line = frame[(frame["fit"] == "line") & (frame["part"] == "coefficient")]
    np.testing.assert_allclose(line["estimate"], fit.coef, rtol=1e-8)
    np.testing.assert_allclose(line["se"], fit.se, rtol=1e-6)
    np.testing.assert_allclose(line["p_value"], fit.p, rtol=1e-5)
    steps = frame[(frame["fit"] == "steps") & (frame["part"] == "threshold")]
    assert list(steps["term"]) == ["1|2", "2|3", "3|4", "4|5"]
    assert steps["estimate"].is_monotonic_increasing
    assert steps["p_value"].isna().all()


def test_gaussian_contrasts_of_complete_pairs_are_the_paired_differences(
    made: Tables, rated: pd.DataFrame, plan: AnalysisPlan
) -> None:
    margins = made["mixed_margins"]
    line = margins[(margins["fit"] == "line") & (margins["quantity"] == "contrast")]
    paired = effects(rated, plan)
    paired = paired[paired["subgroup"] == ""]
    assert list(line["model"]) == list(paired["model"]) == ["m1", "m2"]
    np.testing.assert_allclose(line["estimate"], paired["estimate"], atol=1e-10)
    assert (line["estimate"] < 0).all()


def test_a_contrast_is_guise_minus_reference_of_the_means(made: Tables) -> None:
    margins = made["mixed_margins"]
    keys = ["fit", "model"]
    means = margins[margins["quantity"] == "mean"].pivot(
        index=keys, columns="guise", values="estimate"
    )
    contrast = margins[margins["quantity"] == "contrast"].set_index(keys)["estimate"]
    np.testing.assert_allclose(contrast, (means["red"] - means["blue"]).loc[contrast.index])
    assert means.to_numpy().min() > 1
    assert means.to_numpy().max() < 5


def test_the_models_of_one_fit_are_a_family(made: Tables) -> None:
    margins = made["mixed_margins"]
    contrast = margins[margins["quantity"] == "contrast"]
    assert set(contrast["family_size"]) == {2}
    for _, family in contrast.groupby("family"):
        low, high = sorted(family["p_value"])
        assert family["p_adjusted"].min() == pytest.approx(min(2 * low, 1))
        assert family["p_adjusted"].max() == pytest.approx(max(2 * low, high))
    means = margins[margins["quantity"] == "mean"]
    assert set(means["family_size"]) == {0}
    assert means["p_adjusted"].isna().all()


def test_intervals_follow_the_plans_level(rated: pd.DataFrame, plan: AnalysisPlan) -> None:
    wide = mixed_tables(rated, replace(plan, alpha=0.01), MODELS)
    narrow = mixed_tables(rated, replace(plan, alpha=0.2), MODELS)
    for name in ("mixed_margins", "mixed_coefficients"):
        spread = [(t[name]["high"] - t[name]["low"]).dropna() for t in (wide, narrow)]
        assert (spread[0] > spread[1]).all()


def test_a_fit_says_what_it_rests_on(rated: pd.DataFrame, plan: AnalysisPlan) -> None:
    lost = rated.copy()
    lost.loc[:2, ["outcome", "modal", "expected"]] = ["refusal", None, np.nan]
    row = mixed_tables(lost, plan, MODELS)["mixed_fits"].iloc[0]
    assert (row["n"], row["n_missing_refusal"], row["n_models"]) == (157, 3, 2)
    assert (row["groups"], row["references"]) == ("item: 40", "guise: blue; model: m1")
    assert row["variances"].startswith("item: ")
    assert (row["status"], row["reason"]) == ("converged", None)
    assert row["method"] == "maximum likelihood, Laplace approximation"


def test_a_fit_that_fails_keeps_its_rows_without_numbers(
    rated: pd.DataFrame, plan: AnalysisPlan
) -> None:
    made = mixed_tables(rated.assign(modal="4"), plan, MODELS[:1])
    (fit,) = made["mixed_fits"].to_dict("records")
    assert (fit["status"], fit["reason"]) == ("no_variation", "rating is 4 in every row")
    margins = made["mixed_margins"]
    assert list(margins["quantity"]) == ["mean"] * 4 + ["contrast"] * 2
    assert margins[["estimate", "low", "p_value", "p_adjusted"]].isna().all(axis=None)
    assert set(margins["reason"]) == {"no_variation: rating is 4 in every row"}
    assert made["mixed_coefficients"]["estimate"].isna().all()


def test_a_model_that_lacks_a_guise_is_named(rated: pd.DataFrame, plan: AnalysisPlan) -> None:
    partly = rated[(rated["model"] == "m1") | (rated["guise"] == "blue")]
    made = mixed_tables(partly, plan, MODELS[1:])
    (fit,) = made["mixed_fits"].to_dict("records")
    assert fit["status"] == "rank_deficient"
    assert "guise[T.red]:model[T.m2]" in fit["reason"]


def test_few_items_and_items_that_decide_alone_are_noted(plan: AnalysisPlan) -> None:
    few = mixed_tables(table(responses(items=12)), plan, MODELS)["mixed_fits"]
    assert few["reason"].str.contains("item has 12 levels").all()
    rows = table(responses(items=60, models=("m1",)))
    number = rows["item_id"].str[1:].astype(int)
    stubborn = rows.assign(modal=(2 + number % 3).astype(str))
    for place in (3, 40, 41, 77):
        stubborn.loc[place, "modal"] = "5"
    (fit,) = mixed_tables(stubborn, plan, MODELS[:1])["mixed_fits"].to_dict("records")
    assert "logits: its levels get nearly the same answer" in fit["reason"]


def test_a_study_without_mixed_models_has_tables_without_rows(
    rated: pd.DataFrame, plan: AnalysisPlan
) -> None:
    made = mixed_tables(rated, plan, ())
    assert [len(frame) for frame in made.values()] == [0, 0, 0]
    assert list(made["mixed_fits"].columns) == columns_of(MIXED_TABLES["mixed_fits"])
