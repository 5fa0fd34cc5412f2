"""Static vectors: one for each word of a vocabulary."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isogloss.errors import ModelError
from isogloss.stats.arrays import Values
from isogloss.validate.tokens import fold, tokenise
from isogloss.weat.embedding import Case, TextVectors, WordVectors


def key_of(word: str, case: Case) -> str:
    """What a word is looked up as: as it is, or in lower case, composed, with plain apostrophes."""
    return fold(word) if case == "lower" else word


def keys_of_text(text: str, case: Case) -> list[str]:
    """What the words of a text, in order, are looked up as."""
    return [key_of(token.raw, case) for token in tokenise(text)]


@dataclass(frozen=True)
class StaticVectors:
    """Vectors by word.

    Raises `ModelError` when a word that is looked up has a vector without direction.
    """

    name: str
    """File or package, for messages."""
    index: Mapping[str, int]
    """Row of each word."""
    array: NDArray[np.floating]
    """Shape (words, dim)."""
    case: Case
    has_vocabulary: bool = True

    def words(self, words: Sequence[str]) -> WordVectors:
        """Look words up in the case of the vocabulary."""
        pairs = [(word, key_of(word, self.case)) for word in words]
        found = [pair for pair in pairs if pair[1] in self.index]
        missing = [pair for pair in pairs if pair[1] not in self.index]
        vectors = self._rows([key for _, key in found])
        self._check(found, vectors)
        return WordVectors(
            tuple(word for word, _ in found),
            tuple(key for _, key in found),
            vectors,
            tuple(word for word, _ in missing),
            tuple(key for _, key in missing),
        )

    def texts(self, texts: Sequence[str]) -> TextVectors:
        """Mean of the vectors of a text's words, each counted as often as it occurs."""
        keys = [keys_of_text(text, self.case) for text in texts]
        known = [[key for key in of_text if key in self.index] for of_text in keys]
        vectors = np.full((len(texts), self.array.shape[1]), np.nan)
        for row, of_text in enumerate(known):
            if of_text:
                vectors[row] = self._rows(of_text).mean(axis=0)
        return TextVectors(
            vectors,
            np.array([len(of_text) for of_text in keys], dtype=np.int64),
            np.array([len(of_text) for of_text in known], dtype=np.int64),
        )

    def _rows(self, keys: Sequence[str]) -> Values:
        places = np.array([self.index[key] for key in keys], dtype=np.intp)
        return np.asarray(self.array[places], dtype=np.float64)

    def _check(self, found: Sequence[tuple[str, str]], vectors: Values) -> None:
        broken = np.flatnonzero(~np.isfinite(vectors).all(axis=1) | ~vectors.any(axis=1))
        if broken.size:
            word, key = found[broken[0]]
            fault = "a zero vector" if not vectors[broken[0]].any() else "a value not finite"
            raise ModelError(
                f"{self.name}: the word {word!r} (looked up as {key!r}) has {fault}; "
                "correct the file, or leave the word out of the list"
            )
