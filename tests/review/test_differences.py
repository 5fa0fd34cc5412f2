import random

import pytest

from isogloss.review.differences import LONGEST_SHOWN, MOST_COMPARED, Piece, differences, shown

WORDS = [
    "a",
    " a",
    "the",
    " the",
    ",",
    ".",
    "\n",
    "  ",
    " don't",
    " é",
    "😀",
    " well-known",
    "=",
    "ש",
]


def sides(old: str, new: str) -> tuple[str, str]:
    pieces = differences(old, new)
    return (
        "".join(piece.text for piece in pieces if piece.kind != "added"),
        "".join(piece.text for piece in pieces if piece.kind != "removed"),
    )


def test_the_words_that_differ_are_named() -> None:
    assert differences("I cut the bill.", "I may have cut a bill.") == (
        Piece("same", "I"),
        Piece("added", " may have"),
        Piece("same", " cut"),
        Piece("removed", " the"),
        Piece("added", " a"),
        Piece("same", " bill."),
    )


@pytest.mark.parametrize("seed", range(40))
def test_the_pieces_make_up_both_texts(seed: int) -> None:
    draw = random.Random(seed)
    old, new = ("".join(draw.choices(WORDS, k=draw.randrange(30))) for _ in range(2))
    assert sides(old, new) == (old, new)


def test_equal_texts_have_no_difference() -> None:
    assert [piece.kind for piece in differences("Same.", "Same.")] == ["same"]
    assert differences("", "") == ()


@pytest.mark.parametrize(
    ("old", "new"), [("x " * 9, "y " * 4), ("x " * 4, "x " * 9), ("x y z", "x y z")]
)
def test_long_texts_differ_between_the_first_and_last_difference(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    long = "word " * (MOST_COMPARED + 1)
    texts = long + old + long, long + new + long
    pieces = differences(*texts)
    assert sides(*texts) == texts
    assert len(pieces) <= 4


def test_nothing_hides_in_a_shown_text() -> None:
    assert shown("a\r\nb\rc\x00\x1b\x7f\u202e\ud800\tend") == "a\nb\nc␀␛␡\ufffd\ufffd\tend"


def test_a_long_text_is_cut_and_says_so() -> None:
    cut = shown("x" * (LONGEST_SHOWN + 12))
    assert cut.startswith("x" * LONGEST_SHOWN)
    assert cut.endswith("… [cut: 12 more characters]")
    assert len(cut) < 32_767
