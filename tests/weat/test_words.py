"""Tests of word lists name each word that is lost, and refuse lists that cannot be compared."""

import pytest
from tests.weat.conftest import toy

from isogloss.errors import StatisticsError
from isogloss.weat import weat
from isogloss.weat.lists import WordList
from isogloss.weat.options import Options
from isogloss.weat.words import weat_words

VECTORS = toy(
    rose=[9, 1], lily=[8, 1], iris=[7, 1], tulip=[6, 2],
    ant=[1, 9], bee=[1, 8], fly=[2, 6], moth=[3, 7],
    love=[1, 0], joy=[5, 1], peace=[4, 1], health=[3, 1],
    pain=[0, 1], grief=[1, 5], war=[1, 4], filth=[1, 3],
)  # fmt: skip
X = WordList("flowers", ("rose", "Lily", "iris", "tulip"))
Y = WordList("insects", ("ant", "bee", "fly", "moth"))
A = WordList("good", ("love", "joy", "peace", "health"))
B = WordList("bad", ("pain", "grief", "war", "filth"))


def test_words_are_tested_as_their_vectors() -> None:
    found = weat_words(X, Y, A, B, VECTORS, options=Options(alternative="greater"))
    rows = VECTORS.array
    assert found.result == weat(rows[:4], rows[4:8], rows[8:12], rows[12:], alternative="greater")
    assert (found.result.p_value, found.missing) == (1 / 70, ())


def test_words_out_of_vocabulary_are_named() -> None:
    longer = WordList("flowers", (*X.words, "gladiola"))
    found = weat_words(longer, Y, A, WordList("bad", ("Woe", *B.words)), VECTORS)
    assert found.missing == (("flowers", "gladiola"), ("bad", "Woe"))
    assert found.result == weat_words(X, Y, A, B, VECTORS).result


def test_too_few_words_are_an_error_that_names_the_missing() -> None:
    few = WordList("flowers", ("rose", "lily", "iris", "gladiola"))
    message = r"flowers: 3 of 4 words have a vector, 4 are needed \(missing: gladiola\)"
    with pytest.raises(StatisticsError, match=message):
        weat_words(few, Y, A, B, VECTORS)
    assert weat_words(few, Y, A, B, VECTORS, min_words=3).result.n_x == 3


@pytest.mark.parametrize(
    ("x", "a", "message"),
    [
        (WordList("flowers", (*X.words, "Ant")), A, "'ant' is in both .* flowers and insects"),
        (X, WordList("good", (*A.words, "war")), "'war' is in both .* good and bad"),
        (WordList("flowers", (*X.words, "Rose")), A, "list flowers: 'rose' stands twice"),
    ],
)
def test_a_word_in_two_sets_is_an_error(x: WordList, a: WordList, message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        weat_words(x, Y, a, B, VECTORS)


def test_a_word_in_both_sets_is_an_error_even_out_of_vocabulary() -> None:
    x, y = (WordList(one.name, (*one.words, "Unheard")) for one in (X, Y))
    with pytest.raises(StatisticsError, match="'unheard' is in both"):
        weat_words(x, y, A, B, VECTORS)


def test_a_target_may_be_an_attribute() -> None:
    """As the tests' authors have it: only the two sets of one side must be apart."""
    assert weat_words(WordList("flowers", (*X.words, "love")), Y, A, B, VECTORS).result.n_x == 5
