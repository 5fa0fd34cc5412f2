from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from scipy import stats

from isogloss.analysis.effects import effects
from isogloss.analysis.paper import paper_test
from isogloss.analysis.plan import AnalysisPlan

Make = Callable[[list[dict[str, Any]]], pd.DataFrame]
Rated = Callable[..., list[dict[str, Any]]]
ROUNDING = 1e-12  # a few floating-point operations on numbers near 1

RED = [[1, 2], [2, 2], [3, 1]]
BLUE = [[4, 3], [3, 3], [4, 5]]


def interviews(rated: Rated, red: list[list[Any]], blue: list[list[Any]]) -> list[dict[str, Any]]:
    return [
        row
        for guise, scores in (("red", red), ("blue", blue))
        for number, values in enumerate(scores, start=1)
        for row in rated(guise, values, interview=number)
    ]


def test_unpaired_test_on_interview_means(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    rows = make(interviews(rated, RED, BLUE))
    row = paper_test(rows, effects(rows, plan), plan).iloc[0]
    reference = stats.ttest_ind([1.5, 2.0, 2.0], [3.5, 3.0, 4.5], equal_var=False)
    assert row["estimate"] == pytest.approx(-11 / 6, abs=ROUNDING)
    assert row["t"] == pytest.approx(reference.statistic, rel=1e-10)  # same formula in scipy
    assert row["p_value"] == pytest.approx(reference.pvalue, rel=1e-10)
    assert (row["n_guise"], row["n_reference"], row["n_missing"]) == (3, 3, 0)
    assert "paper" in row["method"]


def test_paired_estimate_stands_beside(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    rows = make(interviews(rated, RED, BLUE))
    frame = effects(rows, plan)
    row = paper_test(rows, frame, plan).iloc[0]
    pooled = frame.loc[frame["subgroup"] == ""].iloc[0]
    assert row["paired_estimate"] == pooled["estimate"]
    assert row["paired_p"] == pooled["p_value"]


def test_interview_without_ratings_is_counted(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    rows = make(interviews(rated, [[None, None], [2, 2], [3, 2]], BLUE))
    row = paper_test(rows, effects(rows, plan), plan).iloc[0]
    assert (row["n_guise"], row["n_missing"]) == (2, 1)
    assert row["mean_guise"] == 2.25


def test_single_interview_is_not_estimable(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    rows = make(interviews(rated, RED[:1], BLUE[:1]))
    row = paper_test(rows, effects(rows, plan), plan).iloc[0]
    assert row["status"] == "not_estimable"
    assert row[["t", "p_value", "p_adjusted"]].isna().all()
