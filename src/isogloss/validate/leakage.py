"""Words of a text that give away its label, or who its speaker is.

A text that says `as a hedged answer`, or that its speaker is a woman of sixty, is judged by that
and not by how it is said.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from isogloss.validate.lexicon import Lexicon
from isogloss.validate.markers import Marker, find_markers
from isogloss.validate.tokens import APOSTROPHES, fold

_SPEAKER = re.compile(
    r"\b(?:i'm|im|i (?:am|was|be|been)|i(?:'ve| have) been|we're|we (?:are|were)|as|being|me"
    r"|i identify as|i (?:come|am) from|i'm from|raised|born|i grew up)"
    r"(?:\W+(?!(?:and|but|because|who|that|with|for|to|about|of|we|i|fluent)\b)[\w'-]+){0,4}\W*$"
)
_OTHERS = re.compile(
    r"\b(?:he|she|they|it|you|his|her|their|your|our|who|such)\b(?!.*\b(?:i|i'm|my)\b)"
)
_BEFORE = 60
_WORD_EDGE = r"(?<![^\W_]){}(?![^\W_])"


@dataclass(frozen=True)
class Mention:
    """A word that names a demographic."""

    phrase: str
    """The words, in comparison form."""
    demographic: str
    """Class of the lexicon: gender, ethnicity, nationality, religion, age or family."""
    of_speaker: bool
    """Whether the words around it say it of the speaker."""


@dataclass(frozen=True)
class Demographics:
    """Words of a text that name a demographic."""

    mentions: tuple[Mention, ...]
    """All such words, in the order of the text."""

    @property
    def of_speaker(self) -> tuple[str, ...]:
        """The words that are said of the speaker, each once."""
        return tuple(dict.fromkeys(m.phrase for m in self.mentions if m.of_speaker))


def find_labels(text: str, labels: Collection[str]) -> tuple[str, ...]:
    """Return the labels that stand in a text as words of their own, as the text writes them.

    Case, the form of the apostrophe, and whether blanks or hyphens part the words of a label do
    not matter (`African-American`); inflection does. Each is returned once.
    """
    plain = re.sub(f"[{APOSTROPHES}]", "'", text)
    found = [m for label in labels if label.strip() for m in _pattern(label).finditer(plain)]
    places = sorted({match.span() for match in found})
    return tuple(dict.fromkeys(text[start:end] for start, end in places))


def find_demographics(text: str, lexicon: Lexicon) -> Demographics:
    """Find the words of a lexicon of demographics (`data/lexicons/demographics.yaml`) in a text.

    A word is said of the speaker where a phrase of the lexicon says so by itself (class `speaker`:
    `as a woman`, `my wife`) or where at most four words part it from `I am`, `as a`, `being` and
    the like. Other mentions (`a man at the counter`, `German law`) are listed and not said to be.
    """
    return Demographics(tuple(_mention(text, marker) for marker in find_markers(text, lexicon)))


def _mention(text: str, marker: Marker) -> Mention:
    kind, _, speaker = marker.marker_class.partition("_")
    return Mention(marker.phrase, kind, speaker == "speaker" or _is_of_speaker(text, marker.start))


def _is_of_speaker(text: str, start: int) -> bool:
    clause = re.split(r"[.!?;:\n]", fold(text[max(start - _BEFORE, 0) : start]))[-1]
    return _SPEAKER.search(clause) is not None and _OTHERS.search(clause) is None


def _pattern(label: str) -> re.Pattern[str]:
    words = [re.escape(word) for word in re.split(r"[\s-]+", fold(label).strip()) if word]
    return re.compile(_WORD_EDGE.format(r"[\s_-]+".join(words)), re.IGNORECASE)
