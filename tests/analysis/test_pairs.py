from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from isogloss.analysis.pairs import check_values, pair_rows, paired_cells
from isogloss.analysis.plan import AnalysisPlan
from isogloss.errors import ResponseError
from isogloss.studies.base import Contrast

Make = Callable[[list[dict[str, Any]]], pd.DataFrame]
Rated = Callable[..., list[dict[str, Any]]]
RED = Contrast("red - blue", "red", "blue")
BLUE = Contrast("blue - red", "blue", "red")


def test_pairs_match_on_item_interview_and_repeat(make: Make) -> None:
    rows = make(
        [
            {"item_id": "i1", "guise": g, "interview": k, "repeat": r, "expected": e, "modal": "1"}
            for g, k, r, e in [
                ("red", 1, 0, 1.0),
                ("red", 2, 0, 2.0),
                ("red", 2, 1, 3.0),
                ("blue", 2, 1, 10.0),
                ("blue", 1, 0, 20.0),
                ("blue", 2, 0, 30.0),
            ]
        ]
    )
    pairs = pair_rows(rows, RED)
    assert pairs["difference"].tolist() == [-19.0, -28.0, -7.0]


def test_rows_without_an_interview_pair_with_each_other(make: Make, rated: Rated) -> None:
    pairs = pair_rows(make(rated("red", [1, 2]) + rated("blue", [3, 5])), RED)
    assert pairs["difference"].tolist() == [-2.0, -3.0]
    assert set(pairs["outcome"]) == {"ok"}


def test_missing_sides_are_named_and_never_zero(make: Make, rated: Rated) -> None:
    rows = make(
        [
            *rated("red", [1, None, 3, 4]),
            *rated("blue", [3, 2]),
            {"item_id": "i3", "guise": "blue", "outcome": "refusal"},
        ]
    )
    pairs = pair_rows(rows, RED)
    assert pairs["outcome"].tolist() == ["ok", "malformed", "refusal", "unpaired"]
    assert pairs["difference"].isna().tolist() == [False, True, True, True]
    assert pairs["guise"].isna().tolist() == [False, True, True, True]


def test_a_value_beside_a_missing_outcome_is_not_used(make: Make, rated: Rated) -> None:
    low = {"item_id": "i1", "guise": "red", "outcome": "low_mass", "expected": 2.0}
    pairs = pair_rows(make([low, *rated("blue", [3])]), RED)
    assert pairs["guise"].isna().all()
    assert pairs["outcome"].tolist() == ["low_mass"]


def test_swapping_guises_flips_signs_and_keeps_outcomes(make: Make, rated: Rated) -> None:
    refused = {"item_id": "i3", "guise": "blue", "outcome": "refusal"}
    rows = make(rated("red", [1, 2, None]) + rated("blue", [3, 5]) + [refused])
    one, other = pair_rows(rows, RED), pair_rows(rows, BLUE)
    assert (one["difference"].dropna() == -other["difference"].dropna()).all()
    assert one["outcome"].tolist() == other["outcome"].tolist() == ["ok", "ok", "refusal"]


def test_contrast_with_an_unused_guise_is_left_out(
    make: Make, rated: Rated, plan: AnalysisPlan
) -> None:
    assert paired_cells(make(rated("blue", [3, 2])), plan, "rating") == []


def test_validated_subset_only_where_a_pair_is_invalid(
    make: Make, rated: Rated, plan: AnalysisPlan
) -> None:
    rows = make(rated("red", [1, 2]) + rated("blue", [3, 5]))
    assert [p.subset for p in paired_cells(rows, plan, "rating")] == ["all"]


def test_validated_subset_covers_every_model_of_the_set(
    make: Make, rated: Rated, plan: AnalysisPlan
) -> None:
    both = [*rated("red", [1, 2]), *rated("blue", [3, 5])]
    doubted = [{**row, "model": "m2", "valid_pair": row["item_id"] != "i2"} for row in both]
    found = paired_cells(make(both + doubted), plan, "rating")
    assert [(p.cell.model, p.subset, len(p.pairs)) for p in found] == [
        ("m1", "all", 2),
        ("m2", "all", 2),
        ("m1", "validated", 2),
        ("m2", "validated", 1),
    ]


def test_one_invalid_guise_makes_the_pair_invalid(make: Make, rated: Rated) -> None:
    doubted = [{**row, "valid_pair": False} for row in rated("red", [1])]
    assert pair_rows(make(doubted + rated("blue", [3])), RED)["valid"].tolist() == [False]


@pytest.mark.parametrize("task", ["rating", "interview_rating", "decision"])
def test_ok_without_a_value_is_refused(make: Make, plan: AnalysisPlan, task: str) -> None:
    rows = make([{"item_id": "i9", "guise": "red", "task": task, "interview": 1}])
    with pytest.raises(ResponseError, match=r"'i9'.*give the value or the outcome"):
        check_values(rows, plan)


def test_values_in_place_are_accepted(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    decided = {"item_id": "x", "guise": "red", "task": "decision", "interview": 1, "modal": "no"}
    assert check_values(make([*rated("red", [1, None]), decided]), plan) is None
