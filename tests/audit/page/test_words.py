from math import nan

import pytest

from isogloss.audit.page import words


@pytest.mark.parametrize(
    ("value", "flagged", "said"),
    [
        (0.5, True, "0.50"),
        (0.7999, True, "just below 0.80"),
        (0.8, False, "0.80"),
        (0.8001, False, "just above 0.80"),
        (1.0, False, "1.00"),
        (nan, None, "not estimable"),
        (None, None, "not estimable"),
    ],
)
def test_a_ratio_never_reads_as_the_other_side(value, flagged, said) -> None:
    assert words.ratio(value, flagged) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(1.234, "+1.23"), (-1.234, "−1.23"), (-0.001, "0.00"), (0.0, "0.00"), (nan, "not estimable")],
)
def test_changes_have_a_sign(value: float, said: str) -> None:
    assert words.signed(value) == said


def test_numbers_in_words() -> None:
    assert words.p_value(0.0004) == "< 0.001"
    assert words.p_value(0.05) == "0.050"
    assert words.percent(0.5) == "50%"
    assert words.interval(0.1, nan) == ""
    assert words.times((("lead", 2), ("own", 1))) == "lead (× 2), own"
    assert words.times(()) == "none"
    assert words.sentence("few backgrounds") == "Few backgrounds."
