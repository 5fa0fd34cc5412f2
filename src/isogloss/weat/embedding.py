"""What gives words and texts their vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from isogloss.stats.arrays import Values

Case = Literal["lower", "as_written"]
"""Whether a word is looked up in lower case or as it is written."""


@dataclass(frozen=True)
class WordVectors:
    """Words that were looked up."""

    found: tuple[str, ...]
    """Words that have a vector, as they were given."""
    keys: tuple[str, ...]
    """What each of these was looked up as."""
    vectors: Values
    """Of the words found, shape (found, dim)."""
    missing: tuple[str, ...]
    """Words that have none."""
    missing_keys: tuple[str, ...]
    """What each of these was looked up as."""


@dataclass(frozen=True)
class TextVectors:
    """Texts with their vectors."""

    vectors: Values
    """Shape (texts, dim); NaN for a text without a word that has a vector."""
    n_words: NDArray[np.int64]
    """Words of each text."""
    n_found: NDArray[np.int64]
    """Of these, the words that entered the vector."""


class Embedding(Protocol):
    """A source of vectors."""

    @property
    def has_vocabulary(self) -> bool:
        """Whether there are words without a vector; an encoder has one for every text."""

    def words(self, words: Sequence[str]) -> WordVectors:
        """Look words up."""

    def texts(self, texts: Sequence[str]) -> TextVectors:
        """Give whole texts vectors."""
