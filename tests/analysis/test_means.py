from collections.abc import Callable
from math import sqrt
from typing import Any

import pandas as pd
import pytest

from isogloss.analysis.means import describe_means, distributions, means
from isogloss.analysis.plan import AnalysisPlan

Make = Callable[[list[dict[str, Any]]], pd.DataFrame]
Rated = Callable[..., list[dict[str, Any]]]
ROUNDING = 1e-12  # a few floating-point operations on numbers near 1


def test_mean_per_guise_with_missing_counted(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    frame = means(make(rated("red", [2, 3, None, 4]) + rated("blue", [3, 5, 3, 4])), plan)
    assert frame["guise"].tolist() == ["blue", "red"]  # the reference first
    red = frame.iloc[1]
    assert (red["mean"], red["sd"], red["n"]) == (3.0, 1.0, 3)
    assert red["se"] == pytest.approx(1 / sqrt(3), abs=ROUNDING)
    assert red["n_missing_malformed"] == 1
    assert frame.iloc[0]["mean"] == 3.75


def test_mean_of_nothing_is_undefined(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    row = means(make(rated("red", [None])), plan).iloc[0]
    assert row[["mean", "low", "high", "sd"]].isna().all()
    assert (row["status"], row["n"]) == ("not_estimable", 0)


def test_one_item_has_a_mean_and_no_interval(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    row = means(make(rated("red", [2])), plan).iloc[0]
    assert row["mean"] == 2
    assert row[["low", "high", "se", "sd"]].isna().all()
    assert row["reason"]


def test_distribution_averages_probabilities_by_value(make: Make, plan: AnalysisPlan) -> None:
    common = {"guise": "red", "modal": "5", "expected": 4.0}
    up = {"answers": ("1", "2", "3", "4", "5"), "probabilities": (0.0, 0.0, 0.2, 0.2, 0.6)}
    down = {"answers": ("5", "4", "3", "2", "1"), "probabilities": (0.4, 0.2, 0.2, 0.1, 0.1)}
    frame = distributions(
        make([{"item_id": "a", **common, **up}, {"item_id": "b", **common, **down}]), plan
    )
    assert frame["rating"].tolist() == [1, 2, 3, 4, 5]
    assert frame["share"].tolist() == pytest.approx([0.05, 0.05, 0.2, 0.2, 0.5], abs=ROUNDING)
    assert set(frame["method"]) == {"mean of answer distributions"}


def test_distribution_counts_given_ratings(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    frame = distributions(make(rated("red", [1, 1, 5, None])), plan)
    assert frame["share"].tolist() == pytest.approx([2 / 3, 0, 0, 0, 1 / 3], abs=ROUNDING)
    assert set(frame["n"]) == {3}
    assert set(frame["method"]) == {"share of ratings given"}


def test_ratings_off_the_scale_are_counted_apart(
    make: Make, rated: Rated, plan: AnalysisPlan
) -> None:
    frame = distributions(make(rated("red", [1, 3.5])), plan)
    assert set(frame["n_off_scale"]) == {1}
    assert frame["share"].sum() == pytest.approx(0.5, abs=ROUNDING)


def test_distribution_of_nothing_is_undefined(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    frame = distributions(make(rated("red", [None])), plan)
    assert frame["share"].isna().all()
    assert set(frame["reason"]) == {"no rating has a value"}


def test_means_in_words() -> None:
    cell = {"model": "m", "item_set": "own", "condition": "baseline", "mode": "direct"}
    table = pd.DataFrame(
        [
            {**cell, "guise": "confident", "mean": 3.2555, "n": 200},
            {**cell, "guise": "hedged", "mean": 2.65, "n": 199},
            {**cell, "model": "other", "guise": "hedged", "mean": float("nan"), "n": 0},
        ]
    )
    assert describe_means(table) == [
        "m on own, baseline, direct: confident 3.256 (n = 200), hedged 2.650 (n = 199)",
        "other on own, baseline, direct: hedged nan (n = 0)",
    ]
