"""How much of a posting is in another language than English."""

from collections.abc import Iterator
from dataclasses import dataclass

from isogloss.validate.language import English, measure_english
from isogloss.validate.sentences import sentence_spans
from isogloss.validate.tokens import count_words

FOREIGN_MARGIN = -0.5
"""P(English) minus P(the likeliest other language) from which down a piece counts as foreign."""

PIECE_WORDS = 12
"""Fewest words of a piece; shorter sentences are read together with the next ones."""


@dataclass(frozen=True)
class Foreign:
    """What of a text is in other languages."""

    share: float
    """Characters of foreign pieces by characters of all pieces that can be told; 0 if none can."""
    language: str
    """Code (ISO 639) of the likeliest language of the least English piece; empty if none."""
    example: str
    """At most 12 words of that piece; empty if none."""


def find_foreign(text: str) -> Foreign:
    """Find the sentences of a text that are in another language than English.

    Short sentences are read together, `PIECE_WORDS` or more words at a time, and each piece is
    judged by its least English stretch. In the published and the project's own postings no piece
    comes below a margin of 0; pieces in German, French, Dutch and Spanish lie below -0.85.
    """
    measured = [(len(piece), measure_english(piece)) for piece in _pieces(text)]
    told = [(size, english) for size, english in measured if english.margin is not None]
    foreign = [(size, english) for size, english in told if _margin(english) <= FOREIGN_MARGIN]
    if not foreign:
        return Foreign(0.0, "", "")
    worst = min((english for _, english in foreign), key=_margin)
    share = sum(size for size, _ in foreign) / sum(size for size, _ in told)
    return Foreign(share, worst.other, worst.stretch)


def _margin(english: English) -> float:
    return 1.0 if english.margin is None else english.margin


def _pieces(text: str) -> Iterator[str]:
    sentences: list[str] = []
    words = 0
    for start, end in sentence_spans(text):
        sentences.append(text[start:end])
        words += count_words(sentences[-1])
        if words >= PIECE_WORDS:
            yield " ".join(sentences)
            sentences, words = [], 0
    if sentences:
        yield " ".join(sentences)
