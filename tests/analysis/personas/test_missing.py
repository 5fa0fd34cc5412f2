from pathlib import Path

import pandas as pd
import pytest
from scipy import stats
from tests.analysis.personas.frames import ABSENT, given, make, one

from isogloss.analysis.personas.blocks import blocks
from isogloss.analysis.personas.missing import persona_missing_tests
from isogloss.analysis.plan import AnalysisPlan

ROUNDING = 1e-12
"""A few floating-point operations on numbers near 1."""


def results(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    return persona_missing_tests(blocks(rows), plan)


def test_paired_guises_are_mcnemars(tmp_path: Path, plan: AnalysisPlan) -> None:
    red = ["refusal", None, "error", "refusal", 5, 5, 5, ABSENT]
    blue = [4, 4, 4, 4, 4, None, "refusal", 4]
    rows = make(given("red", "tall", [*red]) + given("blue", "tall", [*blue]), tmp_path)
    row = one(results(rows, plan))
    assert (row["comparison"], row["pairing"], row["reference"]) == ("language", "paired", "blue")
    assert (row["share_first"], row["share_second"]) == (4 / 7, 2 / 7)
    assert row["estimate"] == pytest.approx(2 / 7, abs=ROUNDING)
    # Six discordant pairs, four of them lost in red only: 2 P(X >= 4) with X ~ Bin(6, 1/2).
    assert row["p_value"] == pytest.approx(2 * (15 + 6 + 1) / 64, abs=ROUNDING)
    assert (row["n_first"], row["n_second"], row["n_unpaired"]) == (7, 7, 1)


def test_unpaired_guises_are_fishers(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        given("red", "tall", [None, None, None, 5], prefix="r")
        + given("blue", "tall", [4, 4, 4, 4, 4], prefix="b"),
        tmp_path,
    )
    row = one(results(rows, plan))
    reference = stats.fisher_exact([[3, 1], [0, 5]])
    assert row["pairing"] == "unpaired"
    assert row["p_value"] == pytest.approx(reference.pvalue, abs=ROUNDING)
    assert (row["share_first"], row["share_second"]) == (0.75, 0.0)
    assert (row["n_first"], row["n_second"]) == (4, 5)


def test_personas_within_a_guise_in_an_unpaired_set(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        given("red", "tall", [None, "refusal", 3], prefix="r")
        + given("red", "short", [3, 3, 3], prefix="r")
        + given("blue", "tall", [3, 3], prefix="b"),
        tmp_path,
    )
    row = one(results(rows, plan), comparison="persona")
    assert (row["guise"], row["persona"], row["reference"]) == ("red", "tall", "short")
    assert (row["pairing"], row["estimate"]) == ("paired", pytest.approx(2 / 3))
    assert row["p_value"] == 0.5


def test_models_are_not_pooled_and_share_a_family(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        [
            row
            for model in ("m1", "m2")
            for guise in ("red", "blue")
            for row in given(guise, "tall", [3, None], model=model)
        ],
        tmp_path,
    )
    frame = results(rows, plan)
    assert frame["model"].tolist() == ["m1", "m2"]
    assert frame["family_size"].tolist() == [2, 2]


def test_a_guise_never_asked_about_a_persona_is_not_estimable(
    tmp_path: Path, plan: AnalysisPlan
) -> None:
    rows = make(
        given("red", "tall", [3, 4]) + given("red", "short", [3, 4]) + given("blue", "tall", [3]),
        tmp_path,
    )
    row = one(results(rows, plan), comparison="language", persona="short")
    assert (row["status"], row["n_first"], row["n_unpaired"]) == ("not_estimable", 0, 2)
