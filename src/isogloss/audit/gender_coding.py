"""A cross-check of the registers: the verdict of Gender Decoder on a posting.

Gender Decoder (K. Matfield, MIT licence) counts the masculine- and feminine-coded word stems of
Gaucher, Friesen and Kay (2011), without the classes and guards of the registers' lexicons.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from isogloss.audit.profile import Match
from isogloss.validate.lexicon import Lexicon, load_lexicon
from isogloss.validate.markers import find_markers

Coding = Literal[
    "strongly masculine-coded",
    "masculine-coded",
    "neutral",
    "feminine-coded",
    "strongly feminine-coded",
    "empty",
]
"""Verdicts; `neutral` has as many words of either kind, `empty` has none."""

STEMS = "gender_decoder.yaml"
"""File of the word stems in `data/audit`."""

STRONG = 4
"""Difference of the counts from which on a coding is strong."""


@dataclass(frozen=True)
class GenderCoding:
    """Gender-coded words of a posting, and what they come to."""

    masculine: tuple[Match, ...]
    feminine: tuple[Match, ...]
    coding: Coding


def load_gender_decoder(folder: Path) -> Lexicon:
    """Read the word stems from `data/audit`; raise `ItemError` naming what is at fault."""
    return load_lexicon(folder / STEMS)


def gender_coding(text: str, lexicon: Lexicon) -> GenderCoding:
    """Count the coded words of a text, and name the coding by the difference of the counts.

    With `d = feminine - masculine`: from `STRONG` on the coding is strongly feminine, above 0
    feminine, and so on down. A word counts once, also where two stems fit it (`dominant`), where
    the web tool counts it for each.
    """
    matches = [
        Match(lexicon.name, found.marker_class, found.phrase, found.start, found.end)
        for found in find_markers(text, lexicon)
    ]
    masculine = tuple(match for match in matches if match.marker_class == "masculine")
    feminine = tuple(match for match in matches if match.marker_class == "feminine")
    return GenderCoding(masculine, feminine, coding_of(len(masculine), len(feminine)))


def coding_of(masculine: int, feminine: int) -> Coding:
    """Name the coding of so many masculine- and feminine-coded words."""
    difference = feminine - masculine
    if not difference:
        return "neutral" if feminine else "empty"
    if difference > 0:
        return "strongly feminine-coded" if difference >= STRONG else "feminine-coded"
    return "strongly masculine-coded" if difference <= -STRONG else "masculine-coded"
