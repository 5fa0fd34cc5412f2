"""Words and texts are looked up in one case, and what is not found is said."""

import numpy as np
import pytest
from tests.weat.conftest import toy

from isogloss.errors import ModelError
from isogloss.weat.encoded import EncodedVectors
from isogloss.weat.static_vectors import StaticVectors

VECTORS = toy(cat=[1, 0], dog=[0, 2], Dog=[5, 5], nothing=[0, 0])


def test_words_are_looked_up_in_lower_case() -> None:
    found = VECTORS.words(["Dog", "Horse", "cat"])
    assert (found.found, found.keys) == (("Dog", "cat"), ("dog", "cat"))
    assert (found.missing, found.missing_keys) == (("Horse",), ("horse",))
    assert found.vectors.tolist() == [[0, 2], [1, 0]]


def test_or_as_they_are_written() -> None:
    exact = StaticVectors("toy", VECTORS.index, VECTORS.array, "as_written")
    found = exact.words(["Dog", "CAT"])
    assert (found.keys, found.missing, found.vectors.tolist()) == (("Dog",), ("CAT",), [[5, 5]])


def test_a_text_is_the_mean_of_its_words_with_repetition() -> None:
    found = VECTORS.texts(["Cat, cat and dog!", "Horses only", ""])
    assert found.vectors[0] == pytest.approx([2 / 3, 2 / 3])
    assert np.isnan(found.vectors[1:]).all()
    assert found.n_words.tolist() == [4, 2, 0]
    assert found.n_found.tolist() == [3, 0, 0]


def test_a_word_without_direction_is_named() -> None:
    with pytest.raises(ModelError, match=r"toy: the word 'Nothing' .* has a zero vector"):
        VECTORS.words(["cat", "Nothing"])
    broken = StaticVectors("toy", {"cat": 0}, np.array([[np.nan, 1.0]]), "lower")
    with pytest.raises(ModelError, match=r"the word 'cat' .* has a value not finite"):
        broken.words(["cat"])


def test_an_encoder_reads_every_word() -> None:
    seen: list[str] = []

    def encode(texts: object) -> np.ndarray:
        seen.extend(texts)  # type: ignore[call-overload]
        return np.ones((len(texts), 3), dtype=np.float32)  # type: ignore[arg-type]

    vectors = EncodedVectors(encode)
    words = vectors.words(["Zyx", "cat"])
    assert (words.found, words.missing, words.vectors.shape) == (("Zyx", "cat"), (), (2, 3))
    texts = vectors.texts(["One two three.", "four"])
    assert (texts.n_words.tolist(), texts.n_found.tolist()) == ([3, 1], [3, 1])
    assert seen == ["Zyx", "cat", "One two three.", "four"]
    empty = vectors.texts(["", "five"])
    assert np.isnan(empty.vectors).all(axis=1).tolist() == [True, False]
