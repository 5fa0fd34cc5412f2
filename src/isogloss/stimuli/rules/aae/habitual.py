"""Habitual `be`: something happens again and again.

It stands before a verb in -ing, an adjective of a passing state or a place, keeps its form with
every subject, and never speaks of one occasion, of now, or of a lasting quality (Green 2002). The
rule asks for a word that says how often, and leaves out verbs of state.
"""

from collections.abc import Iterator

from isogloss.stimuli.rules.aae.copula import Copula, copulas, is_place, is_progressive
from isogloss.stimuli.rules.clauses import Clause
from isogloss.stimuli.rules.grammar import (
    ALWAYS,
    FUNCTION_WORDS,
    NOMINATIVE,
    PLURAL,
    THIRD,
    noun_subject,
    pronoun_subject,
)
from isogloss.stimuli.rules.lexical import base_of, is_base, is_plural, is_singular, verb_form
from isogloss.stimuli.rules.rewriting import Edit

_ONCE = frozenset({"now", "today", "tonight", "tomorrow", "yesterday", "currently", "ago"})
_PASSING = frozenset(
    {"tired", "busy", "late", "early", "hungry", "sleepy", "mad", "angry", "sick", "ready", "broke"}
    | {"crowded", "full", "empty", "open", "closed", "loud", "quiet", "packed", "sore", "stressed"}
    | {"happy", "worried", "bored", "scared", "drunk", "high", "alone", "asleep", "awake"}
)
_STATIVE = frozenset(
    {"know", "like", "love", "want", "need", "own", "have", "believe", "seem", "mean", "think"}
    | {"feel", "hear", "see", "understand", "prefer", "hate", "hope", "belong", "cost", "contain"}
    | {"consist", "include", "depend", "matter", "be", "do", "remember", "agree", "appear", "exist"}
    | {"wish", "owe", "guess", "suppose", "fear", "lack", "tend", "remain", "stay", "become", "let"}
    | {"involve", "require", "deserve", "doubt", "sound", "look", "go", "used", "use", "mind"}
    | {"come", "start", "stop", "keep", "help", "get"}
)
"""Verbs of state, and verbs of change or support with which habitual `be` reads oddly."""
_UNITS = frozenset(
    {"day", "night", "morning", "evening", "afternoon", "week", "weekend", "month", "year"}
    | {"time", "summer", "winter", "monday", "tuesday", "wednesday", "thursday", "friday"}
    | {"saturday", "sunday"}
)
_SUBJECTS = NOMINATIVE | PLURAL | {"it"}


def habitual_be(clause: Clause) -> Iterator[Edit]:
    """Put habitual `be` for `is always`, `usually works`, and `works ... every day`."""
    if clause.sentence.asks or not _ONCE.isdisjoint(clause.words):
        return
    yield from _for_copula(clause)
    yield from _for_first_person(clause)
    yield from _for_verb(clause)


def _for_copula(clause: Clause) -> Iterator[Edit]:
    for copula in copulas(clause):
        i = copula.place
        if clause.word(i + 1) in ALWAYS and _recurs(clause, i + 2):
            adverb = clause.tokens[i + 1]
            yield Edit(copula.start, adverb.end, f" {adverb.raw} be", "habitual_be")
        elif _recurs(clause, i + 1) and _every(clause, i + 2):
            yield from _be(copula)


def _be(copula: Copula) -> Iterator[Edit]:
    yield Edit(copula.start, copula.end, " be", "habitual_be")


def _for_first_person(clause: Clause) -> Iterator[Edit]:
    for i, token in enumerate(clause.tokens):
        full = token.word == "am" and clause.word(i - 1) == "i" and pronoun_subject(clause, i - 1)
        short = token.word == "i'm" and pronoun_subject(clause, i)
        if (full or short) and clause.word(i + 1) in ALWAYS and _recurs(clause, i + 2):
            adverb = clause.tokens[i + 1]
            start = clause.tokens[i - 1].end if full else token.start + 1
            yield Edit(start, adverb.end, f" {adverb.raw} be", "habitual_be")


def _for_verb(clause: Clause) -> Iterator[Edit]:
    for i in range(1, len(clause.tokens)):
        adverb = clause.word(i - 1) in ALWAYS
        subject = i - 2 if adverb else i - 1
        if not (adverb or _every(clause, i + 1)) or subject < 0:
            continue
        verb = _verb(clause, i, subject)
        form = verb_form(verb, "VBG") if verb and verb not in _STATIVE else None
        if form:
            yield clause.replace(i, i, f"be {form}", "habitual_be")


def _verb(clause: Clause, i: int, subject: int) -> str | None:
    """Return the verb at a place when it is in the present and has its subject before it."""
    word, pronoun = clause.word(i), clause.word(subject)
    if word in FUNCTION_WORDS:
        return None
    if pronoun in _SUBJECTS:
        third = pronoun in THIRD | {"it"}
        whole = pronoun_subject(clause, subject)
    else:
        noun = noun_subject(clause, subject + 1)
        third = noun is not None and is_singular(noun)
        whole = noun is not None and (third or is_plural(noun)) and subject < i - 1
    if not whole:
        return None
    return base_of(word, "VBZ") if third else _present(word)


def _present(word: str) -> str | None:
    """Return a verb in its base form when its past is written otherwise."""
    plain = is_base(word) and base_of(word, "VBD") is None
    past = verb_form(word, "VBD") if plain else None
    return word if past and past != word else None


def _recurs(clause: Clause, i: int) -> bool:
    word = clause.word(i)
    return is_progressive(word) or word in _PASSING or is_place(clause, i)


def _every(clause: Clause, start: int) -> bool:
    """Tell whether the clause says `every day` or the like behind a place, with no verb between."""
    for k in range(start, len(clause.tokens) - 1):
        if clause.word(k) in {"that", "which", "who", "because", "if", "when", "and", "but", "or"}:
            return False
        if clause.word(k) in {"i", "he", "she", "we", "they"}:
            return False
        if clause.word(k) == "every" and clause.word(k + 1) in _UNITS:
            return True
    return False
