"""Texts written before are found by their word sequences."""

import pytest

from isogloss.validate.copies import Copied, Corpus, word_sequences

TEXT = "I split the count into three zones and gave each zone a scanner."


def corpus(**texts: str) -> Corpus:
    made = Corpus()
    for name, text in texts.items():
        made.add(name, [text])
    return made


def test_sequences_of_four_words_by_hand() -> None:
    assert word_sequences("One, two three FOUR five.") == {
        ("one", "two", "three", "four"),
        ("two", "three", "four", "five"),
    }
    assert word_sequences("Two words") == {("two", "words")}
    assert word_sequences("— !") == frozenset()


@pytest.mark.parametrize("text", [TEXT, TEXT.upper(), TEXT.replace("zones", "zones,")])
def test_the_same_words_are_the_same_text(text: str) -> None:
    assert corpus(a=TEXT).closest([text]) == Copied("a", 1.0)


def test_the_share_is_of_the_sequences_of_either() -> None:
    # Nine words have six sequences; with the last word changed five are common, of seven.
    nine = "a b c d e f g h i"
    assert corpus(a=nine).closest(["a b c d e f g h j"]) == Copied("a", pytest.approx(5 / 7))


def test_the_first_of_two_that_are_alike_is_named() -> None:
    assert corpus(a=TEXT, b=TEXT).closest([TEXT]) == Copied("a", 1.0)


def test_the_closest_of_several_texts_counts() -> None:
    assert corpus(a=TEXT).closest(["Something else was said here.", TEXT]) == Copied("a", 1.0)


def test_nothing_in_common_is_none() -> None:
    assert corpus(a=TEXT).closest(["Something else was said here.", ""]) is None
    assert Corpus().closest([TEXT]) is None
