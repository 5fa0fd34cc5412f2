"""Sentences and clauses of a text, as spans."""

import re
from collections.abc import Iterable, Iterator

from isogloss.validate.tokens import APOSTROPHES

_END = re.compile(
    rf"(?:(?<![.!?…])[.!?…]++|[。！？])[\"\u201d\u201c)\]{APOSTROPHES}»]*(?=\s|$)|(?<=[。！？])|\n|[;•]"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[])(?:e\.g|i\.e|cf|vs|etc|approx|dr|mr|mrs|ms|prof|st|no|fig|inc|ltd|jr|sr|a\.m|p\.m"
    r"|(?:[A-Za-z]\.)*[A-Z])\.$",
    re.IGNORECASE,
)
_SINGLE_CAPITAL = re.compile(r"(?:^|[\s(\[])(?:[A-Za-z]\.)*[A-Z]\.$")
_OFTEN_LAST = re.compile(r"(?:etc|inc|ltd|jr|sr|a\.m|p\.m)\.$|\bno\.$", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[,:()\u2013\u2014]|\s-\s"
    r"|(?<!\s)\s++(?=(?:because|although|though|while|whereas|unless|but|so that|which|who)\s)"
    r"|(?<!\s)\s++(?=(?:and|so|or|if|when|after|before|until|since|that)\s"
    r"(?:i|you|he|she|we|they|it|this|there|nobody|everybody|everyone|someone)\b)",
    re.IGNORECASE,
)

Span = tuple[int, int]
"""Where a piece of text begins and ends, half open."""


def sentence_spans(text: str) -> tuple[Span, ...]:
    """Return the spans of the sentences of a text, without the blanks around them.

    A sentence ends at a full stop, question or exclamation mark before a blank, at a semicolon, a
    bullet, or the end of a line. The point of an abbreviation (`e.g.`, `Dr.`, `J. Smith`) ends
    none; one that may stand last (`etc.`, `p.m.`, `No.`) does before a capital.
    """
    starts, ends = [0], []
    for match in _END.finditer(text):
        if not _is_abbreviation(text, match):
            ends.append(match.end())
            starts.append(match.end())
    spans = zip(starts, [*ends, len(text)], strict=True)
    return tuple(span for span in _stripped(text, spans) if _has_word(text, span))


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text; see `sentence_spans`."""
    return tuple(text[start:end] for start, end in sentence_spans(text))


def clause_spans(text: str) -> tuple[Span, ...]:
    """Return the spans of the clauses of a text, as far as words and marks show them.

    Besides sentences' ends, commas, colons, brackets and dashes part clauses, and so do words that
    join clauses (`because`, `although`; `and`, `so`, `if` before a pronoun).
    """
    spans = [
        (first + start, first + end)
        for first, last in sentence_spans(text)
        for start, end in _parted(text[first:last])
    ]
    return tuple(span for span in _stripped(text, spans) if _has_word(text, span))


def _parted(sentence: str) -> Iterator[Span]:
    position = 0
    for match in _CLAUSE.finditer(sentence):
        if _is_thousands(sentence, match.start()):
            continue
        yield position, match.start()
        position = match.end()
    yield position, len(sentence)


def _is_thousands(sentence: str, i: int) -> bool:
    """Tell whether a mark stands between two figures (`1,000`, `10:30`)."""
    return sentence[max(i - 1, 0) : i].isdigit() and sentence[i + 1 : i + 2].isdigit()


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    before = text[max(match.start() - 12, 0) : match.start() + 1]
    if match.group() != "." or not _ABBREVIATION.search(before):
        return False
    follows = text[match.end() : match.end() + 2].strip()[:1]
    if _OFTEN_LAST.search(before):
        return not follows.isupper() and bool(follows)
    if before.endswith(" I."):
        return False
    return _SINGLE_CAPITAL.search(before) is not None or not _ends_text(text, match.end())


def _ends_text(text: str, i: int) -> bool:
    return not text[i : i + 40].strip()


def _stripped(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    for start, end in spans:
        piece = text[start:end]
        left = start + len(piece) - len(piece.lstrip())
        yield left, max(left, start + len(piece.rstrip()))


def _has_word(text: str, span: Span) -> bool:
    return any(char.isalnum() for char in text[span[0] : span[1]])
