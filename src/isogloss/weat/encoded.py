"""Vectors by a sentence encoder, to which a word is a text of one word."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from isogloss.stats.arrays import Values
from isogloss.validate.similarity import Encode
from isogloss.validate.tokens import count_words
from isogloss.weat.embedding import TextVectors, WordVectors


@dataclass(frozen=True)
class EncodedVectors:
    """An encoder; it reads every word, so that none is missing, and cuts off very long texts."""

    encode: Encode
    has_vocabulary: bool = False

    def words(self, words: Sequence[str]) -> WordVectors:
        """Encode each word as it is written."""
        given = tuple(words)
        return WordVectors(given, given, self._encoded(given), (), ())

    def texts(self, texts: Sequence[str]) -> TextVectors:
        """Encode each text as a whole; one without a word has no vector."""
        counts = np.array([count_words(text) for text in texts], dtype=np.int64)
        vectors = self._encoded(texts)
        vectors[counts == 0] = np.nan
        return TextVectors(vectors, counts, counts)

    def _encoded(self, texts: Sequence[str]) -> Values:
        return np.array(self.encode(list(texts)), dtype=np.float64)
