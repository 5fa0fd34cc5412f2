"""Cells: which are numbers, and how far the numbers of two cells are apart."""

import math

import pytest

from isogloss.reproduce.cells import gaps, is_integer, is_measured, is_number


@pytest.mark.parametrize(
    ("recorded", "found", "absolute", "relative"),
    [
        ("0.5", "0.5", 0.0, 0.0),
        ("1.0", "1", 0.0, 0.0),
        ("2", "2.5", 0.5, 0.2),
        ("-1e-3", "1e-3", 0.002, 2.0),
        ("0", "4", 4.0, 1.0),
        ("inf", "inf", 0.0, 0.0),
        ("nan", "NaN", 0.0, 0.0),
        ("inf", "1", math.inf, math.inf),
        ("9007199254740993", "9007199254740992", 1.0, 1.1102230246251565e-16),
        ("0.1", "0.30000000000000004", 0.20000000000000004, 0.6666666666666667),
    ],
)
def test_two_numbers_are_apart(recorded: str, found: str, absolute: float, relative: float) -> None:
    [gap] = gaps(recorded, found) or []
    assert (gap.absolute, gap.relative) == (absolute, pytest.approx(relative))


def test_numbers_within_texts_and_lists_are_taken_in_order() -> None:
    between = gaps("item: 0.25; item:guise: 4", "item: 0.5; item:guise: 4")
    assert between is not None
    assert [gap.absolute for gap in between] == [0.25, 0.0]
    listed = gaps("[0.25, 0.75]", "[0.5, 0.5]")
    assert listed is not None
    assert [gap.absolute for gap in listed] == [0.25, 0.25]


@pytest.mark.parametrize(
    ("recorded", "found"),
    [
        ("", "0"),
        ("0.5", ""),
        ("different", "equivalent"),
        ("item: 0.25", "row: 0.25"),
        ("[0.5, 0.5]", "[0.5, 0.25, 0.25]"),
        ("3", "three"),
        ("nan", "0.5 of them"),
    ],
)
def test_other_texts_have_no_gaps(recorded: str, found: str) -> None:
    assert gaps(recorded, found) is None


def test_what_kind_of_cell_it_is() -> None:
    assert [is_number(cell) for cell in ("1", "-2.5e3", "inf", "1 of 2", "", "a1")] == [
        *[True] * 3,
        *[False] * 3,
    ]
    assert [is_integer(cell) for cell in ("1", "-12", "1.0", "1e3", "")] == [
        *[True] * 2,
        *[False] * 3,
    ]
    measured = ("0.5", "1e-9", "nan", "[1, 2]", "3", ">= 0.5", "q-01", "")
    assert [is_measured(cell) for cell in measured] == [*[True] * 4, *[False] * 4]
