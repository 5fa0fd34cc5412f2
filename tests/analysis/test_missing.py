from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from isogloss.analysis.missing import NO_MASS, missing, missing_tests
from isogloss.analysis.plan import AnalysisPlan

Make = Callable[[list[dict[str, Any]]], pd.DataFrame]
Rated = Callable[..., list[dict[str, Any]]]
ROUNDING = 1e-12  # a few floating-point operations on numbers near 1


def test_outcomes_by_guise(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    refused = {"item_id": "i4", "guise": "red", "outcome": "refusal"}
    frame = missing(make([*rated("red", [1, None, 3]), refused, *rated("blue", [1, 2])]), plan)
    red = frame.loc[frame["guise"] == "red"].iloc[0]
    assert (red["n"], red["n_ok"]) == (4, 2)
    assert (red["n_missing_malformed"], red["n_missing_refusal"]) == (1, 1)
    assert red["share_missing"] == 0.5
    assert frame.loc[frame["guise"] == "blue", "share_missing"].tolist() == [0.0]


def test_answer_mass_and_the_gate(make: Make, plan: AnalysisPlan) -> None:
    masses = [0.5, 0.9, 0.95, 0.97]
    rows = [
        {"item_id": f"i{k}", "guise": "red", "answer_mass": m, "expected": 3.0, "modal": "3"}
        for k, m in enumerate(masses)
    ]
    row = missing(make(rows), plan).iloc[0]
    assert row["mean_answer_mass"] == pytest.approx(0.83, abs=ROUNDING)
    assert row["share_below_gate"] == 0.5  # 0.95 itself passes
    assert row["n_mass"] == 4


def test_responses_without_mass_say_so(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    row = missing(make(rated("red", [1])), plan).iloc[0]
    assert pd.isna(row["mean_answer_mass"])
    assert pd.isna(row["share_below_gate"])
    assert row["mass_reason"] == NO_MASS


def test_values_without_distribution_are_counted_by_guise(
    make: Make, rated: Rated, plan: AnalysisPlan
) -> None:
    shown = {"answers": ("1", "2"), "probabilities": (0.25, 0.75), "expected": 1.75, "modal": "2"}
    rows = [
        {"item_id": "i8", "guise": "red", **shown},
        {"item_id": "i9", "guise": "red", **shown},
        *rated("red", [2, None]),
        *rated("blue", [2, 1, 1]),
        {"item_id": "v1", "guise": "red", "task": "decision", "modal": "yes"},
        {**rated("red", [2], task="interview_rating", interview=1)[0]},
    ]
    frame = missing(make(rows), plan)
    found = frame[["task", "guise", "n_ok", "n_without_distribution"]]
    assert sorted(found.itertuples(index=False, name=None)) == [
        ("decision", "red", 1, 1),
        ("interview_rating", "red", 1, 0),
        ("rating", "blue", 3, 3),
        ("rating", "red", 3, 1),
    ]


def test_missingness_is_compared_pair_by_pair(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    red: list[Any] = [None, None, None, None, None, None, 1, 2]
    blue: list[Any] = [1, 1, 1, 1, 1, 1, None, 2]
    row = missing_tests(make(rated("red", red) + rated("blue", blue)), plan).iloc[0]
    assert row["estimate"] == pytest.approx(5 / 8, abs=ROUNDING)
    # seven discordant pairs, six of them one way: p = 2 * (7 + 1) / 2^7
    assert row["p_value"] == pytest.approx(0.125, abs=ROUNDING)
    assert (row["share_guise"], row["share_reference"], row["n_pairs"]) == (0.75, 0.125, 8)


def test_unpaired_responses_are_counted_apart(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    row = missing_tests(make(rated("red", [1, None]) + rated("blue", [1, 2, 3])), plan).iloc[0]
    assert (row["n_pairs"], row["n_unpaired"], row["estimate"]) == (2, 1, 0.5)
