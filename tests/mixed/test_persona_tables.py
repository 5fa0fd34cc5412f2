"""The tables of mixed models of a study with personas."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from scipy.special import expit
from tests.mixed.postings import (
    CROSSED,
    CUTS,
    EFFECTS,
    GUISE,
    LINE,
    NOBODY,
    PERSONA,
    PERSONAS,
    PLAN,
    SHORT,
    STEPS,
    TALL,
    refused,
    scores,
)

from isogloss.mixed.model import MixedModel
from isogloss.mixed.tables import mixed_tables

Tables = dict[str, pd.DataFrame]
PAIRS = [(TALL, NOBODY), (TALL, SHORT), (SHORT, NOBODY)]


def tables(rows: pd.DataFrame, *models: MixedModel) -> Tables:
    return mixed_tables(rows, PLAN, models or (LINE,))


def of(made: Tables, quantity: str) -> pd.DataFrame:
    margins = made["mixed_margins"]
    return margins[margins["quantity"] == quantity]


def interactions(made: Tables) -> pd.DataFrame:
    return of(made, "interaction").set_index(["persona", "reference_persona"])


def contrasts(made: Tables) -> pd.DataFrame:
    return of(made, "contrast").set_index("persona")


def fit_of(made: Tables) -> dict[str, Any]:
    (row,) = made["mixed_fits"].to_dict("records")
    return row


@pytest.fixture(scope="module")
def simulated() -> pd.DataFrame:
    return scores(items=200)


@pytest.fixture(scope="module")
def line(simulated: pd.DataFrame) -> Tables:
    return tables(simulated, LINE)


def extra(persona: str) -> float:
    return EFFECTS.get(("red", persona), 0.0)


@pytest.mark.parametrize(("persona", "reference"), PAIRS)
def test_a_gaussian_finds_the_interaction_that_was_put_in(
    line: Tables, persona: str, reference: str
) -> None:
    row = interactions(line).loc[(persona, reference)]
    true = extra(persona) - extra(reference)
    assert abs(row["estimate"] - true) < 3 * row["se"]
    assert row["se"] < 0.1
    assert row["low"] < row["estimate"] < row["high"]


def test_a_gaussian_interaction_over_nobody_is_its_coefficient(line: Tables) -> None:
    frame = line["mixed_coefficients"].set_index("term")
    for persona in (TALL, SHORT):
        coefficient = frame.loc[f"guise[T.red]:persona[T.{persona}]"]
        row = interactions(line).loc[(persona, NOBODY)]
        for name in ("estimate", "low", "high", "se", "p_value"):
            assert row[name] == pytest.approx(coefficient[name], rel=1e-7, abs=1e-300)


def test_of_complete_scores_it_is_the_difference_of_differences_of_means(
    line: Tables, simulated: pd.DataFrame
) -> None:
    means = simulated.groupby(["persona", "guise"])["expected"].mean().unstack()
    gaps = means["red"] - means["blue"]
    np.testing.assert_allclose(contrasts(line)["estimate"], gaps[list(PERSONAS)], atol=1e-9)
    found = interactions(line)["estimate"]
    for persona, reference in PAIRS:
        assert found[(persona, reference)] == pytest.approx(gaps[persona] - gaps[reference])


def test_an_ordinal_model_finds_the_interaction_that_was_put_in(simulated: pd.DataFrame) -> None:
    made = tables(simulated, STEPS)
    frame = made["mixed_coefficients"].set_index("term")
    for persona in (TALL, SHORT):
        row = frame.loc[f"guise[T.red]:persona[T.{persona}]"]
        assert abs(row["estimate"] - extra(persona)) < 3 * row["se"]
    row = interactions(made).loc[(TALL, SHORT)]
    true = points(TALL) - points(SHORT)
    assert abs(row["estimate"] - true) < 3 * row["se"]
    assert row["se"] < 0.25
    assert "difference of differences of marginal means, response scale" in row["method"]


def points(persona: str) -> float:
    """What the guise does for a persona in points, at the middle item."""
    blue = PERSONA[persona]
    ratings = [
        1 + sum(expit(eta - cut) for cut in CUTS) for eta in (blue + GUISE + extra(persona), blue)
    ]
    return float(ratings[0] - ratings[1])


def test_unpaired_items_agree_with_statsmodels() -> None:
    rows = scores(items=40, paired=False)
    found = interactions(tables(rows, LINE)).loc[(TALL, NOBODY)]
    terms = f"C(guise, Treatment('blue')) * C(persona, Treatment('{NOBODY}'))"
    fit = smf.mixedlm(f"expected ~ {terms}", rows, groups=rows["item_id"]).fit(reml=True)
    (name,) = [n for n in fit.params.index if ":" in n and TALL in n]
    assert found["estimate"] == pytest.approx(fit.params[name], abs=1e-8)
    assert found["se"] == pytest.approx(fit.bse[name], rel=1e-4)
    contrast = contrasts(tables(rows, LINE)).loc[NOBODY]
    (name,) = [n for n in fit.params.index if ":" not in n and "guise" in n]
    assert contrast["estimate"] == pytest.approx(fit.params[name], abs=1e-8)
    assert contrast["se"] == pytest.approx(fit.bse[name], rel=1e-4)


def test_rows_name_their_role_family_and_personas(line: Tables) -> None:
    margins = line["mixed_margins"]
    assert set(margins["task"]) == {"buyer"}
    assert set(margins["persona_family"]) == {"height"}
    assert set(margins["model"]) == {"m1"}
    assert list(of(line, "mean")["persona"]) == [p for p in PERSONAS for _ in range(2)]
    assert list(of(line, "contrast")["persona"]) == list(PERSONAS)
    assert list(interactions(line).index) == PAIRS
    assert set(of(line, "contrast")["reference_persona"]) == {""}
    assert list(of(line, "interaction")["n"]) == [800] * 3
    assert fit_of(line)["references"] == f"guise: blue; persona: {NOBODY}"


def test_p_values_are_adjusted_with_those_of_the_same_question(line: Tables) -> None:
    tested = line["mixed_margins"].query("quantity != 'mean'")
    sizes = tested.groupby("family")["family_size"].agg(["first", "size"])
    shared = "mixed | line | red - blue | set | direct | all | buyer | height"
    assert sizes["size"].to_dict() == {
        shared: 3,
        f"{shared} | interaction over unspecified": 2,
        f"{shared} | interaction over reference": 1,
    }
    assert (sizes["first"] == sizes["size"]).all()
    alone = interactions(line).loc[(TALL, SHORT)]
    assert alone["p_adjusted"] == alone["p_value"]
    low = interactions(line).loc[(TALL, NOBODY)]
    assert low["p_adjusted"] == pytest.approx(2 * low["p_value"], abs=0)


def test_personas_of_two_attributes_are_compared_within_the_first() -> None:
    cells = tuple(persona for _, _, persona in CROSSED)
    rows = scores(items=40, personas=(NOBODY, *cells), effects={("red", cells[0]): 1.0})
    found = interactions(tables(rows, LINE))
    within = [(cells[0], cells[1]), (cells[2], cells[3])]
    assert set(found.index) == {*within, *((cell, NOBODY) for cell in cells)}
    assert abs(found.loc[(cells[0], cells[1]), "estimate"] - 1) < 0.6
    assert abs(found.loc[(cells[2], cells[3]), "estimate"]) < 0.6


@pytest.mark.parametrize("model", [LINE, STEPS])
def test_a_persona_that_is_always_refused_loses_nothing_else(model: MixedModel) -> None:
    rows = scores(items=40)
    whole, made = tables(rows, model), tables(refused(rows, rows["persona"] == TALL), model)
    lost = made["mixed_margins"].query("persona == 'tall'")
    assert list(lost["quantity"]) == ["mean"] * 2 + ["contrast"] + ["interaction"] * 2
    assert set(lost["status"]) == {"not_estimable"}
    assert set(lost["reason"]) == {"no rating for the persona tall"}
    assert lost[["estimate", "low", "high", "se", "p_value", "p_adjusted"]].isna().all(axis=None)
    kept = interactions(made).loc[(SHORT, NOBODY)]
    assert kept["status"] == "ok"
    assert kept["family_size"] == interactions(whole).loc[(SHORT, NOBODY), "family_size"] == 2
    assert kept["p_adjusted"] == pytest.approx(min(2 * kept["p_value"], 1))
    assert (fit_of(made)["n"], fit_of(made)["n_missing_refusal"]) == (160, 80)


def test_a_persona_refused_in_one_guise_loses_nothing_else() -> None:
    rows = scores(items=20)
    made = tables(refused(rows, rows["persona"].eq(TALL) & rows["guise"].eq("red")))
    lost = contrasts(made).loc[TALL]
    assert lost["status"] == "not_estimable"
    assert lost["reason"] == "the persona tall is not in the fit: no rating in the guise red"
    assert interactions(made).loc[(SHORT, NOBODY), "status"] == "ok"
    fit = fit_of(made)
    assert (fit["n"], fit["n_dropped"], fit["n_missing_refusal"]) == (80, 20, 20)
    assert "the persona tall was left out: no rating in the guise red" in fit["reason"]


def test_without_nobody_personas_are_compared_with_each_other_only() -> None:
    rows = scores(items=20)
    found = interactions(tables(refused(rows, rows["persona"] == NOBODY)))
    assert found.loc[(TALL, SHORT), "status"] == "ok"
    assert found.loc[(TALL, NOBODY), "reason"] == "no rating for the persona nobody"
    never = interactions(tables(rows[rows["persona"] != NOBODY]))
    assert list(never.index) == [(TALL, SHORT)]


def test_a_guise_without_ratings_is_named() -> None:
    rows = scores(items=20)
    made = tables(refused(rows, rows["guise"] == "red"))
    tested = made["mixed_margins"].query("quantity != 'mean'")
    assert set(tested["reason"]) == {"no rating in the guise red"}
    assert of(made, "mean").query("guise == 'blue'")["status"].eq("ok").all()


def test_a_fit_that_fails_says_so_in_every_row() -> None:
    made = tables(scores(items=10).assign(modal="7"), STEPS)
    assert set(made["mixed_margins"]["reason"]) == {"no_variation: rating is 7 in every row"}
    assert made["mixed_margins"]["estimate"].isna().all()
    assert len(interactions(made)) == 3


def test_rows_about_several_models_say_what_they_take_for_granted() -> None:
    rows = scores(items=20, models=("m1", "m2", "m3"))
    silent = rows["model"].eq("m3") | (rows["model"].eq("m2") & rows["persona"].eq(TALL))
    made = tables(refused(rows, silent))
    assert set(made["mixed_margins"]["model"]) == {"all models"}
    fit = fit_of(made)
    assert fit["n_models"] == 2
    for note in (
        "model has 2 levels, and the tests take many for granted",
        "no rating by the model m3",
        "guises and personas are taken to have the same effect in every model",
        "no rating for the persona tall by m2",
    ):
        assert note in fit["reason"]


def test_one_of_two_models_that_rated_is_named() -> None:
    rows = scores(items=20, models=("m1", "m2"))
    made = tables(refused(rows, rows["model"] == "m1"))
    assert set(made["mixed_margins"]["model"]) == {"m2"}
    assert "no rating by the model m1" in fit_of(made)["reason"]


def test_a_formula_without_wordings_says_what_it_takes_for_granted() -> None:
    plain = replace(LINE, single="rating ~ guise * persona + (1 | item)")
    note = "the effect of a guise is taken to be the same in every item"
    assert note in fit_of(tables(scores(items=30), plain))["reason"]
    assert note not in str(fit_of(tables(scores(items=30), LINE))["reason"])
    assert note not in str(fit_of(tables(scores(items=30, paired=False), plain))["reason"])


def share_covering(quantity: str, true: float, runs: int, **settings: Any) -> float:
    """Share of simulated studies whose interval of nobody's contrast, or tall's, covers it."""
    found = []
    for seed in range(runs):
        made = tables(scores(seed=seed, **settings))
        row = contrasts(made).loc[NOBODY]
        if quantity == "interaction":
            row = interactions(made).loc[(TALL, NOBODY)]
        found.append(row["low"] <= true <= row["high"])
    return float(np.mean(found))


@pytest.mark.slow
def test_intervals_of_interactions_cover_at_their_level() -> None:
    covered = share_covering("interaction", extra(TALL), 120, items=30)
    assert 0.89 <= covered <= 0.99


@pytest.mark.slow
def test_intervals_of_contrasts_cover_where_wordings_differ() -> None:
    """With an intercept for items alone it is 78 %, as ratings of a wording are no replicates."""
    models = ("m1", "m2", "m3", "m4")
    covered = share_covering("contrast", GUISE, 120, items=30, models=models, wording=0.5)
    assert 0.89 <= covered <= 0.99
