from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tests.analysis.personas.frames import ABSENT, given, make, one

from isogloss.analysis.personas.blocks import blocks
from isogloss.analysis.personas.increments import increments
from isogloss.analysis.personas.language import language_effects
from isogloss.analysis.plan import AnalysisPlan, PersonaDesign, PersonaFamily
from isogloss.studies.base import Contrast

ROUNDING = 1e-12
"""A few floating-point operations on numbers near 1."""
SAME_FORMULA = 1e-9
"""The same closed form in another order of operations."""
TALL, SHORT = ([2, 4, 3, 5], [5, 5, 6, 5]), ([6, 6, 6, 7], [6, 7, 7, 7])
"""Scores in red and in blue."""


def four_corners(prefixes: tuple[str, str] = ("i", "i"), **others: str) -> list[dict[str, object]]:
    return [
        row
        for persona, scores in ((others.get("first", "tall"), TALL), ("short", SHORT))
        for guise, prefix, values in zip(("red", "blue"), prefixes, scores, strict=True)
        for row in given(guise, persona, list(values), prefix=prefix)
    ]


def test_paired_difference_in_differences_by_hand(tmp_path: Path, plan: AnalysisPlan) -> None:
    row = one(increments(blocks(make(four_corners(), tmp_path)), plan))
    # Gaps of tall -3, -1, -3, 0, of short 0, -1, -1, 0; their differences -3, 0, -2, 0.
    reference = stats.ttest_1samp([-3, 0, -2, 0], 0)
    assert (row["baseline_kind"], row["persona"], row["baseline"]) == ("reference", "tall", "short")
    assert row["estimate"] == pytest.approx(-1.25, abs=ROUNDING)
    assert (row["gap_persona"], row["gap_baseline"]) == (-1.75, -0.5)
    assert row["p_value"] == pytest.approx(reference.pvalue, rel=SAME_FORMULA)
    assert (row["n"], row["n_items"], row["pairing"]) == (4, 4, "paired")


def test_unpaired_compares_the_leads_of_the_two_groups_of_items(
    tmp_path: Path, plan: AnalysisPlan
) -> None:
    row = one(increments(blocks(make(four_corners(("r", "b")), tmp_path)), plan))
    red, blue = np.subtract(TALL[0], SHORT[0]), np.subtract(TALL[1], SHORT[1])
    reference = stats.ttest_ind(red, blue, equal_var=False)
    assert row["pairing"] == "unpaired"
    assert row["estimate"] == pytest.approx(red.mean() - blue.mean(), abs=ROUNDING)
    assert row["p_value"] == pytest.approx(reference.pvalue, rel=SAME_FORMULA)
    assert (row["gap_persona"], row["gap_baseline"]) == (-1.75, -0.5)
    assert (row["n"], row["n_items_guise"], row["n_items_reference"]) == (8, 4, 4)


@pytest.mark.parametrize("prefixes", [("i", "i"), ("r", "b")])
def test_the_estimate_is_the_difference_of_the_two_language_effects(
    prefixes: tuple[str, str], tmp_path: Path, plan: AnalysisPlan
) -> None:
    split = blocks(make(four_corners(prefixes), tmp_path))
    effects = language_effects(split, plan).set_index("persona")["estimate"]
    row = one(increments(split, plan))
    assert row["estimate"] == pytest.approx(effects["tall"] - effects["short"], abs=ROUNDING)


def test_the_label_increment_is_over_the_unspecified_persona(
    tmp_path: Path, plan: AnalysisPlan
) -> None:
    rows = four_corners() + [
        row
        for guise, values in (("red", [5, 5, 5, 5]), ("blue", [6, 6, 6, 8]))
        for row in given(guise, "anyone", values)
    ]
    frame = increments(blocks(make(rows, tmp_path)), plan)
    assert frame[["baseline_kind", "persona", "baseline"]].to_numpy().tolist() == [
        ["unspecified", "tall", "anyone"],
        ["unspecified", "short", "anyone"],
        ["reference", "tall", "short"],
    ]
    assert frame["estimate"].tolist() == [-1.75 + 1.5, -0.5 + 1.5, -1.25]
    assert frame["family"].nunique() == 2
    assert frame["family_size"].tolist() == [2, 2, 1]


@pytest.mark.parametrize("prefixes", [("i", "i"), ("r", "b")])
def test_swapping_guises_or_personas_flips_every_sign_exactly(
    prefixes: tuple[str, str], tmp_path: Path, plan: AnalysisPlan
) -> None:
    rng = np.random.default_rng(3)
    rows = make(
        [
            row
            for model in ("m1", "m2")
            for persona in ("tall", "short")
            for guise, prefix in zip(("red", "blue"), prefixes, strict=True)
            for row in given(guise, persona, [*rng.uniform(1, 10, 6)], prefix=prefix, model=model)
        ],
        tmp_path,
    )
    guises = replace(plan, contrasts=(Contrast("blue - red", "blue", "red"),))
    family = PersonaFamily("size", ("tall", "short"), "tall")
    personas = replace(plan, personas=PersonaDesign(("judge",), "anyone", (family,)))
    split = blocks(rows)
    a = one(increments(split, plan), model="all models")
    for other in (guises, personas):
        b = one(increments(split, other), model="all models")
        assert (a["estimate"], a["d"], a["low"]) == (-b["estimate"], -b["d"], -b["high"])
        assert (a["p_value"], a["se"], a["df"]) == (b["p_value"], b["se"], b["df"])


def test_a_unit_is_lost_with_any_of_its_four_responses(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        given("red", "tall", [5, None, 4, 3])
        + given("blue", "tall", [4, 4, 7, 6])
        + given("red", "short", [4, 4, ABSENT, 5])
        + given("blue", "short", [4, 4, 4, "refusal"]),
        tmp_path,
    )
    row = one(increments(blocks(rows), plan))
    assert (row["n"], row["n_unpaired"]) == (1, 1)
    assert (row["n_missing_malformed"], row["n_missing_refusal"]) == (1, 1)
    # Of the remaining item alone, as the estimate is
    assert (row["gap_persona"], row["gap_baseline"], row["estimate"]) == (1.0, 0.0, 1.0)


def test_unpaired_units_without_a_baseline_are_counted(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        given("red", "tall", [5, 6, 4], prefix="r")
        + given("blue", "tall", [4, 5, 7], prefix="b")
        + given("red", "short", [4, 4, ABSENT], prefix="r")
        + given("blue", "short", [4, 4, "refusal"], prefix="b"),
        tmp_path,
    )
    row = one(increments(blocks(rows), plan))
    assert (row["n"], row["n_unpaired"], row["n_missing_refusal"]) == (4, 1, 1)


def test_a_family_may_have_an_increment_in_crossed_personas(
    tmp_path: Path, plan: AnalysisPlan
) -> None:
    rows = [
        row
        for guise in ("red", "blue")
        for persona in ("anyone", "north, tall")
        for row in given(guise, persona, [3, 4, 6])
    ]
    row = one(increments(blocks(make(rows, tmp_path)), plan))
    assert (row["persona_family"], row["baseline_kind"]) == ("place x size", "unspecified")


def test_validated_leaves_out_items_of_which_a_wording_failed(
    tmp_path: Path, plan: AnalysisPlan
) -> None:
    rows = four_corners()
    for row in rows:
        row["valid_pair"] = not (row["item_id"] == "i1" and row["guise"] == "blue")
    frame = increments(blocks(make(rows, tmp_path)), plan)
    assert frame["estimate"].tolist() == pytest.approx([-1.25, -2 / 3])
    assert pd.Series(frame["n"]).tolist() == [4, 3]
