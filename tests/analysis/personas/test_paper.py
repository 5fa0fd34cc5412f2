from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tests.analysis.personas.frames import given, make, one, simulated

from isogloss.analysis.personas.blocks import blocks
from isogloss.analysis.personas.paper import paper_tests
from isogloss.analysis.plan import AnalysisPlan
from isogloss.studies.base import Contrast

ROUNDING = 1e-12
"""A few floating-point operations on numbers near 1."""
SAME_FORMULA = 1e-9
"""The same closed form in another order of operations."""


def results(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    return paper_tests(blocks(rows), plan)


def published_like(seed: int) -> pd.DataFrame:
    """Integer scores of 6 models for 20 postings in each guise; red costs tall a point."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"m{model}", f"{guise}{item}", guise, persona, mean)
        for model in range(6)
        for guise in ("red", "blue")
        for item in range(20)
        for persona in ("tall", "short")
        for mean in [5 + 0.5 * model - (guise == "red" and persona == "tall")]
    ]
    frame = pd.DataFrame(rows, columns=["model", "item_id", "guise", "persona", "mean"])
    noisy = (frame["mean"] + rng.normal(0, 1, len(frame))).round().clip(1, 10)
    return simulated(frame.drop(columns="mean").assign(expected=noisy))


def test_hand_computed(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        given("red", "tall", [5, 7, 8], prefix="r") + given("blue", "tall", [4, 5], prefix="b"),
        tmp_path,
    )
    row = one(results(rows, plan))
    # Of 6 pairs blue is higher in none and ties in one: U = 0.5, r = 1 - 1/6.
    assert (row["analysis"], row["comparison"], row["reference"]) == (
        "per_model",
        "language",
        "blue",
    )
    assert (row["u"], row["r"]) == (0.5, pytest.approx(5 / 6, abs=ROUNDING))
    assert (row["n1"], row["n2"], row["mean1"], row["mean2"]) == (3, 2, 20 / 3, 4.5)
    assert row["difference"] == pytest.approx(20 / 3 - 4.5, abs=ROUNDING)
    assert row["difference"] > 0 < row["r"]  # both positive: red scores higher
    # Splits of the ranks 1, 2.5, 2.5, 4, 5 into 3 and 2: |U - 3| >= 2.5 in 3 of 10.
    assert row["p_value"] == pytest.approx(3 / 10, abs=ROUNDING)


def test_six_models_and_twenty_postings_against_scipy(plan: AnalysisPlan) -> None:
    rows = published_like(1)
    frame = results(rows, plan)
    language = frame.loc[frame["comparison"] == "language"]
    centred = rows["expected"] - rows.groupby("model")["expected"].transform("mean")
    for analysis, scores in (("raw", rows["expected"]), ("model_centred", centred.round(9))):
        for persona in ("tall", "short"):
            row = one(language, analysis=analysis, persona=persona)
            red, blue = (
                scores[(rows["guise"] == guise) & (rows["persona"] == persona)]
                for guise in ("red", "blue")
            )
            reference = stats.mannwhitneyu(blue, red, method="asymptotic")
            assert (row["n1"], row["n2"], row["model"]) == (120, 120, "all models")
            assert row["u"] == reference.statistic
            assert row["r"] == pytest.approx(1 - 2 * reference.statistic / 120**2, abs=ROUNDING)
            assert row["p_value"] == pytest.approx(reference.pvalue, rel=SAME_FORMULA)
            assert row["p_bonferroni"] == pytest.approx(min(2 * row["p_value"], 1), rel=ROUNDING)
            assert row["mean1"] == pytest.approx(red.mean(), abs=SAME_FORMULA)
    tall, short = (one(language, analysis="raw", persona=p) for p in ("tall", "short"))
    assert tall["p_bonferroni"] < 0.001
    assert tall["r"] < 0 > tall["difference"]
    assert short["p_bonferroni"] > 0.05


def test_centring_takes_the_models_levels_away(plan: AnalysisPlan) -> None:
    frame = results(published_like(1), plan)
    frame = frame.loc[(frame["comparison"] == "language") & (frame["persona"] == "tall")]
    raw, centred = (one(frame, analysis=name) for name in ("raw", "model_centred"))
    assert abs(centred["r"]) > abs(raw["r"]) + 0.05
    assert centred["difference"] == pytest.approx(raw["difference"], abs=1e-8)


def test_centred_scores_that_are_equal_stay_tied(tmp_path: Path, plan: AnalysisPlan) -> None:
    # From their levels 23/6 and 47/6 both models give 1/6 more or 5/6 less, up to rounding.
    values = {"m1": ([4, 4, 4], [3, 4, 4]), "m2": ([8, 8, 8], [7, 8, 8])}
    rows = make(
        [
            row
            for model, (tall, short) in values.items()
            for row in given("red", "tall", list(tall), model=model)
            + given("red", "short", list(short), model=model)
        ],
        tmp_path,
    )
    frame = results(rows, plan)
    row = one(frame, analysis="model_centred", comparison="persona", guise="red")
    # 36 pairs; short is a point lower in 12 of them and equal in 24.
    assert row["u"] == 12.0
    # Ten equal values and two lower ones, both in the same group in 2 C(10, 4) of C(12, 6) splits.
    assert row["p_value"] == pytest.approx(420 / 924, abs=ROUNDING)


def test_bonferroni_is_over_the_personas_of_one_family(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        [
            row
            for model in ("m1", "m2")
            for condition in ("full", "title")
            for persona in ("north", "east", "south", "tall", "short", "anyone")
            for guise in ("red", "blue")
            for row in given(guise, persona, [3, 4, 6], model=model, condition=condition)
        ],
        tmp_path,
    )
    frame = results(rows, plan)
    sizes = frame.groupby(["comparison", "persona_family"])["family_size"].unique().map(list)
    assert sizes.to_dict() == {
        ("language", "anyone"): [1],
        ("language", "size"): [2],
        ("language", "place"): [3],
        ("persona", "size"): [1],
        ("persona", "place"): [2],
    }
    counts = frame.groupby("family").size()
    assert (counts == frame.groupby("family")["family_size"].first()).all()
    by_analysis = frame.groupby("analysis")["model"].unique().map(list)
    assert by_analysis.to_dict() == {
        "raw": ["all models"],
        "model_centred": ["all models"],
        "per_model": ["m1", "m2"],
    }


def test_personas_within_a_guise(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(given("red", "tall", [5, 7]) + given("red", "short", [6, 9]), tmp_path)
    row = one(results(rows, plan))
    assert (row["comparison"], row["contrast"], row["reference"]) == (
        "persona",
        "tall - short",
        "short",
    )
    # short is higher in 5 < 6, 5 < 9, 7 < 9
    assert (row["u"], row["r"]) == (3.0, -0.5)


def test_swapping_guises_flips_every_sign_exactly(plan: AnalysisPlan) -> None:
    rows = published_like(2)
    swapped = replace(plan, contrasts=(Contrast("blue - red", "blue", "red"),))
    language: list[pd.DataFrame] = []
    for p in (plan, swapped):
        frame = results(rows, p)
        language.append(frame.loc[frame["comparison"] == "language"])
    for (_, a), (_, b) in zip(language[0].iterrows(), language[1].iterrows(), strict=True):
        assert (a["difference"], a["r"], a["low"]) == (-b["difference"], -b["r"], -b["high"])
        assert (a["p_value"], a["p_bonferroni"]) == (b["p_value"], b["p_bonferroni"])
        assert a["u"] + b["u"] == a["n1"] * a["n2"]


def test_missing_scores_are_counted(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(
        given("red", "tall", [None, None]) + given("blue", "tall", [3, "refusal"]), tmp_path
    )
    row: pd.Series[Any] = one(results(rows, plan))
    assert (row["n1"], row["n2"], row["n_missing_malformed"], row["n_missing_refusal"]) == (
        0,
        1,
        2,
        1,
    )
    assert row[["mean1", "difference", "u", "r", "p_value", "p_bonferroni"]].isna().all()
    assert row["status"] == "not_estimable"
    assert row["reason"]


def test_validated_leaves_an_item_out_of_both_groups(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = given("red", "tall", [5, 7, 8]) + given("blue", "tall", [4, 5, 1])
    rows[2]["valid_pair"] = False
    frame = results(make(rows, tmp_path), plan)
    assert frame["subset"].tolist() == ["all", "validated"]
    assert frame["n1"].tolist() == frame["n2"].tolist() == [3, 2]
    assert frame["mean2"].tolist() == pytest.approx([10 / 3, 4.5])
