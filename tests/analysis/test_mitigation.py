from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from isogloss.analysis.mitigation import mitigation
from isogloss.analysis.plan import AnalysisPlan

Make = Callable[[list[dict[str, Any]]], pd.DataFrame]
Rated = Callable[..., list[dict[str, Any]]]
ROUNDING = 1e-12  # a few floating-point operations on numbers near 1


def both(rated: Rated, plain: list[Any], helped: list[Any]) -> list[dict[str, Any]]:
    reference = [4.0] * len(plain)
    return [
        *rated("red", plain),
        *rated("blue", reference),
        *rated("red", helped, condition="helped"),
        *rated("blue", reference, condition="helped"),
    ]


def test_change_and_reduction_on_the_same_pairs(
    make: Make, rated: Rated, plan: AnalysisPlan
) -> None:
    rows = both(rated, [2.0, 2.0, 3.0, 1.0, None], [3.0, 3.5, 3.0, 2.5, 3.0])
    row = mitigation(make(rows), plan).iloc[0]
    # gaps -2, -2, -1, -3 become -1, -0.5, -1, -1.5
    assert row["gap_baseline"] == pytest.approx(-2.0, abs=ROUNDING)
    assert row["gap"] == pytest.approx(-1.0, abs=ROUNDING)
    assert row["change"] == pytest.approx(1.0, abs=ROUNDING)
    assert row["reduction"] == pytest.approx(50.0, abs=1e-9)
    assert row["reduction_low"] < 50 < row["reduction_high"]
    assert (row["n_pairs"], row["n_lost"], row["condition"]) == (4, 1, "helped")


def test_no_baseline_gap_leaves_the_reduction_undefined(
    make: Make, rated: Rated, plan: AnalysisPlan
) -> None:
    row = mitigation(make(both(rated, [3.0, 5.0, 4.5, 3.4], [3.0, 4.5, 4.0, 4.1])), plan).iloc[0]
    assert pd.isna(row["reduction"])
    assert row["reduction_status"] == "not_estimable"
    assert row["status"] == "ok"
    assert not pd.isna(row["change"])


def test_condition_without_baseline_gives_no_row(
    make: Make, rated: Rated, plan: AnalysisPlan
) -> None:
    helped = rated("red", [1], condition="helped") + rated("blue", [2], condition="helped")
    assert mitigation(make(helped), plan).empty


def test_same_seed_same_interval(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    rows = make(both(rated, [2.0, 2.0, 3.0, 1.0], [3.0, 3.5, 3.0, 2.5]))
    pd.testing.assert_frame_equal(mitigation(rows, plan), mitigation(rows, plan))
