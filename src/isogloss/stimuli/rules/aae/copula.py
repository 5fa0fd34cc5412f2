"""Where `is` and `are` have a subject and a complement, and may be left out.

African American English leaves the copula out where standard English can contract it, and keeps it
where standard English keeps it: at the end of a clause, before a place from which the complement
was moved, under stress, in the past, and after `I` (Labov 1969; Rickford 1999; Green 2002).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from isogloss.stimuli.rules.clauses import Clause
from isogloss.stimuli.rules.grammar import (
    FUNCTION_WORDS,
    PLURAL,
    POSSESSIVES,
    THIRD,
    WH,
    agrees,
    noun_subject,
    pronoun_subject,
)
from isogloss.stimuli.rules.lexical import base_of, can_be, is_base
from isogloss.stimuli.rules.rewriting import Edit

INTENSIFIERS = frozenset({"so", "very", "really", "too", "pretty", "still", "just", "all", "right"})
_STRANDS = WH | {"than", "as"}
_NO_STRAND = frozenset({"when", "whenever", "why", "whether"})
_PLACES = frozenset({"here", "there", "home", "outside", "inside", "upstairs", "downstairs"})
_PLACE_PREPOSITIONS = frozenset({"in", "at", "on", "with", "near", "from", "behind", "under"})
_BARE_PLACES = frozenset({"work", "school", "home", "church", "bed", "time", "college", "town"})
_PARTICIPLES = frozenset(
    {"tired", "excited", "worried", "scared", "bored", "interested", "pleased", "surprised"}
    | {"confused", "crowded", "relaxed", "stressed"}
)
_ADJECTIVES = frozenset(
    {"busy", "ready", "sick", "hungry", "sleepy", "mad", "crazy", "rich", "poor", "right", "wrong"}
    | {"smart", "hot", "fine", "short", "fast", "drunk", "grown", "dirty", "black", "white", "full"}
    | {"long", "safe", "perfect", "shy", "wise", "thin"}
)
"""Adjectives that count although a rare verb is written like them."""
_NOT_ADJECTIVES = frozenset(
    {"busy", "ready", "sick", "hungry", "sleepy", "mad", "crazy", "rich", "poor", "right", "wrong"}
    | {"smart", "hot", "fine", "short", "fast", "drunk", "grown", "dirty", "black", "white", "full"}
    | {"long", "safe", "perfect", "shy", "wise", "thin"}
)


@dataclass(frozen=True)
class Copula:
    """A present form of `be` with its subject before it."""

    place: int
    """Place of the word that is, or ends in, the form."""
    start: int
    """Offset in the sentence from which to cut the form off, the blank before it included."""
    end: int
    """Offset behind the form."""
    plural: bool
    contracted: bool
    pronoun: bool
    """Whether the subject is a pronoun."""


def copulas(clause: Clause) -> Iterator[Copula]:
    """Find the present forms of `be` that may be left out, by their subject alone."""
    for i, token in enumerate(clause.tokens):
        host, mark, form = token.word.partition("'")
        if mark and (host, form) in _CONTRACTED and pronoun_subject(clause, i):
            cut = token.start + len(host)
            yield Copula(i, cut, token.end, form == "re", contracted=True, pronoun=True)
        elif token.raw in {"is", "are"} and i > 0:
            pronoun = _is_pronoun_subject(clause, i)
            noun = None if pronoun else noun_subject(clause, i)
            if pronoun or (noun is not None and agrees(noun, token.word)):
                start = clause.tokens[i - 1].end
                plural = token.word == "are"
                yield Copula(i, start, token.end, plural, contracted=False, pronoun=pronoun)


def zero_copula(clause: Clause) -> Iterator[Edit]:
    """Leave out the copula before a verb in -ing, an adjective, a place, or (`he`, `they`) a noun.

    `is going to` before a verb becomes `gonna`, `is about to` becomes `finna`.
    """
    for copula in copulas(clause):
        yield from _future(clause, copula)
        if _has_complement(clause, copula):
            yield Edit(copula.start, copula.end, "", "zero_copula")


def finna(clause: Clause) -> Iterator[Edit]:
    """Put `finna` for `about to` before a verb where the form of `be` stays (`I'm`, `it's`)."""
    for i in range(1, len(clause.tokens) - 2):
        before = clause.word(i - 1)
        stays = before in {"am", "i'm", "was", "were", "it's", "is"}
        if stays and clause.words[i : i + 2] == ("about", "to") and is_base(clause.word(i + 2)):
            yield clause.replace(i, i + 1, "finna", "finna")


def is_place(clause: Clause, i: int) -> bool:
    """Tell whether a place begins at a word: `here`, `at work`, `in the yard`."""
    word, behind = clause.word(i), clause.word(i + 1)
    if word in _PLACES:
        return behind not in {"to", "is", "are"}
    named = behind in POSSESSIVES | {"the", "a", "an"} and clause.word(i + 2) != ""
    return word in _PLACE_PREPOSITIONS and (named or behind in _BARE_PLACES)


def is_progressive(word: str) -> bool:
    """Tell whether a word is a verb in -ing."""
    return word.endswith("ing") and word not in _NOT_ADJECTIVES and base_of(word, "VBG") is not None


def is_state(word: str) -> bool:
    """Tell whether a word behind `be` is an adjective and not also the past form of a verb."""
    if word in _PARTICIPLES | _ADJECTIVES:
        return True
    if word in FUNCTION_WORDS | _NOT_ADJECTIVES or not can_be(word, "ADJ"):
        return False
    return not can_be(word, "VERB")


def is_stranded(clause: Clause, i: int) -> bool:
    """Tell whether the complement of the form at a place may have been moved to its front."""
    before = clause.words[:i]
    moved = any(word in _STRANDS - _NO_STRAND for word in before)
    return moved or any(
        word == "that" and k > 0 and can_be(before[k - 1], "NOUN") for k, word in enumerate(before)
    )


_CONTRACTED = {(host, "s") for host in THIRD} | {(host, "re") for host in PLURAL}


def _is_pronoun_subject(clause: Clause, i: int) -> bool:
    hosts = PLURAL if clause.word(i) == "are" else THIRD
    return clause.word(i - 1) in hosts and pronoun_subject(clause, i - 1)


def _has_complement(clause: Clause, copula: Copula) -> bool:
    i = copula.place + 1
    while clause.word(i) in INTENSIFIERS and _goes_on(clause, i + 1):
        i += 1
    word = clause.word(i)
    if is_progressive(word):
        return not (word == "going" and clause.word(i + 1) == "to")
    if is_stranded(clause, copula.place):
        return False
    nominal = copula.pronoun and word in POSSESSIVES | {"a", "an", "the"}
    if nominal or is_place(clause, i):
        return nominal or i == copula.place + 1 or clause.word(i - 1) in {"still", "right", "all"}
    return is_state(word) and not (
        copula.contracted and word in _PARTICIPLES and _is_object(clause, i)
    )


def _goes_on(clause: Clause, i: int) -> bool:
    """Tell whether the word at a place, and not the one before it, can be the complement."""
    word = clause.word(i)
    nominal = word in POSSESSIVES | {"a", "an", "the"}
    opens = is_progressive(word) or is_state(word) or is_place(clause, i)
    return opens or nominal or word in INTENSIFIERS


def _is_object(clause: Clause, i: int) -> bool:
    """Tell whether an object follows, so that `he's worried her` is `he has worried her`."""
    return clause.word(i + 1) in {"me", "him", "us", "them", "you", "everyone", "everybody", "her"}


def _future(clause: Clause, copula: Copula) -> Iterator[Edit]:
    i = copula.place + 1
    for words, short, device in (
        (("going", "to"), " gonna", "zero_copula"),
        (("about", "to"), " finna", "finna"),
    ):
        if clause.words[i : i + 2] == words and is_base(clause.word(i + 2)):
            yield Edit(copula.start, clause.tokens[i + 1].end, short, device)
