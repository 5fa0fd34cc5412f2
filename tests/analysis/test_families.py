from dataclasses import dataclass
from math import isnan, nan

import pytest

from isogloss.analysis.families import adjusted_tests, family_name

ROUNDING = 1e-12  # Holm multiplies by small whole numbers


@dataclass(frozen=True)
class OneTest:
    family: str
    p_value: float


def test_each_family_is_adjusted_for_its_own_size() -> None:
    tests = [OneTest("a", 0.01), OneTest("b", 0.03), OneTest("a", 0.04)]
    found = adjusted_tests(tests, "holm")
    assert [test for test, _ in found] == tests
    # family a: 2 * 0.01 and 1 * 0.04; family b has one test
    assert [f.p_adjusted for _, f in found] == pytest.approx([0.02, 0.03, 0.04], abs=ROUNDING)
    assert [f.family_size for _, f in found] == [2, 1, 2]
    assert [f.family for _, f in found] == ["a", "b", "a"]


def test_nan_stays_nan_and_counts() -> None:
    tests = [OneTest("a", 0.01), OneTest("a", nan), OneTest("a", 0.02)]
    p_adjusted = [family.p_adjusted for _, family in adjusted_tests(tests, "holm")]
    assert isnan(p_adjusted[1])
    assert [p_adjusted[0], p_adjusted[2]] == pytest.approx([0.03, 0.04], abs=ROUNDING)


def test_no_tests_give_no_families() -> None:
    assert adjusted_tests([], "holm") == []


def test_family_name_joins_its_parts() -> None:
    assert family_name("x", "y") == "x | y"
