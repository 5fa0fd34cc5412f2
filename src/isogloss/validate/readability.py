"""Reading grade of a text after Flesch and Kincaid, and what goes into it.

    grade = 0.39 words / sentences + 11.8 syllables / words - 15.59

(Kincaid, Fishburne, Rogers and Chissom 1975, Research Branch Report 8-75, Naval Technical Training
Command). The grade is made for running prose: of two or three sentences it is a coarse figure, to
be read as a difference between two wordings of one text. Words are those of `tokens.tokenise`, so
the parts of a hyphenated compound count one by one; words in other letters than Latin ones are not
counted.
"""

from dataclasses import dataclass

from isogloss.validate.sentences import sentences
from isogloss.validate.syllables import count_syllables
from isogloss.validate.tokens import tokenise

_LAST_LATIN = "\u024f"


@dataclass(frozen=True)
class Readability:
    """Counts of a text, and the grade they give."""

    sentences: int
    """Number of sentences."""
    words: int
    """Number of words."""
    syllables: int
    """Number of syllables."""

    @property
    def sentence_length(self) -> float | None:
        """Words per sentence; None for a text without words."""
        return self.words / self.sentences if self.words else None

    @property
    def grade(self) -> float | None:
        """Flesch-Kincaid grade; None for a text without words. It can be below 0."""
        if not self.words:
            return None
        return 0.39 * self.words / self.sentences + 11.8 * self.syllables / self.words - 15.59


def measure_readability(text: str) -> Readability:
    """Count sentences, words and syllables of a text."""
    words = _words(text)
    parts = [part for part in sentences(text) if _words(part)]
    return Readability(
        sentences=len(parts),
        words=len(words),
        syllables=sum(count_syllables(word) for word in words),
    )


def _words(text: str) -> list[str]:
    return [token.raw for token in tokenise(text) if token.word[:1] <= _LAST_LATIN]
