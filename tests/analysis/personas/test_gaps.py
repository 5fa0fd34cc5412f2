from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tests.analysis.personas.frames import given, make, one

from isogloss.analysis.personas.blocks import blocks
from isogloss.analysis.personas.gaps import persona_gaps
from isogloss.analysis.plan import AnalysisPlan, PersonaDesign, PersonaFamily

SAME_FORMULA = 1e-9
"""The same closed form in another order of operations."""


def gaps(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    return persona_gaps(blocks(rows), plan)


def test_personas_are_paired_by_item_within_a_guise(tmp_path: Path, plan: AnalysisPlan) -> None:
    tall, short = [5, 6, 7, 6], [4, 6, 5, 3]
    rows = make(
        given("red", "tall", tall) + given("red", "short", short) + given("blue", "tall", [1, 2]),
        tmp_path,
    )
    row = one(gaps(rows, plan))  # blue has no reference persona to compare with
    reference = stats.ttest_rel(tall, short)
    assert (row["guise"], row["persona"], row["reference"]) == ("red", "tall", "short")
    assert row["estimate"] == np.mean(tall) - np.mean(short)
    assert row["p_value"] == pytest.approx(reference.pvalue, rel=SAME_FORMULA)
    assert (row["mean_persona"], row["mean_reference"]) == (6.0, 4.5)
    assert (row["pairing"], row["n"], row["n_items"]) == ("paired", 4, 4)


def test_every_persona_but_the_reference_of_a_family_has_a_row(
    tmp_path: Path, plan: AnalysisPlan
) -> None:
    rows = make(
        [
            row
            for place, lead in (("north", 0), ("east", 1), ("south", 2))
            for guise in ("red", "blue")
            for row in given(guise, place, [3 + lead, 4 + lead, 6 + lead * 2])
        ],
        tmp_path,
    )
    frame = gaps(rows, plan)
    assert frame[["guise", "persona"]].to_numpy().tolist() == [
        ["blue", "east"],
        ["blue", "south"],
        ["red", "east"],
        ["red", "south"],
    ]
    assert set(frame["reference"]) == {"north"}
    assert set(frame["family_size"]) == {2}
    assert frame["estimate"].tolist() == pytest.approx([4 / 3, 8 / 3] * 2)


def test_swapping_personas_flips_every_sign_exactly(tmp_path: Path, plan: AnalysisPlan) -> None:
    rng = np.random.default_rng(2)
    rows = make(
        [
            row
            for persona in ("tall", "short")
            for row in given("red", persona, [*rng.uniform(1, 10, 6), None])
        ],
        tmp_path,
    )
    family = PersonaFamily("size", ("tall", "short"), "tall")
    swapped = replace(plan, personas=PersonaDesign(("judge",), "anyone", (family,)))
    a, b = one(gaps(rows, plan)), one(gaps(rows, swapped))
    assert (a["persona"], b["persona"]) == ("tall", "short")
    assert (a["estimate"], a["d"], a["low"]) == (-b["estimate"], -b["d"], -b["high"])
    assert (a["p_value"], a["se"], a["mde"]) == (b["p_value"], b["se"], b["mde"])


def test_lost_pairs_are_counted(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        given("red", "tall", [5, "refusal", 4, 3]) + given("red", "short", [4, 4, None]), tmp_path
    )
    row = one(gaps(rows, plan))
    assert (row["n"], row["n_unpaired"]) == (1, 1)
    assert (row["n_missing_refusal"], row["n_missing_malformed"]) == (1, 1)
    assert (row["estimate"], row["status"]) == (1.0, "not_estimable")
