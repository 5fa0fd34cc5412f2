from collections.abc import Sequence

import numpy as np
import pytest
from tests.validate.dialect import PAIRS

from isogloss.validate.claims import Claims, claim_texts, compare_claims
from isogloss.validate.sentences import Span
from isogloss.validate.similarity import Vector, embed

# Directions in which some words lie 30 degrees from another; all others are at right angles.
NEAR = {"cost": "price", "van": "lorry"}


def encode(texts: Sequence[str]) -> Vector:
    """Encode each word as a direction of its own, or close to that of the word it is near to."""
    words = sorted({NEAR.get(text, text) for text in texts} | set(texts))
    vectors = np.eye(len(words))
    rows = []
    for text in texts:
        own, other = vectors[words.index(text)], vectors[words.index(NEAR.get(text, text))]
        rows.append(np.cos(np.pi / 6) * other + np.sin(np.pi / 6) * own if text in NEAR else own)
    return np.array(rows)


def claims(
    text: str, reference: str, ignored: Sequence[Span] = (), ignored_reference: Sequence[Span] = ()
) -> Claims:
    words = [*claim_texts(text, ignored), *claim_texts(reference, ignored_reference)]
    return compare_claims(text, reference, embed(words, encode), ignored, ignored_reference)


def test_the_same_content_is_covered_in_any_form() -> None:
    found = claims(
        "We have managed the harbour and shipped cargo.", "I manage harbours; cargo ships."
    )
    assert (found.lost.covered, found.added.covered, found.opposites) == (1, 1, ())


def test_an_added_claim_is_found_with_its_place() -> None:
    found = claims("We repaired the pump. The mayor gave Anna a medal.", "We repaired the pump.")
    assert found.lost.covered == 1
    assert found.added.covered == 0
    assert found.added.clause == "mayor gave Anna"


def test_a_lost_claim_is_found_within_a_sentence() -> None:
    reference = "We repaired the pump, painted the old jetty green and rested."
    found = claims("We repaired the pump and rested.", reference)
    assert found.added.covered == 1
    assert (found.lost.clause, found.lost.covered) == ("painted the old jetty", 0)


def test_a_near_word_covers_in_part() -> None:
    found = claims("We halved the cost there.", "We halved the price there.")
    # (cos 30 degrees - 0.3) / 0.7 for one word of two, 1 for the other
    expected = (1 + (np.cos(np.pi / 6) - 0.3) / 0.7) / 2
    assert found.added.covered == pytest.approx(expected)
    assert found.lost.covered == pytest.approx(expected)


def test_one_foreign_word_among_three_lowers_the_run_by_a_third() -> None:
    found = claims("The crew painted boats.", "The crew sold boats.")
    assert found.added.covered == pytest.approx(2 / 3)


def test_a_run_does_not_go_beyond_its_sentence() -> None:
    # One foreign word at the end of a sentence and one at the start of the next.
    found = claims("We sold boats cheaply. Gladly we left town.", "We sold boats. We left town.")
    assert found.added.covered == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("text", "reference", "opposites"),
    [
        ("We lowered the fee.", "We raised the fee.", ("raised -> lowered",)),
        ("They rejected it.", "They accepted it.", ("accepted -> rejected",)),
        ("It was impossible there.", "It was possible there.", ("possible -> impossible",)),
        ("It was not impossible there.", "It was possible there.", ()),
        ("We missed it.", "We never met it.", ()),
        ("We raised it and lowered it.", "We lowered it and raised it.", ()),
        ("We boosted the fee.", "We raised the fee.", ()),
    ],
)
def test_words_turned_into_their_opposite(
    text: str, reference: str, opposites: tuple[str, ...]
) -> None:
    assert claims(text, reference).opposites == opposites


def test_ignored_spans_and_numbers_are_no_content() -> None:
    text, reference = "Presumably tidy minds sell 40 boats.", "We sell 50 boats."
    assert claim_texts(text, [(0, 21)]) == ("sell", "boats")
    assert claims(text, reference, ignored=[(0, 21)]).added.covered == 1
    assert claims(text, reference).added.covered == 0


@pytest.mark.parametrize("empty", ["", "🙂", "I am.", "12", "."])
def test_a_text_without_content_has_nothing_to_cover(empty: str) -> None:
    found = claims(empty, "We repaired the pump.")
    assert (found.added.covered, found.added.clause) == (1, "")
    assert found.lost.covered == 0
    assert claims(empty, empty).lost.covered == 1


@pytest.mark.parametrize(("dialect", "standard"), PAIRS)
def test_dialect_makes_the_same_claims(dialect: str, standard: str) -> None:
    found = claims(dialect, standard)
    assert min(found.lost.covered, found.added.covered) >= 0.5
    assert found.opposites == ()


def test_other_scripts_and_long_texts_are_compared() -> None:
    assert claims("שלום עולם גדול", "שלום עולם גדול").lost.covered == 1
    text = "We repaired the pump and painted the jetty. " * 800
    assert claims(text, text).added.covered == 1
