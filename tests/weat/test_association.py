"""Associations are differences of mean cosines, and vectors without direction are refused."""

import numpy as np
import pytest
from tests.weat.conftest import A, B, with_association

from isogloss.errors import StatisticsError
from isogloss.weat import associations

# A few roundings of numbers about 1.
ROUNDING = 1e-14


def test_by_hand() -> None:
    # cos((3, 4), (1, 0)) = 0.6, with (0, 1) 0.8, with (0, -1) -0.8.
    assert associations([[3, 4]], A, B) == pytest.approx([-0.2], abs=ROUNDING)
    assert associations([[3, 4]], A, [[0, 1], [0, -1]]) == pytest.approx([0.6], abs=ROUNDING)


def test_equals_the_definition_cosine_by_cosine() -> None:
    rng = np.random.default_rng(1)
    x, a, b = rng.normal(size=(7, 5)), rng.normal(size=(3, 5)), rng.normal(size=(4, 5))

    def cosine(v: np.ndarray, w: np.ndarray) -> float:
        return float(v @ w / np.linalg.norm(v) / np.linalg.norm(w))

    expected = [np.mean([cosine(w, c) for c in a]) - np.mean([cosine(w, c) for c in b]) for w in x]
    assert associations(x, a, b) == pytest.approx(expected, abs=ROUNDING)


def test_length_does_not_matter_however_small_or_large() -> None:
    x = with_association(0.3, -0.9)
    for factor in (1e-200, 1e200):
        assert associations(factor * x, A, B) == pytest.approx([0.3, -0.9], abs=1e-12)


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([[1, 0], [0, 0]], "x: row 1 is a zero vector"),
        ([[1, 0], [np.nan, 1]], "x: row 1 has a value that is not finite"),
        ([[np.inf, 1]], "x: row 0 has a value that is not finite"),
        (np.zeros((0, 2)), "x: is empty"),
        ([1, 0], "x: has shape"),
        ([[1, 0], [1]], "x: not an array of numbers"),
        ([[1, 0, 0]], "x 3, a 2, b 2; use one embedding"),
    ],
)
def test_what_has_no_direction_is_refused(x: object, message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        associations(x, A, B)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["a", "b"])
def test_attributes_are_checked_as_well(name: str) -> None:
    sets = {"a": A, "b": B, name: [[0.0, 0.0]]}
    with pytest.raises(StatisticsError, match=f"{name}: row 0 is a zero vector"):
        associations([[1, 1]], sets["a"], sets["b"])
