"""Texts that were written before: the same words, or nearly all of the same word sequences."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from isogloss.validate.tokens import tokenise

LENGTH = 4
"""Words of a sequence; a shorter text is one sequence."""
MOST_WORDS = 5_000
"""Words of a text that are looked at."""

Sequences = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class Copied:
    """The earlier text that has most word sequences in common with a text."""

    name: str
    """Whose text that is."""
    share: float
    """Sequences in both, of those in either: |A and B| / |A or B|; 1 for the same words."""


def word_sequences(text: str) -> Sequences:
    """Return the sequences of four words of a text, without regard to case and punctuation.

    A text of fewer words is one sequence; a text without words has none.
    """
    words = [token.word for token in tokenise(text)[:MOST_WORDS]]
    if not words:
        return frozenset()
    starts = range(max(len(words) - LENGTH + 1, 1))
    return frozenset(tuple(words[i : i + LENGTH]) for i in starts)


class Corpus:
    """Texts by name, in which the closest to a text can be found."""

    def __init__(self) -> None:
        self._texts: list[tuple[str, Sequences]] = []
        self._holders: dict[tuple[str, ...], list[int]] = {}

    def add(self, name: str, texts: Iterable[str]) -> None:
        """Add texts under a name; texts without words are left out."""
        for sequences in filter(None, map(word_sequences, dict.fromkeys(texts))):
            for sequence in sequences:
                self._holders.setdefault(sequence, []).append(len(self._texts))
            self._texts.append((name, sequences))

    def closest(self, texts: Sequence[str]) -> Copied | None:
        """Return the closest text, the first of several alike; None where none has a sequence."""
        found = [copied for text in texts for copied in self._candidates(word_sequences(text))]
        return max(found, key=lambda copied: copied.share, default=None)

    def _candidates(self, sequences: Sequences) -> Iterator[Copied]:
        common = Counter(i for s in sequences for i in self._holders.get(s, ()))
        for place in sorted(common):
            name, theirs = self._texts[place]
            either = len(sequences) + len(theirs) - common[place]
            yield Copied(name, common[place] / either)
