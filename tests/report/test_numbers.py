from math import nan

import pytest

from isogloss.report.numbers import (
    fixed,
    interval,
    not_estimable,
    p_value,
    percent,
    signed,
    with_interval,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-0.5504, "−0.550"),
        (0.25, "+0.250"),
        (0.0, "0.000"),
        (-0.0001, "0.000"),
        (0.0001, "0.000"),
        (-12.34567, "−12.346"),
    ],
)
def test_signed(value: float, text: str) -> None:
    assert signed(value) == text


def test_fixed_has_no_plus_and_no_negative_zero() -> None:
    assert fixed(3.2551) == "3.255"
    assert fixed(-0.00001, 2) == "0.00"


def test_interval() -> None:
    assert interval(-0.66, 0.441) == r"\[−0.660, 0.441\]"
    assert interval(nan, 1.0) == ""


def test_an_end_of_an_interval_shows_on_which_side_of_zero_it_lies() -> None:
    assert interval(-0.421, -0.0003) == r"\[−0.421, −0.0003\]"
    assert interval(0.000049, 0.0005001) == r"\[0.00005, 0.001\]"
    assert interval(0.0, -1e-12) == r"\[0.000, 0.000\]"
    assert interval(0.4, 12.0, 0) == r"\[0, 12\]"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.00099, r"\< 0.001"),
        (0.001, "0.001"),
        (0.0456, "0.046"),
        (1.0, r"\> 0.999"),
        (nan, "none"),
    ],
)
def test_p_value(value: float, text: str) -> None:
    assert p_value(value) == text


def test_percent() -> None:
    assert percent(0.126, 1) == "12.6 %"
    assert percent(nan) == "none"


def test_undefined_numbers_are_words_with_the_reason() -> None:
    assert with_interval(nan, nan, nan, "1 clusters") == r"not estimable \(1 clusters\)"
    assert not_estimable("") == "not estimable"
    assert "|" not in not_estimable("a|b").replace(r"\|", "")


def test_estimate_without_interval_stands_alone() -> None:
    assert with_interval(0.5, nan, nan, "") == "+0.500"
