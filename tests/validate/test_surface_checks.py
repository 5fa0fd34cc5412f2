"""Faults of single cells, and repairs."""

from collections.abc import Callable

import pytest

from isogloss.validate.records import Check, CheckName, Pair
from isogloss.validate.surface_checks import check_repairs, check_surface

Make = Callable[..., Pair]


def one(checks: list[Check], name: CheckName) -> Check:
    (found,) = [check for check in checks if check.check == name]
    return found


@pytest.mark.parametrize(
    ("guise", "question", "name", "reason"),
    [
        (" ", "Why?", "text_present", "empty: soft"),
        ("At [your company] now.", "Why?", "placeholder",
         "unfilled placeholder: [your company] in soft"),
        ("Yes.", "Why TBD?", "placeholder", "unfilled placeholder: TBD in question"),
        ("Yes\u200b.", "Why?", "control_characters", "hidden character: U+200B in soft"),
        ("Itâ€™s.", "Why?", "mojibake", "garbled character: â€™ in soft"),
        ("Yes. " * 300, "Why?", "text_length", "soft has 1500 characters, more than 1000"),
        ("Sure! Here is the hedged version: yes.", "Why?", "reply_prose",
         "words about the text: Sure! Here is the hedged version: in soft"),
    ],
)  # fmt: skip
def test_a_fault_of_the_surface_says_where(
    pair: Make, guise: str, question: str, name: CheckName, reason: str
) -> None:
    checks = check_surface(pair(guise, "No.", question), 1000)
    assert [check.check for check in checks if not check.passed] == [name]
    assert one(checks, name).reason == reason


@pytest.mark.parametrize(
    "text",
    ["שלום 👩‍💻", "Naïve — “yes”.", "Sure, I led the team.", "My answer: we merged the two lists."],
)
def test_a_clean_surface_passes(pair: Make, text: str) -> None:
    assert all(check.passed for check in check_surface(pair(text, "No."), 1000))


def test_a_text_by_itself_and_texts_beside_it_are_looked_at(pair: Make) -> None:
    checks = check_surface(pair("Yes.", also={"title": "Head of TBD"}), 1000)
    assert one(checks, "placeholder").reason == "unfilled placeholder: TBD in title"


def test_a_repair_passes_and_says_so(pair: Make) -> None:
    check = check_repairs(pair("a", "b"), ["soft", "plain"], "marks removed")
    assert check.passed
    assert check.repaired
    assert check.reason == "repaired: marks removed in soft, plain"
    assert not check_repairs(pair("a", "b"), [], "marks removed").repaired
