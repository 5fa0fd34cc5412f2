"""Sentences of a text, and the stretches between their marks of punctuation."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from isogloss.stimuli.rules.protected import protected_regions
from isogloss.stimuli.rules.rewriting import Edit, Rewriting, compatible, rewrite
from isogloss.validate.tokens import Token, tokenise

LONGEST_SENTENCE = 1500
"""A longer stretch without the end of a sentence is not prose; it is left as it is."""

_ENDS = re.compile(r"[.!?…]+[\"'\u2019\u201d)\]]*\s+|\s*\n\s*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx|no|fig|dr|mr|mrs|ms|prof|st|inc|ltd|jr|sr|[a-z](?:\.[a-z])*)\.$",
    re.IGNORECASE,
)
_BLANKS = " \t\u00a0"


@dataclass(frozen=True)
class Sentence:
    """A sentence, and where it stands in its text."""

    text: str
    start: int
    """Offset of its first character in the text."""

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.rstrip("\"'\u2019\u201d)] \t").endswith("?")


@dataclass(frozen=True)
class Clause:
    """Words of a sentence that no punctuation parts; several grammatical clauses may be in it."""

    sentence: Sentence
    tokens: tuple[Token, ...]
    opens: bool
    """Whether nothing, or a mark of punctuation, stands before it (not a hyphen, slash or sign)."""
    closes: bool
    """Whether nothing, or a mark of punctuation, stands behind it."""

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words in comparison form."""
        return tuple(token.word for token in self.tokens)

    def word(self, i: int) -> str:
        """Return the word at a place; the empty string outside the clause."""
        return self.words[i] if 0 <= i < len(self.words) else ""

    def raw(self, i: int) -> str:
        """Return the word at a place as it is written; the empty string outside the clause."""
        return self.tokens[i].raw if 0 <= i < len(self.tokens) else ""

    def replace(self, first: int, last: int, after: str, device: str) -> Edit:
        """Propose to put `after` in the place of words, with the capital of the first."""
        start, end = self.tokens[first].start, self.tokens[last].end
        return Edit(start, end, like(after, self.tokens[first].raw), device)


def like(word: str, model: str) -> str:
    """Return a word with a capital if the model has one."""
    return word[:1].upper() + word[1:] if model[:1].isupper() else word


def sentences(text: str) -> Iterator[Sentence]:
    """Split a text into sentences, each with the blanks behind it.

    A full stop behind an abbreviation or an initial does not end one, nor does a mark that no
    capital or quotation follows.
    """
    start = 0
    for match in _ENDS.finditer(text):
        before = text[start : match.end()].rstrip()
        behind = text[match.end() : match.end() + 1]
        is_line = "\n" in match.group()
        if is_line or not (behind.islower() or _ABBREVIATION.search(before[-12:])):
            yield Sentence(text[start : match.end()], start)
            start = match.end()
    if start < len(text):
        yield Sentence(text[start:], start)


def clauses(sentence: Sentence) -> Iterator[Clause]:
    """Split a sentence into stretches of words with nothing but blanks between them."""
    text, tokens = sentence.text, tokenise(sentence.text)
    first = 0
    for i, token in enumerate(tokens):
        last = i + 1 == len(tokens)
        if last or text[token.end : tokens[i + 1].start].strip(_BLANKS):
            opens = _parted(text[tokens[first - 1].end if first else 0 : tokens[first].start])
            closes = _parted(text[token.end : len(text) if last else tokens[i + 1].start])
            yield Clause(sentence, tokens[first : i + 1], first == 0 or opens, last or closes)
            first = i + 1


def rewrite_sentences(text: str, propose: Callable[[Sentence], Iterable[Edit]]) -> Rewriting:
    """Rewrite a text sentence by sentence.

    Of the edits proposed for a sentence, in order of preference, those stand that leave quotations,
    code, figures and names alone and do not touch one another.
    """
    edits: list[Edit] = []
    protected = protected_regions(text)
    for sentence in sentences(text):
        if len(sentence.text) <= LONGEST_SENTENCE:
            edits += [edit.moved(sentence.start) for edit in propose(sentence)]
    return rewrite(text, compatible(edits, protected))


def _parted(gap: str) -> bool:
    """Tell whether a gap between words holds punctuation, and not just a hyphen or a sign."""
    return re.search(r"[.,;:!?…()\[\]\n\u2013\u2014\u201c\u201d\"]|\s-+\s", gap) is not None
