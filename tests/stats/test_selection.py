from dataclasses import FrozenInstanceError
from fractions import Fraction
from math import isnan

import numpy as np
import pandas as pd
import pytest

from isogloss.errors import StatisticsError
from isogloss.stats import effects
from isogloss.stats.rate_ratio import rate_ratio
from isogloss.stats.selection import ImpactRatio, impact_ratio

HAND = 1e-12
"""Ratios of small integers."""


def test_the_example_of_the_agencies_questions_and_answers() -> None:
    # 60, 45, 48 and 51 % give ratios of 75, 80 and 85 %; only 75 % is flagged, exactly 80 % is not.
    result = impact_ratio([60, 45, 48, 51], [100] * 4, groups=["w", "i", "h", "b"])
    assert result.ratio == pytest.approx((1, 0.75, 0.8, 0.85), abs=HAND)
    assert result.flagged == (False, True, False, False)
    assert (result.reference, result.threshold, result.n, result.status) == ("w", "4/5", 400, "ok")
    assert [group.group for group in result] == ["w", "i", "h", "b"]
    assert result[1].rate == 0.45
    assert len(result) == 4


def test_importable_where_effect_sizes_are() -> None:
    assert effects.impact_ratio is impact_ratio


def test_a_record_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        impact_ratio([1, 2], [3, 3])[0].flagged = True  # type: ignore[misc]


@pytest.mark.parametrize("scale", [1, 3, 7, 10**6, 10**18])
def test_exactly_four_fifths_is_not_flagged_and_one_less_is(scale: int) -> None:
    # 12/15 of 1 and 28/35 of 1: quotients that floats get wrong by one digit either way.
    exact = impact_ratio([15 * scale, 12 * scale], [15 * scale, 15 * scale])
    below = impact_ratio([15 * scale, 12 * scale - 1], [15 * scale, 15 * scale])
    assert (exact.flagged, below.flagged) == ((False, False), (False, True))


def test_flags_agree_with_integers_where_floats_do_not() -> None:
    # All pairs of small groups whose ratio is exactly 4/5; floats put many of them below.
    exact, wrong_in_floats = 0, 0
    for n1, n2 in [(a, b) for a in range(1, 31) for b in range(1, 31)]:
        for s1 in range(1, n1 + 1):
            if (4 * s1 * n2) % (5 * n1) == 0 and 0 < (s2 := 4 * s1 * n2 // (5 * n1)) <= n2:
                exact += 1
                wrong_in_floats += (s2 / n2) / (s1 / n1) < 0.8
                assert impact_ratio([s1, s2], [n1, n2]).flagged == (False, False)
    assert exact > 500
    assert wrong_in_floats > 0


def test_interval_is_that_of_the_ratio_to_the_reference() -> None:
    result = impact_ratio([45, 60], [90, 80], alpha=0.1)
    expected = rate_ratio(45, 90, 60, 80, alpha=0.1)
    assert (result[0].low, result[0].high) == (expected.low, expected.high)
    assert isnan(result[1].low)
    assert "Koopman" in result.method


def test_the_highest_rate_is_found_exactly() -> None:
    # 1/3 and one part in 10^20 more, which are one float.
    big = 3 * 10**20
    result = impact_ratio([1, 10**20 + 1], [3, big], groups=["a", "b"])
    assert result.reference == "b"
    assert (result[0].highest, result[1].highest) == (False, True)


def test_ties_have_ratio_1_and_no_flag() -> None:
    result = impact_ratio([1, 20, 2, 1], [2, 40, 4, 4], groups=list("abcd"))
    assert result.ratio == (1.0, 1.0, 1.0, 0.5)
    assert [group.highest for group in result] == [True, True, True, False]
    assert result.flagged == (False, False, False, True)
    assert result.reference == "b"  # the largest of those with the highest rate
    assert result[0].low < 1 < result[0].high


def test_a_group_never_selected_while_others_are() -> None:
    result = impact_ratio([0, 30], [40, 40])
    assert (result[0].ratio, result[0].flagged, result[0].status) == (0.0, True, "ok")
    assert result[0].low == 0 < result[0].high < 0.8


def test_a_group_of_nobody() -> None:
    result = impact_ratio([0, 30, 20], [0, 40, 40])
    assert (result[0].status, result[0].reason) == ("not_estimable", "0 of 0: no rate")
    assert result.flagged == (None, False, True)
    assert result.status == "ok"
    assert isnan(result[0].rate)


def test_nobody_selected_in_any_group() -> None:
    result = impact_ratio([0, 0], [40, 40])
    assert result.status == result[0].status == "not_estimable"
    assert result.reason == "nobody was selected in any group; a ratio to 0 is undefined"
    assert (result.flagged, result.rate) == ((None, None), (0.0, 0.0))
    assert all(map(isnan, result.ratio))


@pytest.mark.parametrize(
    ("selected", "total", "reason"),
    [
        ([3], [5], "one group; nothing to compare"),
        ([], [], "no groups"),
        ([3, 0], [5, 0], "one group has observations; nothing to compare"),
        ([0, 0], [0, 0], "no group has observations; nothing to compare"),
    ],
)
def test_nothing_to_compare(selected: list[int], total: list[int], reason: str) -> None:
    result = impact_ratio(selected, total)
    assert (result.status, result.reason) == ("not_estimable", reason)
    assert set(result.flagged) <= {None}


def test_another_threshold() -> None:
    result = impact_ratio([10, 9], [10, 10], threshold=Fraction(19, 20))
    assert (result.flagged, result.threshold) == ((False, True), "19/20")


class TestWarnings:
    def warnings(self, result: ImpactRatio) -> list[str]:
        return [warning for group in result for warning in group.warnings]

    def test_none_for_large_groups(self) -> None:
        assert self.warnings(impact_ratio([50, 20], [100, 100])) == []

    def test_small_numbers_name_rule_and_numbers(self) -> None:
        found = self.warnings(impact_ratio([20, 20], [29, 30], groups=["a", "b"]))
        assert len(found) == 2
        assert "29 here, fewer than 30 in a group (29 CFR 1607.4(D)" in found[0]
        assert "30 here and 29 in a, fewer than 30" in found[1]
        assert self.warnings(impact_ratio([20, 20], [29, 30], minimum=29)) == []

    def test_one_selection_more_or_less(self) -> None:
        # 2 of 40 against 3 of 40: 3 against 2 after one change. 1 against 3: 2 against 2, no more.
        assert any("one selection more" in w for w in impact_ratio([3, 2], [40, 40])[1].warnings)
        assert impact_ratio([3, 1], [40, 40])[1].warnings == ()
        assert impact_ratio([3, 1], [40, 40])[1].flagged


def test_arrays_series_and_numpy_integers() -> None:
    expected = impact_ratio([3, 9], [10, 10])
    small = np.array([3, 9], dtype=np.int8)  # 5 * 9 * 10 would not fit
    assert impact_ratio(small, np.array([10, 10], dtype=np.int8)).flagged == expected.flagged
    assert impact_ratio(pd.Series([3, 9]), pd.Series([10, 10])).groups == expected.groups
    assert type(impact_ratio(small, small)[0].selected) is int


@pytest.mark.parametrize(
    ("selected", "total", "message"),
    [
        ([1, 2], [3], "selected has 2 groups, total 1 and groups 1"),
        ([4, 2], [3, 3], "selected of group 0 is 4 and total of group 0 is 3"),
        ([-1, 2], [3, 3], "selected of group 0 is -1"),
        ([1.5, 2], [3, 3], r"selected of group 0 is 1\.5; pass a whole number"),
        ([True, 2], [3, 3], "is True; pass a whole number"),
        ([[1], [2]], [3, 3], "pass a whole number"),
        (3, 5, "pass one number for each group"),
    ],
)
def test_counts_that_cannot_be(selected: object, total: object, message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        impact_ratio(selected, total)  # type: ignore[arg-type]


def test_other_errors() -> None:
    with pytest.raises(StatisticsError, match="'a' is given twice"):
        impact_ratio([1, 2], [3, 3], groups=["a", "a"])
    with pytest.raises(StatisticsError, match=r"threshold is 0\.8; pass a Fraction"):
        impact_ratio([1, 2], [3, 3], threshold=0.8)  # type: ignore[arg-type]
    with pytest.raises(StatisticsError, match="alpha is 2"):
        impact_ratio([1, 2], [3, 3], alpha=2)
