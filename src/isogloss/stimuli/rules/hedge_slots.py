"""Places of a sentence where a hedging device can stand, with the devices that fit there."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from isogloss.stimuli.rules.clauses import Clause, Sentence, clauses
from isogloss.stimuli.rules.grammar import (
    DETERMINERS,
    FINITE,
    FUNCTION_WORDS,
    POSSESSIVES,
    PREPOSITIONS,
    pronoun_subject,
)
from isogloss.stimuli.rules.hedge_phrases import (
    CERTAINTY,
    DEGREE,
    DEGREE_VERBS,
    GRADABLE,
    HABIT,
    KNOWLEDGE,
    MANNER,
    MEMORY,
)
from isogloss.stimuli.rules.lexical import base_of, can_be, is_base, verb_form
from isogloss.stimuli.rules.rewriting import Edit
from isogloss.stimuli.rules.unhedge import article_for

_OPENERS = DETERMINERS | {"it", "we", "they", "he", "she", "there", "most", "both", "all"}
_PAST = frozenset({"was", "were", "did", "had", "ago", "led", "built", "wrote", "made", "ran"})
_SUBORDINATORS = frozenset({"once", "if", "when", "until", "before", "after", "unless", "while"})
_NEGATIVE = frozenset(
    {"not", "no", "never", "without", "lack", "lacks", "lacked", "cannot", "can't", "don't"}
    | {"doesn't", "didn't", "isn't", "wasn't", "aren't", "won't", "hasn't", "haven't"}
)
_NO_HABIT = frozenset({"want", "need", "own", "know", "believe", "think", "hope", "guess", "mean"})
_NOT_BEHIND = frozenset({"to", "that", "and", "or", "not", "probably", "also", "about", "what"})


@dataclass(frozen=True)
class Slot:
    """A place for one device."""

    edits: tuple[Edit, ...]
    """The changes that may be made there; one is chosen."""
    clause: int
    """Number of the stretch between punctuation in its sentence; one stretch gets one device."""
    edge: bool = False
    """Whether the device opens or closes the sentence; a sentence gets one of these."""

    @property
    def device(self) -> str:
        """Class of the devices."""
        return self.edits[0].device


def slots(sentence: Sentence) -> Iterator[Slot]:
    """Find the places for devices in a statement; questions, commands and fragments have none."""
    parts = tuple(clauses(sentence))
    if not parts or not _is_statement(sentence, parts):
        return
    asides = _asides(parts)
    yield from _opening(parts[0], asides)
    yield from _closing(sentence, parts, asides)
    for k, clause in enumerate(parts):
        if k:
            yield from _joint(clause, k)
        for i in range(1, len(clause.tokens)):
            yield from _inside(clause, i, k)


def _is_statement(sentence: Sentence, parts: tuple[Clause, ...]) -> bool:
    words = sum(len(clause.tokens) for clause in parts)
    ends = sentence.text.rstrip().endswith(".")
    return ends and words >= 5 and any(_has_subject(clause) for clause in parts)


def _has_subject(clause: Clause) -> bool:
    first = clause.word(0)
    pronouns = not {"i", "we", "they", "it"}.isdisjoint(clause.words)
    return first in _OPENERS | {"i"} or pronouns or not FINITE.isdisjoint(clause.words[1:])


def _asides(parts: tuple[Clause, ...]) -> tuple[str, ...]:
    """Return the asides that go with the tense; none where it is not clear or tells of habits."""
    words = {word for clause in parts for word in clause.words}
    past = any(_is_past(clause, i) for clause in parts for i in range(len(clause.tokens)))
    present = not words.isdisjoint({"is", "are"}) or any(_is_present(clause) for clause in parts)
    if past == present:
        return ()
    own = not words.isdisjoint({"i", "i'm", "i've", "i'll"})
    return MEMORY if past else () if own else KNOWLEDGE


def _is_past(clause: Clause, i: int) -> bool:
    """Tell whether a word is a verb in the past and not a participle before a noun."""
    word = clause.word(i)
    past = base_of(word, "VBD") is not None and not is_base(word)
    attributive = DETERMINERS | PREPOSITIONS | {"is", "are", "be", "been", ""}
    return word in _PAST or (past and clause.word(i - 1) not in attributive)


def _is_present(clause: Clause) -> bool:
    """Tell whether a clause has a verb that can only be in the present."""
    for before, word in pairwise(clause.words):
        plain = is_base(word) and word not in FUNCTION_WORDS and base_of(word, "VBD") is None
        third = base_of(word, "VBZ") is not None
        if before in {"i", "we", "they", "you"} and plain:
            return True
        if third and (before in {"which", "it", "that", "who"} or not can_be(word, "NOUN")):
            return True
    return False


def _opening(clause: Clause, asides: tuple[str, ...]) -> Iterator[Slot]:
    """Put a frame or an aside before a sentence that opens with a subject."""
    first = clause.tokens[0]
    if first.word not in _OPENERS | {"i"} or first.start or first.raw[1:] != first.raw[1:].lower():
        return
    rest = first.raw if first.word == "i" else first.raw.lower()
    opened = {"discourse": [f"{aside[:1].upper()}{aside[1:]}," for aside in asides]}
    if first.word != "i":
        opened |= {"lexical": ["I think", "I believe"], "modal": ["I would say", "I'd say"]}
    for device, phrases in opened.items():
        changes = [(first.start, first.end, f"{phrase} {rest}") for phrase in phrases]
        yield from _slot(device, 0, changes, edge=True)


def _closing(
    sentence: Sentence, parts: tuple[Clause, ...], asides: tuple[str, ...]
) -> Iterator[Slot]:
    """Put an aside behind the last word, where the last stretch is long enough to carry it."""
    end, k = parts[-1].tokens[-1].end, len(parts) - 1
    if sentence.text[end:].strip() != "." or len(parts[-1].tokens) < 4 or not asides:
        return
    yield from _slot("discourse", k, [(end, end, f", {a}") for a in asides], edge=True)
    frames = ("I think", "I believe")
    yield from _slot("lexical", k, [(end, end, f", {frame}") for frame in frames], edge=True)


def _joint(clause: Clause, k: int) -> Iterator[Slot]:
    """Put a device behind a comma and `and`, `but`, `so` or `which`."""
    first, second = clause.word(0), clause.word(1)
    if not clause.opens or len(clause.tokens) < 4:
        return
    end, place = clause.tokens[0].end, clause.tokens[1].start
    joined = first in {"and", "but", "so"}
    frames = [(place, place, f"{frame} ") for frame in ("I think", "I believe")]
    if joined and second in {"it", "we", "they", "he", "she"}:
        yield from _slot("lexical", k, frames)
        yield from _slot("modal", k, [(place, place, "I would say ")])
    if joined and second in {"i", "we", "they", "it"}:
        yield from _slot("discourse", k, [(end, end, ", you know,")])
    if first == "which" and _is_finite(second):
        yield from _slot("lexical", k, frames)
        yield from _may_have(clause, 1, k)


def _inside(clause: Clause, i: int, k: int) -> Iterator[Slot]:
    token, word, before = clause.tokens[i], clause.word(i), clause.word(i - 1)
    main = i == 1 or clause.word(i - 2) in {"and", "but", "so"}
    whole = main and before in {"i", "it", "we", "they"} and pronoun_subject(clause, i - 1)
    if word in {"is", "are", "was", "were", "will"} and _takes_adverb(clause, i):
        yield from _behind_auxiliary(clause, i, k)
    if word == "would" and is_base(clause.word(i + 1)) and before not in {"who", "what", "how"}:
        yield from _slot("modal", k, [(token.end, token.end, " probably")])
    if word == "is" and before in {"it", "that", "this"} and pronoun_subject(clause, i - 1):
        yield from _may_be(clause, i, k)
    if whole and before in {"it", "they"}:
        yield from _may_have(clause, i, k)
    if whole and _holds_to_a_degree(word):
        yield from _slot("approximator", k, [(token.start, token.start, f"{m} ") for m in MANNER])
    if whole and before != "it" and _is_habit(word):
        yield from _slot("lexical", k, [(token.start, token.start, f"{h} ") for h in HABIT])
    if word in GRADABLE and _takes_degree(clause, i):
        yield from _slot(
            "approximator", k, [_degree(clause, i, adverb) for adverb in _adverbs(before)]
        )


def _behind_auxiliary(clause: Clause, i: int, k: int) -> Iterator[Slot]:
    end, word = clause.tokens[i].end, clause.word(i)
    adverbs = CERTAINTY[:1] if word == "will" else CERTAINTY
    yield from _slot("lexical", k, [(end, end, f" {adverb}") for adverb in adverbs])
    if word != "will" and clause.word(i + 1) in POSSESSIVES | {"the"}:
        phrases = ("more or less", "pretty much")
        yield from _slot("approximator", k, [(end, end, f" {phrase}") for phrase in phrases])


def _may_be(clause: Clause, i: int, k: int) -> Iterator[Slot]:
    token, behind = clause.tokens[i], clause.word(i + 1)
    if behind and behind not in _NOT_BEHIND and not behind.endswith("ing"):
        yield from _slot("modal", k, [(token.start, token.end, f) for f in ("may be", "might be")])


def _takes_adverb(clause: Clause, i: int) -> bool:
    """Tell whether a form is in a statement and has its complement behind it."""
    below = not _SUBORDINATORS.isdisjoint(clause.words[:i])
    turned = below or i == 0
    behind = clause.word(i + 1)
    return (
        not turned and behind not in _NOT_BEHIND | PREPOSITIONS | {""} and clause.raw(i).islower()
    )


def _takes_degree(clause: Clause, i: int) -> bool:
    """Tell whether an adjective or adverb stands behind a form of `be`, an article or a verb."""
    before, word, behind = clause.word(i - 1), clause.word(i), clause.word(i + 1)
    if before in {"is", "are", "was", "were"}:
        return behind not in {"and", "or", "enough"}
    if before in {"a", "an"} and _NEGATIVE.isdisjoint(clause.words[:i]):
        return can_be(word, "ADJ") and can_be(behind, "NOUN") and word not in {"well", "old", "new"}
    is_manner = word in {"quickly", "slowly", "closely", "clearly", "easily", "well"}
    return is_manner and behind == "" and before not in {"as", "very", "so", "too", "how", "not"}


def _adverbs(before: str) -> tuple[str, ...]:
    return DEGREE[:-1] if before in {"a", "an"} else DEGREE


def _degree(clause: Clause, i: int, adverb: str) -> tuple[int, int, str]:
    token, before = clause.tokens[i], clause.tokens[i - 1]
    if before.word in {"a", "an"} and before.word != article_for(adverb):
        return before.start, token.start, f"{article_for(adverb)} {adverb} "
    return token.start, token.start, f"{adverb} "


def _may_have(clause: Clause, i: int, k: int) -> Iterator[Slot]:
    """Put `may have` before the participle of a verb in the past."""
    word = clause.word(i)
    base = base_of(word, "VBD") if word not in FINITE else None
    participle = verb_form(base, "VBN") if base and base not in {"be", "have", "do"} else None
    past_only = clause.word(i - 1) in {"which", "it"} or not is_base(word)
    if base and participle and past_only and verb_form(base, "VBD") == word:
        token = clause.tokens[i]
        after = [f"{modal} have {participle}" for modal in ("may", "might")]
        yield from _slot("modal", k, [(token.start, token.end, text) for text in after])


def _is_habit(word: str) -> bool:
    """Tell whether a word behind a plural subject is a verb in the present that can be a habit."""
    plain = word not in FUNCTION_WORDS | _NO_HABIT and is_base(word)
    return plain and base_of(word, "VBD") is None and verb_form(word, "VBD") is not None


def _holds_to_a_degree(word: str) -> bool:
    base = base_of(word, "VBD") or base_of(word, "VBZ") or (word if is_base(word) else None)
    return base in DEGREE_VERBS


def _is_finite(word: str) -> bool:
    verb = base_of(word, "VBD") is not None or base_of(word, "VBZ") is not None
    return verb and re.search(r"ing$", word) is None


def _slot(
    device: str, clause: int, changes: Sequence[tuple[int, int, str]], *, edge: bool = False
) -> Iterator[Slot]:
    if changes:
        yield Slot(tuple(Edit(*change, device) for change in changes), clause, edge)
