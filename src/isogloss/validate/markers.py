"""Markers of a lexicon in a text: where they stand, how many, and how dense."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from isogloss.validate.lexicon import Entry, Lexicon, Pattern
from isogloss.validate.quantities import is_number
from isogloss.validate.tokens import Token, tokenise


@dataclass(frozen=True)
class Marker:
    """One marker found in a text."""

    marker_class: str
    """Class of the marker."""
    phrase: str
    """The marker's words, in comparison form."""
    start: int
    """Offset of its first character in the text."""
    end: int
    """Offset behind its last character in the text."""


@dataclass(frozen=True)
class MarkerCount:
    """Markers of a text by class."""

    words: int
    """Number of words in the text."""
    by_class: Mapping[str, int]
    """Number of markers of each class of the lexicon; 0 where there is none."""

    @property
    def total(self) -> int:
        """Number of markers of all classes."""
        return sum(self.by_class.values())

    @property
    def per_thousand(self) -> float | None:
        """Markers per 1,000 words, `1000 total / words`; None for a text without words."""
        return 1000 * self.total / self.words if self.words else None


def find_markers(text: str, lexicon: Lexicon) -> tuple[Marker, ...]:
    """Find the markers of a text from left to right.

    At each word the longest phrase whose guards hold is taken, and reading goes on behind it, so
    markers never overlap. A phrase does not run across punctuation. Case and the form of the
    apostrophe do not matter.
    """
    tokens = tokenise(text)
    found: list[Marker] = []
    i = 0
    while i < len(tokens):
        pattern = _pattern_at(tokens, i, lexicon)
        if pattern is None:
            i += 1
            continue
        behind = i + len(pattern.words)
        words = " ".join(token.word for token in tokens[i:behind])
        span = tokens[i].start, tokens[behind - 1].end
        found.append(Marker(pattern.marker_class, words, *span))
        i = behind
    return tuple(found)


def count_markers(text: str, lexicon: Lexicon) -> MarkerCount:
    """Count the markers of a text by class."""
    found = [marker.marker_class for marker in find_markers(text, lexicon)]
    by_class = {name: found.count(name) for name in lexicon.classes}
    return MarkerCount(words=len(tokenise(text)), by_class=by_class)


def _pattern_at(tokens: Sequence[Token], i: int, lexicon: Lexicon) -> Pattern | None:
    """Return the longest pattern that starts at token `i` and whose guards hold."""
    for pattern in lexicon.starting_with(tokens[i].word):
        span = tokens[i : i + len(pattern.words)]
        if (
            len(span) == len(pattern.words)
            and pattern.matches([token.word for token in span])
            and not any(token.closes_clause for token in span[:-1])
            and _guards_hold(pattern.entry, tokens, i, i + len(span))
        ):
            return pattern
    return None


def _guards_hold(entry: Entry, tokens: Sequence[Token], start: int, end: int) -> bool:
    first, last = tokens[start], tokens[end - 1]
    before = {"<start>"} if first.opens_clause else _names(tokens[start - 1])
    behind = {"<end>"} if last.closes_clause else _names(tokens[end])
    is_name = first.raw[:1].isupper() and not first.opens_sentence
    return (
        (not entry.after or not before.isdisjoint(entry.after))
        and before.isdisjoint(entry.not_after)
        and (not entry.before or not behind.isdisjoint(entry.before))
        and behind.isdisjoint(entry.not_before)
        and not (entry.not_a_name and is_name)
    )


def _names(token: Token) -> set[str]:
    """Return what a guard may call a neighbouring word."""
    return {token.word, "<number>"} if is_number(token) else {token.word}
