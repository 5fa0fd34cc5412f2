from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from isogloss.errors import ModelError
from isogloss.validate.similarity import cosine, embed


def encode_length(texts: Sequence[str]) -> npt.NDArray[np.float64]:
    return np.array([[len(text), 1.0] for text in texts])


def test_cosine_of_embedded_texts() -> None:
    vectors = embed(["abc", "a"], encode_length)
    assert cosine(vectors, "abc", "abc") == pytest.approx(1)
    # (3, 1).(1, 1) / (sqrt 10 sqrt 2)
    assert cosine(vectors, "abc", "a") == pytest.approx(4 / np.sqrt(20))


def test_each_text_is_encoded_once_in_one_batch() -> None:
    calls: list[list[str]] = []

    def encode(texts: Sequence[str]) -> npt.NDArray[np.float64]:
        calls.append(list(texts))
        return encode_length(texts)

    embed(["b", "a", "b"], encode)
    assert calls == [["b", "a"]]


def test_a_zero_vector_is_similar_to_nothing() -> None:
    vectors = embed(["a", "b"], lambda texts: np.zeros((len(texts), 3)))
    assert cosine(vectors, "a", "b") == 0


def test_no_text_needs_no_encoder() -> None:
    def fail(texts: Sequence[str]) -> npt.NDArray[np.float64]:
        raise AssertionError

    assert embed([], fail) == {}


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (np.zeros((1, 3)), r"shape \(1, 3\) for 2 texts"),
        (np.zeros(2), r"shape \(2,\) for 2 texts"),
        (np.array([[np.nan], [1.0]]), "not finite"),
    ],
)
def test_an_unusable_encoder_is_named(vectors: npt.NDArray[np.float64], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        embed(["a", "b"], lambda _: vectors)
