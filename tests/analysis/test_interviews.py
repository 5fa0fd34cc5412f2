from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from isogloss.analysis.interviews import interview_means
from isogloss.analysis.plan import AnalysisPlan

Make = Callable[[list[dict[str, Any]]], pd.DataFrame]
Rated = Callable[..., list[dict[str, Any]]]


def test_mean_over_ratings_with_a_value(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    rows = make(
        rated("red", [1, 2, None], interview=1) + rated("red", [None, None, None], interview=2)
    )
    frame = interview_means(rows, plan)
    assert frame["mean"].iloc[0] == 1.5
    assert pd.isna(frame["mean"].iloc[1])
    assert frame["outcome"].tolist() == ["ok", "malformed"]
    assert frame["n_missing"].tolist() == [1, 3]


@pytest.mark.parametrize(("numbered", "expected"), [(True, 1.0), (False, 5.0)])
def test_numbered_ratings_come_before_drawn_ones(
    make: Make, rated: Rated, plan: AnalysisPlan, numbered: bool, expected: float
) -> None:
    ratings = rated("red", [1, 1], interview=1 if numbered else None)
    drawn = rated("red", [5, 5], interview=1, task="interview_rating")
    frame = interview_means(make(ratings + drawn), plan)
    assert frame["mean"].tolist() == [expected]
    assert frame["n"].tolist() == [2]


def test_no_interviews_give_no_rows(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    assert interview_means(make(rated("red", [1])), plan).empty
