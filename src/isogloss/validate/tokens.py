"""Words of an English text, and what stands around each of them."""

import re
import unicodedata
from dataclasses import dataclass

APOSTROPHES = "'\u2019\u02bc\u2018\uff07"
"""Characters that writers use for an apostrophe; all are read as the first."""

_LETTER = r"(?:[^\W_]|[\u0300-\u036f])"
_WORD = re.compile(rf"\d+(?:[.,]\d+)+|{_LETTER}+(?:[{APOSTROPHES}]{_LETTER}+)*")
_APOSTROPHE = re.compile(f"[{APOSTROPHES}]")
_CLAUSE_BREAK = re.compile(r"[.,;:!?…()\[\]\n\u2013\u2014\u201c\u201d\"]")
_SENTENCE_BREAK = re.compile(r"[.!?…:\n]")


@dataclass(frozen=True)
class Token:
    """One word of a text."""

    word: str
    """The word in lower case, composed (NFC), with plain apostrophes."""
    raw: str
    """The word as it stands in the text."""
    start: int
    """Offset of the first character in the text."""
    end: int
    """Offset behind the last character in the text."""
    opens_sentence: bool
    """Whether nothing, or the end of a sentence, comes before it."""
    opens_clause: bool
    """Whether nothing, or any punctuation that parts clauses, comes before it."""
    closes_clause: bool
    """Whether nothing, or any punctuation that parts clauses, comes behind it."""


def tokenise(text: str) -> tuple[Token, ...]:
    """Split a text into words.

    A word is a run of letters and digits with apostrophes inside it (`I've`); a number keeps its
    decimal and thousands marks (`2.5`); the parts of a hyphenated compound are words of their own.
    """
    spans = [match.span() for match in _WORD.finditer(text)]
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    gaps = [text[end:start] for end, start in zip(ends, starts, strict=True)]
    return tuple(
        _token(text, span, gaps[i], gaps[i + 1], first=i == 0, last=i == len(spans) - 1)
        for i, span in enumerate(spans)
    )


def count_words(text: str) -> int:
    """Return the number of words in a text, as `tokenise` defines them."""
    return sum(1 for _ in _WORD.finditer(text))


def fold(word: str) -> str:
    """Return a word in the form in which words are compared."""
    return unicodedata.normalize("NFC", _APOSTROPHE.sub("'", word)).lower()


def _token(
    text: str, span: tuple[int, int], before: str, behind: str, *, first: bool, last: bool
) -> Token:
    start, end = span
    return Token(
        word=fold(text[start:end]),
        raw=text[start:end],
        start=start,
        end=end,
        opens_sentence=first or _SENTENCE_BREAK.search(before) is not None,
        opens_clause=first or _CLAUSE_BREAK.search(before) is not None,
        closes_clause=last or _CLAUSE_BREAK.search(behind) is not None,
    )
