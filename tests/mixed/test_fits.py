import numpy as np
import pandas as pd
import pytest
from tests.mixed.conftest import MODELS, SEVERAL, SINGLE, responses, table

from isogloss.analysis.plan import AnalysisPlan
from isogloss.errors import ResponseError
from isogloss.mixed.fits import Fitted, fit_models


def fitted(rows: pd.DataFrame, plan: AnalysisPlan) -> list[Fitted]:
    return list(fit_models(rows, plan, MODELS))


def keys(found: list[Fitted]) -> list[tuple[str, ...]]:
    return [(f.block.item_set, f.block.mode, f.block.subset, f.block.fit) for f in found]


def test_models_are_told_apart_where_there_are_several(
    rated: pd.DataFrame, plan: AnalysisPlan
) -> None:
    steps, line = fitted(rated, plan)
    assert keys([steps, line]) == [("set", "direct", "all", name) for name in ("steps", "line")]
    assert (steps.fit.formula, steps.several) == (SEVERAL, True)
    terms = ["guise[T.red]", "model[T.m2]", "guise[T.red]:model[T.m2]"]
    assert list(steps.fit.coef.index) == terms
    assert list(line.fit.coef.index) == ["Intercept", *terms]
    assert list(steps.fit.thresholds.index) == ["1|2", "2|3", "3|4", "4|5"]
    assert (steps.fit.reml, line.fit.reml) == (False, True)


def test_one_model_has_the_shorter_formula(plan: AnalysisPlan) -> None:
    steps, _ = fitted(table(responses(models=("m1",))), plan)
    assert (steps.fit.formula, steps.several) == (SINGLE, False)
    assert list(steps.fit.coef.index) == ["guise[T.red]"]


def test_other_conditions_tasks_and_modes_are_not_in_a_fit(
    rated: pd.DataFrame, plan: AnalysisPlan
) -> None:
    others = [
        rated.assign(condition="helped", modal="1"),
        rated.assign(task="decision", modal="yes"),
        rated.assign(mode="reasoned", modal="1"),
    ]
    found = fitted(pd.concat([*others, rated], ignore_index=True), plan)
    assert keys(found) == [("set", "direct", "all", name) for name in ("steps", "line")]
    assert [one.fit.loglik for one in found] == [one.fit.loglik for one in fitted(rated, plan)]


def test_item_sets_and_modes_are_fitted_each_by_itself(
    rated: pd.DataFrame, plan: AnalysisPlan
) -> None:
    rows = [rated, rated.assign(mode="recorded"), rated.assign(item_set="more")]
    found = keys(fitted(pd.concat(rows, ignore_index=True), plan))
    assert [key[:2] for key in found[::2]] == [
        ("more", "direct"),
        ("set", "direct"),
        ("set", "recorded"),
    ]


def test_responses_without_a_value_are_kept_out_and_at_hand(
    rated: pd.DataFrame, plan: AnalysisPlan
) -> None:
    lost = rated.copy()
    lost.loc[:2, ["outcome", "modal", "expected"]] = ["refusal", None, np.nan]
    steps, _ = fitted(lost, plan)
    assert (steps.fit.n, steps.fit.n_dropped, len(steps.rows)) == (157, 0, 160)


def test_wordings_that_failed_validation_leave_the_second_subset(
    rated: pd.DataFrame, plan: AnalysisPlan
) -> None:
    doubtful = rated.assign(valid_pair=~rated["item_id"].isin(["i0", "i1"]))
    found = fitted(doubtful, plan)
    assert [(f.block.subset, f.fit.n) for f in found] == [
        ("all", 160),
        ("all", 160),
        ("validated", 152),
        ("validated", 152),
    ]


def test_one_guise_has_nothing_to_compare(rated: pd.DataFrame, plan: AnalysisPlan) -> None:
    assert fitted(rated[rated["guise"] == "red"], plan) == []


def test_answers_that_are_no_numbers_are_named(rated: pd.DataFrame, plan: AnalysisPlan) -> None:
    with pytest.raises(ResponseError, match="mixed model steps: a rating in the column 'modal'"):
        fitted(rated.assign(modal="good"), plan)
