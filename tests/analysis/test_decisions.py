from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from isogloss.analysis.decision_tests import SHIFT, decision_tests
from isogloss.analysis.decisions import decisions
from isogloss.analysis.plan import AnalysisPlan
from isogloss.errors import ResponseError

Make = Callable[[list[dict[str, Any]]], pd.DataFrame]
Rated = Callable[..., list[dict[str, Any]]]
ROUNDING = 1e-12  # a few floating-point operations on numbers near 1


def decided(guise: str, given: list[str | None]) -> list[dict[str, Any]]:
    return [
        {
            "item_id": f"interview-{number}",
            "guise": guise,
            "task": "decision",
            "interview": number,
            "outcome": "malformed" if name is None else "ok",
            "modal": name,
        }
        for number, name in enumerate(given, start=1)
    ]


RED = ["no", "no", "maybe", "no", None, "no"]
BLUE = ["yes", "maybe", "maybe", "no", "yes", "yes"]


def test_counts_shares_and_missing(make: Make, plan: AnalysisPlan) -> None:
    frame = decisions(make(decided("red", RED) + decided("blue", BLUE)), plan)
    red = frame.loc[frame["guise"] == "red"]
    assert red["decision"].tolist() == ["no", "maybe", "yes"]
    assert red["count"].tolist() == [4, 1, 0]
    assert red["share"].tolist() == pytest.approx([0.8, 0.2, 0.0], abs=ROUNDING)
    assert set(red["n"]) == {5}
    assert set(red["n_missing_malformed"]) == {1}


def test_wilson_interval(make: Make, plan: AnalysisPlan) -> None:
    frame = decisions(make(decided("red", ["no"] * 10)), plan)
    # Wilson, 10 of 10: low = n / (n + z^2) with z = 1.959964
    assert frame["low"].iloc[0] == pytest.approx(10 / (10 + 1.959964**2), abs=1e-6)  # z rounded
    assert frame["high"].iloc[0] == pytest.approx(1.0, abs=ROUNDING)


def test_rule_decides_by_the_threshold(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    rows = make(
        rated("red", [3, 3], interview=1)
        + rated("red", [3, 2], interview=2)
        + rated("red", [None, None], interview=3)
    )
    frame = decisions(rows, plan)
    assert frame["source"].tolist() == ["rule", "rule"]
    assert frame["decision"].tolist() == ["no", "yes"]
    assert frame["count"].tolist() == [1, 1]
    assert set(frame["n"]) == {2}
    assert set(frame["n_missing_malformed"]) == {1}


def test_unknown_decision_is_refused(make: Make, plan: AnalysisPlan) -> None:
    with pytest.raises(ResponseError, match="'perhaps' is none of no, maybe, yes"):
        decisions(make(decided("red", ["perhaps"])), plan)


def test_all_decisions_missing_is_not_zero(make: Make, plan: AnalysisPlan) -> None:
    frame = decisions(make(decided("red", [None, None])), plan)
    assert frame["share"].isna().all()
    assert set(frame["status"]) == {"not_estimable"}


def test_paired_share_of_the_worst(make: Make, plan: AnalysisPlan) -> None:
    frame = decision_tests(make(decided("red", RED) + decided("blue", BLUE)), plan)
    row = frame.loc[frame["measure"] == "share of no"].iloc[0]
    # pairs 1, 2, 3, 4, 6: red no in 1, 2, 4, 6; blue no in 4; three discordant, p = 2 / 2^3
    assert row["estimate"] == pytest.approx(3 / 5, abs=ROUNDING)
    assert row["p_value"] == pytest.approx(0.25, abs=ROUNDING)
    assert (row["share_guise"], row["share_reference"]) == pytest.approx((0.8, 0.2))
    assert (row["n_pairs"], row["n_missing_malformed"]) == (5, 1)


def test_shift_is_negative_where_the_guise_fares_worse(make: Make, plan: AnalysisPlan) -> None:
    frame = decision_tests(make(decided("red", RED) + decided("blue", BLUE)), plan)
    row = frame.loc[frame["measure"] == SHIFT].iloc[0]
    # rank differences -2, -1, 0, 0, -2: every change is downward
    assert row["estimate"] == pytest.approx(-1.0, abs=ROUNDING)
    assert row["p_value"] == pytest.approx(0.25, abs=ROUNDING)  # 2 of 2^3 signs


def test_rule_is_compared_as_well(make: Make, rated: Rated, plan: AnalysisPlan) -> None:
    rows = make(
        [
            row
            for number in range(1, 7)
            for row in rated("red", [2, 2], interview=number)
            + rated("blue", [4, 4], interview=number)
        ]
    )
    frame = decision_tests(rows, plan)
    assert frame["source"].tolist() == ["rule"]
    assert frame["estimate"].iloc[0] == 1.0
    assert frame["p_value"].iloc[0] == pytest.approx(2 / 2**6, abs=ROUNDING)


def test_a_single_changed_decision_is_handled(make: Make, plan: AnalysisPlan) -> None:
    frame = decision_tests(
        make(decided("red", ["no", "yes"]) + decided("blue", ["yes", "yes"])), plan
    )
    row = frame.loc[frame["measure"] == SHIFT].iloc[0]
    assert (row["estimate"], row["p_value"]) == (-1.0, 1.0)
