import numpy as np
import pytest

from isogloss.validate.duplicates import comparison_form, find_nearest, find_repeats
from isogloss.validate.similarity import Vector


@pytest.mark.parametrize(
    ("question", "other", "same"),
    [
        ("What’s your plan?", "whats  your PLAN", True),
        ("What is it - exactly?", "What is it, exactly", True),
        ("Ｗhy?", "Why?", True),
        ("Why now?", "Why not?", False),
        ("🙂", "🙃", False),
        ("🙂", "🙂", True),
    ],
)
def test_comparison_form(question: str, other: str, same: bool) -> None:
    assert (comparison_form(question) == comparison_form(other)) is same


def test_every_repeat_names_the_first() -> None:
    questions = {"a": "Why?", "b": "How?", "c": "why", "d": "WHY?!"}
    assert find_repeats(questions) == {"c": "a", "d": "a"}


def at(*degrees: float) -> dict[str, Vector]:
    """Return unit vectors at the given angles for the questions Q0, Q1, ..."""
    return {
        f"Q{i}": np.array([np.cos(angle), np.sin(angle)])
        for i, angle in enumerate(np.radians(degrees))
    }


def test_a_close_question_names_the_closest_that_is_kept() -> None:
    vectors = at(0, 20, 40, 80)
    nearest = find_nearest(dict(zip("abcd", vectors, strict=True)), vectors, 0.9)
    # b is close to a (cos 20 degrees = 0.94) and so not kept; c is compared with a, not with b.
    assert {item: near.item_id for item, near in nearest.items()} == {"b": "a", "c": "a", "d": "c"}
    assert nearest["b"].similarity == pytest.approx(np.cos(np.radians(20)))
    assert nearest["c"].similarity == pytest.approx(np.cos(np.radians(40)))


def test_a_question_is_not_compared_with_its_own_repeat() -> None:
    vectors = at(0, 60)
    nearest = find_nearest({"a": "Q0", "b": "Q0", "c": "Q1"}, vectors, 0.9)
    assert "b" not in nearest
    assert nearest["c"].item_id == "a"
