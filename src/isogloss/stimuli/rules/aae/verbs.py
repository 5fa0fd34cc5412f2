"""The verb: no -s in the third person, `was` with every subject, completive `done`.

Sources: Labov 1972 and Rickford 1999 for the endings, Green 2002 for `done`, which says that
something is over and does not go with states.
"""

from collections.abc import Iterator

from isogloss.stimuli.rules.clauses import Clause
from isogloss.stimuli.rules.grammar import (
    ARTICLES,
    BETWEEN,
    DETERMINERS,
    FINITE,
    FUNCTION_WORDS,
    OBJECTS,
    PLURAL,
    POSSESSIVES,
    PREPOSITIONS,
    THIRD,
    agrees,
    noun_subject,
    pronoun_subject,
)
from isogloss.stimuli.rules.lexical import base_of, can_be, is_singular
from isogloss.stimuli.rules.rewriting import Edit

_IRREALIS = frozenset({"if", "wish", "wishes", "wished", "unless", "though", "suppose", "rather"})
_STATES = frozenset(
    {"be", "have", "know", "like", "love", "want", "need", "own", "believe", "seem"}
)
_NOUN_PHRASE = DETERMINERS | {"two", "three", "four", "five", "no", "some", "many", "several"}


def zero_third_s(clause: Clause) -> Iterator[Edit]:
    """Take the -s off a verb of the third person singular; `doesn't` becomes `don't`."""
    for i in range(1, len(clause.tokens)):
        if clause.word(i) == "doesn't" and clause.raw(i)[0] == "d" and _has_subject(clause, i):
            yield clause.replace(i, i, "don't", "zero_third_s")
        elif clause.raw(i).islower():
            base = _third(clause, i)
            if base:
                yield clause.replace(i, i, base, "zero_third_s")


def was_levelling(clause: Clause) -> Iterator[Edit]:
    """Put `was` for `were` after `we`, `you`, `they` and plural nouns, but not after `if`."""
    if not _IRREALIS.isdisjoint(clause.words):
        return
    for i in range(1, len(clause.tokens)):
        if clause.word(i) not in {"were", "weren't"} or not clause.raw(i).islower():
            continue
        noun = noun_subject(clause, i)
        pronoun = clause.word(i - 1) in PLURAL and pronoun_subject(clause, i - 1)
        if pronoun or (noun is not None and agrees(noun, "are")):
            yield clause.replace(i, i, clause.word(i).replace("ere", "as", 1), "was_levelling")


def completive_done(clause: Clause) -> Iterator[Edit]:
    """Put `done already` for `have already` and `has already` before a verb that is no state."""
    for i in range(1, len(clause.tokens) - 1):
        if clause.word(i) != "already" or clause.sentence.asks:
            continue
        verb = base_of(clause.word(i + 1), "VBN")
        start = (
            _perfect(clause, i - 1, clause.word(i + 2)) if verb not in {None, *_STATES} else None
        )
        if start is not None:
            yield Edit(start, clause.tokens[i].end, " done already", "completive_done")


def _third(clause: Clause, i: int) -> str | None:
    """Return the base of the verb at a place when its subject is third person singular."""
    word, behind = clause.word(i), clause.word(i + 1)
    if word == "has":
        fits = behind in _NOUN_PHRASE or base_of(behind, "VBN") is not None
        return "have" if fits and _pronoun_before(clause, i) else None
    if word == "does":
        fits = behind in DETERMINERS | {"not"}
        return "do" if fits and _pronoun_before(clause, i) else None
    if word in FUNCTION_WORDS or not word.endswith("s"):
        return _joined(clause, i)
    base = base_of(word, "VBZ")
    if base is None or base == word:
        return None
    if _pronoun_before(clause, i) or (_noun_before(clause, i) and _is_verb(clause, i)):
        return base
    return _joined(clause, i)


def _joined(clause: Clause, i: int) -> str | None:
    """Return the base of a verb that `and` joins to one that has lost its -s."""
    before = clause.word(i - 1) in {"and", "or"} and clause.word(i).endswith("s")
    plain = clause.word(i + 1) in DETERMINERS | OBJECTS or not can_be(clause.word(i), "NOUN")
    base = base_of(clause.word(i), "VBZ") if before and plain else None
    first = next((k for k in range(1, i - 1) if base and _third_alone(clause, k)), None)
    between = clause.words[first + 1 : i - 1] if first else ()
    return base if first and FINITE.isdisjoint(between) else None


def _third_alone(clause: Clause, k: int) -> bool:
    verb = base_of(clause.word(k), "VBZ") is not None and clause.word(k) not in FUNCTION_WORDS
    return verb and _pronoun_before(clause, k)


def _pronoun_before(clause: Clause, i: int) -> bool:
    k = i - 1 - (clause.word(i - 1) in BETWEEN)
    return clause.word(k) in THIRD | {"it"} and k >= 0 and pronoun_subject(clause, k)


def _noun_before(clause: Clause, i: int) -> bool:
    adverb = clause.word(i - 1) in BETWEEN
    noun = noun_subject(clause, i - adverb)
    return noun is not None and is_singular(noun) and clause.word(0) not in {"these", "those"}


def _is_verb(clause: Clause, i: int) -> bool:
    """Tell whether what follows shows a verb, and no other word of the clause is a finite one."""
    behind = clause.word(i + 1)
    shown = behind in POSSESSIVES | ARTICLES | OBJECTS - {"you"} or (
        clause.word(i - 1) in BETWEEN and (behind == "" or behind in PREPOSITIONS)
    )
    return shown and FINITE.isdisjoint(clause.words[i + 1 :])


def _has_subject(clause: Clause, i: int) -> bool:
    """Tell whether the verb at a place is not turned round with its subject."""
    return clause.word(i - 1) not in FUNCTION_WORDS - {"it", "that", "this", "who", "which"} - THIRD


def _perfect(clause: Clause, i: int, behind: str) -> int | None:
    """Return where the perfect at a place is cut off from its subject; None without a subject."""
    host, mark, form = clause.word(i).partition("'")
    if mark and form in {"ve", "s"}:
        fits = host in (PLURAL | {"i"} if form == "ve" else THIRD)
        clear = form == "ve" or behind in POSSESSIVES | ARTICLES | OBJECTS
        whole = fits and clear and pronoun_subject(clause, i)
        return clause.tokens[i].start + len(host) if whole else None
    if clause.raw(i) not in {"have", "has"} or i == 0:
        return None
    subjects = PLURAL | {"i"} if clause.word(i) == "have" else THIRD
    pronoun = clause.word(i - 1) in subjects and pronoun_subject(clause, i - 1)
    noun = noun_subject(clause, i)
    number = "has" if clause.word(i) == "has" else "are"
    if pronoun or (noun is not None and agrees(noun, number)):
        return clause.tokens[i - 1].end
    return None
