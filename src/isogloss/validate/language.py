"""Whether a text is English, by the letter sequences of a naive Bayes model.

The model is py3langid's (Lui and Baldwin 2012; trained anew by A. Barbaresi), which comes with the
package and gives one answer for one text. English is weighed against other languages that people
write at length; English-based creoles and pidgins are not among them, because a detector that knows
them gives them a share of African American English. How well this works on it is under test.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from isogloss.validate.tokens import fold

LEAST_WORDS = 4
"""Fewest words that are enough to tell; shorter texts are not measured."""

_WINDOW = 12
_STEP = 6
_MOST_WINDOWS = 400
_OTHERS = (
    "af am ar az be bg bn ca cs cy da de el eo es et eu fa fi fr ga gl ha he hi hr ht hu hy id "
    "ig is it ja ka kk km ko la lo lt lv mk ml mn ms my ne nl no pl pt ro ru si sk sl so sq sr "
    "sv sw ta te th tl tr uk ur vi xh yo zh zu"
)
_SPOKEN = "bruh coz cuz dat dem dey dis finna fr gon imma lil nah naw sumn tho tryna whatchu wit"
_LINK = re.compile(r"://|www\.|@\w")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019\u02bc\u2018][^\W\d_]+)*['\u2019]?")


@dataclass(frozen=True)
class English:
    """How English the least English stretch of a text is."""

    margin: float | None
    """P(English) minus P(the likeliest other language), from -1 to 1; None if not measured."""
    probability: float | None
    """P(English) of that stretch; None if not measured."""
    other: str
    """Code (ISO 639) of the likeliest other language of that stretch; empty if not measured."""
    stretch: str
    """The stretch, at most 12 words of the text."""


NOT_MEASURED = English(None, None, "", "")
"""What is said of a text with too few words to tell."""


def measure_english(text: str) -> English:
    """Measure the least English stretch of 12 words of a text.

    Links, words with figures and words with a capital inside a sentence are not read, since names
    belong to no language, and neither are some words that English has in speech (`finna`). A text
    of fewer than `LEAST_WORDS` other words is not measured, unless it is written in letters that
    English does not use. Of a text of more than 400 stretches 400 are read, evenly spread.
    """
    words = _words(text)
    if not words or (len(words) < LEAST_WORDS and not _is_foreign_script(words)):
        return NOT_MEASURED
    return min((_measure(stretch) for stretch in _stretches(words)), key=_margin)


def _margin(english: English) -> float:
    return 1.0 if english.margin is None else english.margin


def _words(text: str) -> list[str]:
    words, opens = [], True
    for chunk in text.split():
        found = [] if _LINK.search(chunk) else _WORD.findall(chunk)
        is_name = any(char.isdigit() for char in chunk) or (
            not opens and chunk.lstrip("\"'([\u201c\u2018")[:1].isupper()
        )
        if found and (not is_name or chunk[:1] == "I"):
            words += [fold(word) for word in found if fold(word) not in _SPOKEN.split()]
        opens = chunk.rstrip("\"')]\u201d\u2019").endswith((".", "!", "?", "…", ":")) or not found
    return words


def _is_foreign_script(words: list[str]) -> bool:
    letters = [char for word in words for char in word if char.isalpha()]
    return sum(char > "\u024f" for char in letters) > len(letters) / 2


def _stretches(words: list[str]) -> list[str]:
    starts = list(range(0, max(len(words) - _WINDOW, 0) + _STEP, _STEP))
    starts = [min(start, max(len(words) - _WINDOW, 0)) for start in starts]
    if len(starts) > _MOST_WINDOWS:
        starts = starts[:: -(-len(starts) // _MOST_WINDOWS)]
    return [" ".join(words[i : i + _WINDOW])[:400] for i in dict.fromkeys(starts)]


def _measure(stretch: str) -> English:
    ranked = {code: float(share) for code, share in _model().rank(stretch)}
    english = ranked.pop("en")
    other = max(ranked, key=lambda code: (ranked[code], code))
    return English(english - ranked[other], english, other, stretch)


@lru_cache(maxsize=1)
def _model() -> LanguageIdentifier:
    path = str(files("py3langid").joinpath(MODEL_FILE))
    model = LanguageIdentifier.from_modelpath(path, norm_probs=True)
    model.set_languages(["en", *_OTHERS.split()])
    return model
