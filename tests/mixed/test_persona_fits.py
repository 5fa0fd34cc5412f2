"""What mixed models of a study with personas are fitted to."""

from dataclasses import replace

import pandas as pd
import pytest
from tests.mixed.conftest import MODELS
from tests.mixed.postings import CROSSED, LINE, NOBODY, PERSONAS, PLAN, SHORT, TALL, refused, scores

from isogloss.errors import ConfigurationError
from isogloss.mixed.fits import Fitted, fit_models

CELLS = tuple(persona for _, _, persona in CROSSED)


def fitted(rows: pd.DataFrame) -> list[Fitted]:
    return list(fit_models(rows, PLAN, [LINE]))


def test_each_role_and_family_is_fitted_by_itself() -> None:
    rows = scores(items=6, personas=(*PERSONAS, "left", "right", *CELLS))
    found = fitted(pd.concat([rows.assign(task="seller"), rows], ignore_index=True))
    assert [(f.block.task, f.block.persona_family) for f in found] == [
        (role, family)
        for role in ("buyer", "seller")
        for family in ("height", "hand", "hand x height")
    ]
    assert [set(f.data["persona"]) for f in found[:3]] == [
        set(PERSONAS),
        {NOBODY, "left", "right"},
        {NOBODY, *CELLS},
    ]
    assert [f.fit.n for f in found[:3]] == [36, 36, 60]


def test_a_family_without_personas_in_the_rows_has_no_fit() -> None:
    (only,) = fitted(scores(items=6))
    assert only.block.persona_family == "height"
    assert fitted(scores(items=6, personas=(NOBODY,))) == []


def test_the_reference_levels_are_the_plans() -> None:
    (one,) = fitted(scores(items=6))
    assert list(one.fit.coef.index) == [
        "Intercept",
        "guise[T.red]",
        f"persona[T.{SHORT}]",
        f"persona[T.{TALL}]",
        f"guise[T.red]:persona[T.{SHORT}]",
        f"guise[T.red]:persona[T.{TALL}]",
    ]


def test_without_nobody_the_familys_reference_is_the_reference_level() -> None:
    (one,) = fitted(scores(items=6, personas=(TALL, SHORT)))
    assert f"persona[T.{TALL}]" in one.fit.coef.index
    assert list(one.data["persona"].cat.categories) == [SHORT, TALL]


@pytest.mark.parametrize(
    ("models", "groups"),
    [
        (("m1",), {"item": 8, "item:guise": 16}),
        (("m1", "m2"), {"item": 8, "item:guise": 16, "model": 2}),
    ],
)
def test_models_are_a_random_intercept_where_several_rated(
    models: tuple[str, ...], groups: dict[str, int]
) -> None:
    (one,) = fitted(scores(items=8, models=models))
    assert one.fit.groups == groups


def test_a_model_that_never_rated_does_not_count() -> None:
    rows = scores(items=8, models=("m1", "m2"))
    (one,) = fitted(refused(rows, rows["model"] == "m1"))
    assert not one.several
    assert "model" not in one.fit.groups


def test_unpaired_items_have_one_wording_each() -> None:
    (one,) = fitted(scores(items=8, paired=False))
    assert one.fit.groups == {"item": 16}
    assert "item/guise" not in one.fit.formula


def test_one_rating_of_each_wording_leaves_its_intercept_out() -> None:
    rows = scores(items=8)
    (one,) = fitted(refused(rows, rows["persona"] != NOBODY))
    assert one.fit.groups == {"item": 8}
    assert one.fit.estimated


def test_a_persona_that_lacks_a_guise_is_left_out_and_counted() -> None:
    rows = scores(items=8)
    (one,) = fitted(refused(rows, rows["persona"].eq(TALL) & rows["guise"].eq("red")))
    assert one.left_out == {TALL: "no rating in the guise red"}
    assert set(one.data["persona"]) == {NOBODY, SHORT}
    assert (one.fit.status, one.fit.n) == ("converged", 32)
    assert not any(TALL in name for name in one.fit.coef.index)


def test_wordings_that_failed_validation_leave_the_second_subset() -> None:
    rows = scores(items=8)
    doubtful = rows.assign(valid_pair=~rows["item_id"].isin(["i0", "i1"]))
    assert [(f.block.subset, f.fit.n) for f in fitted(doubtful)] == [
        ("all", 48),
        ("validated", 36),
    ]


def test_a_model_by_something_else_than_the_studys_factor_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="mixed model steps: by is 'model' in a study"):
        list(fit_models(scores(items=4), PLAN, MODELS))
    with pytest.raises(ConfigurationError, match="has no personas; use 'model'"):
        list(fit_models(scores(items=4), replace(PLAN, personas=None), [LINE]))
