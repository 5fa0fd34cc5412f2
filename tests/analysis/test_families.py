from math import isnan, nan

import pytest

from isogloss.analysis.families import adjust_within, family_name

ROUNDING = 1e-12  # Holm multiplies by small whole numbers


def test_each_family_is_adjusted_for_its_own_size() -> None:
    found = adjust_within(["a", "b", "a"], [0.01, 0.03, 0.04], "holm")
    # family a: 2 * 0.01 and 1 * 0.04; family b has one test
    assert [f.p_adjusted for f in found] == pytest.approx([0.02, 0.03, 0.04], abs=ROUNDING)
    assert [f.family_size for f in found] == [2, 1, 2]
    assert [f.family for f in found] == ["a", "b", "a"]


def test_nan_stays_nan_and_counts() -> None:
    found = adjust_within(["a", "a", "a"], [0.01, nan, 0.02], "holm")
    assert isnan(found[1].p_adjusted)
    assert found[0].p_adjusted == pytest.approx(0.03, abs=ROUNDING)
    assert found[2].p_adjusted == pytest.approx(0.04, abs=ROUNDING)


def test_no_tests_give_no_families() -> None:
    assert adjust_within([], [], "holm") == []


def test_family_name_joins_its_parts() -> None:
    assert family_name("x", "y") == "x | y"
