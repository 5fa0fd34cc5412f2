"""How positive or negative a text sounds, by the words of VADER.

VADER (Hutto and Gilbert 2014) is a lexicon of some 7,500 words and signs, each rated by ten people
for valence, with five rules (marks, capitals, degree words, `but`, negation); the sum of a sentence
is scaled to lie between -1 and 1. It was made for short posts in social media and knows neither
irony nor the subject: `cut costs by 40 %` and `failed over` are judged by their words alone. A
difference between two wordings of one text is what it is used for here.
"""

from dataclasses import dataclass
from functools import lru_cache

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from isogloss.validate.sentences import sentences
from isogloss.validate.tokens import count_words

_LONGEST = 200


@dataclass(frozen=True)
class Sentiment:
    """Valence of a text and of its sentences."""

    compounds: tuple[float, ...]
    """VADER's compound score of each sentence, from -1 to 1."""

    @property
    def valence(self) -> float | None:
        """Mean of the sentences' scores; None for a text without words or rated signs."""
        return sum(self.compounds) / len(self.compounds) if self.compounds else None


def measure_sentiment(text: str) -> Sentiment:
    """Score each sentence of a text.

    The mean is taken over sentences because the score of a whole text runs to -1 or 1 with its
    length. A sentence of more than 200 words is scored in pieces. A text without words is scored
    as one sentence where it has a sign that VADER rates, for instance an emoji.
    """
    pieces = [piece for sentence in sentences(text) for piece in _pieces(sentence)]
    scores = [_scores(piece) for piece in pieces if count_words(piece)]
    if not scores and text.strip():
        scores = [score for score in [_scores(text.strip()[:_LONGEST])] if score["compound"]]
    return Sentiment(tuple(score["compound"] for score in scores))


def _pieces(sentence: str) -> list[str]:
    words = sentence.split()
    return [" ".join(words[i : i + _LONGEST]) for i in range(0, len(words), _LONGEST)]


def _scores(sentence: str) -> dict[str, float]:
    plain = sentence.replace("\u2019", "'")
    return {name: float(value) for name, value in _analyser().polarity_scores(plain).items()}


@lru_cache(maxsize=1)
def _analyser() -> SentimentIntensityAnalyzer:
    return SentimentIntensityAnalyzer()
