from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tests.mixed.conftest import MODELS, responses, table

from isogloss.analysis.effects import effects
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import columns_of
from isogloss.mixed.files import MIXED_NAMES
from isogloss.mixed.fits import fit_models
from isogloss.mixed.records import MIXED_TABLES
from isogloss.mixed.tables import _fit_row, mixed_tables
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


def without(rows: pd.DataFrame, lost: pd.Series) -> pd.DataFrame:
    """The responses, those of `lost` refused."""
    rows = rows.copy()
    rows.loc[lost, ["outcome", "modal", "expected"]] = ["refusal", None, np.nan]
    return rows


def test_a_model_without_a_rating_stays_in_the_family(plan: AnalysisPlan) -> None:
    rows = table(responses(models=("m0", "m1", "m2")))
    rows = without(rows, rows["model"] == "m0")
    margins = mixed_tables(rows, plan, MODELS[1:])["mixed_margins"]
    contrast = margins[margins["quantity"] == "contrast"].set_index("model")
    paired = effects(rows, plan).set_index("model")
    assert list(contrast.index) == list(paired.index) == ["m0", "m1", "m2"]
    assert list(contrast["family_size"]) == list(paired["family_size"]) == [3, 3, 3]
    lost = contrast.loc["m0"]
    assert (lost["n"], lost["status"]) == (0, "not_estimable")
    assert lost["reason"] == "no rating of the model"
    assert lost[["estimate", "p_value", "p_adjusted"]].isna().all()
    assert contrast["p_adjusted"].min() == pytest.approx(min(3 * contrast["p_value"].min(), 1))
    means = margins[(margins["quantity"] == "mean") & (margins["model"] == "m0")]
    assert list(means["reason"]) == ["no rating of the model"] * 2


@pytest.mark.parametrize("refused", [True, False])
def test_one_model_of_two_that_rated_is_named_in_its_margins(
    rated: pd.DataFrame, plan: AnalysisPlan, refused: bool
) -> None:
    """Whether the other refused or its ratings are missing."""
    first = rated["model"] == "m1"
    lost = without(rated, first) if refused else rated.assign(modal=rated["modal"].mask(first))
    made = mixed_tables(lost, plan, MODELS[:1])
    (fit,) = made["mixed_fits"].to_dict("records")
    assert (fit["n_models"], fit["n"], fit["status"]) == (1, 80, "converged")
    contrast = made["mixed_margins"].query("quantity == 'contrast'").set_index("model")
    assert contrast.loc["m2", "n"] == 80
    assert np.isfinite(contrast.loc["m2", "estimate"])
    assert contrast.loc["m1", "reason"] == "no rating of the model"


@pytest.mark.parametrize("refused", [True, False])
@pytest.mark.parametrize("guises", [2, 3])
def test_a_guise_without_a_rating_has_rows_without_numbers(
    rated: pd.DataFrame, plan: AnalysisPlan, guises: int, refused: bool
) -> None:
    third = rated[rated["guise"] == "blue"].assign(guise="green")
    rows = pd.concat([rated, *([third] if guises == 3 else [])], ignore_index=True)
    blue = rows["guise"] == "blue"
    lost = without(rows, blue) if refused else rows.assign(modal=rows["modal"].mask(blue))
    made = mixed_tables(lost, plan, MODELS[:1])
    margins = made["mixed_margins"]
    contrast = margins[margins["quantity"] == "contrast"]
    assert list(contrast["model"]) == ["m1", "m2"]
    assert set(contrast["reason"]) == {"no rating in the guise blue"}
    assert contrast[["estimate", "p_value"]].isna().all(axis=None)
    means = margins[margins["quantity"] == "mean"].set_index("guise")
    assert means["estimate"].notna().groupby(level=0).all().to_dict() == {
        guise: guise != "blue" for guise in sorted(set(rows["guise"]))
    }
    assert made["mixed_fits"]["references"][0] == "guise: red; model: m1"


def test_variances_of_a_fit_without_a_maximum_are_not_shown(
    rated: pd.DataFrame, plan: AnalysisPlan
) -> None:
    (fit,) = fit_models(rated, plan, MODELS[:1])
    lost = replace(fit, fit=replace(fit.fit, status="not_converged"))
    assert np.isfinite(fit.fit.variances["item"])
    assert _fit_row(fit).variances.startswith("item: ")
    assert _fit_row(lost).variances == ""


def test_items_that_decide_alone_leave_no_means_and_few_items_are_noted(plan: AnalysisPlan) -> None:
    few = mixed_tables(table(responses(items=12)), plan, MODELS)["mixed_fits"]
    assert few["reason"].str.contains("item has 12 levels").all()
    rows = table(responses(items=60, models=("m1",)))
    number = rows["item_id"].str[1:].astype(int)
    stubborn = rows.assign(modal=(2 + number % 3).astype(str))
    for place in (3, 40, 41, 77):
        stubborn.loc[place, "modal"] = "5"
    made = mixed_tables(stubborn, plan, MODELS)
    (steps, line) = made["mixed_fits"].to_dict("records")
    assert "logits: its levels get nearly the same answer" in steps["reason"]
    assert pd.isna(line["reason"])
    margins = made["mixed_margins"]
    withheld = margins[margins["fit"] == "steps"]
    assert list(withheld["quantity"]) == ["mean", "mean", "contrast"]
    assert set(withheld["status"]) == {"not_estimable"}
    assert withheld[["estimate", "low", "high", "se", "p_value"]].isna().all(axis=None)
    assert withheld["reason"].str.contains("says nothing of them").all()
    assert margins.loc[margins["fit"] == "line", "estimate"].notna().all()


def test_a_study_without_mixed_models_has_tables_without_rows(
    rated: pd.DataFrame, plan: AnalysisPlan
) -> None:
    made = mixed_tables(rated, plan, ())
    assert [len(frame) for frame in made.values()] == [0, 0, 0]
    assert list(made["mixed_fits"].columns) == columns_of(MIXED_TABLES["mixed_fits"])
