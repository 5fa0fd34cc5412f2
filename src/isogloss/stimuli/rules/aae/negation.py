"""Negation: `ain't`, and negative concord.

`Ain't` stands for `am`, `is`, `are`, `have` and `has` with `not`. In negative concord the
indefinite words in the reach of a negation are negative too and the sentence is negated once; the
reach ends with the clause (Labov 1972; Green 2002).
"""

from collections.abc import Iterator

from isogloss.stimuli.rules.clauses import Clause
from isogloss.stimuli.rules.grammar import CONJUNCTIONS, FUNCTION_WORDS, NOMINATIVE, WH
from isogloss.stimuli.rules.lexical import base_of, can_be
from isogloss.stimuli.rules.rewriting import Edit

_BE = frozenset({"isn't", "aren't"})
_HAVE = frozenset({"haven't", "hasn't"})
_HOSTS = frozenset({"he", "she", "it", "that", "there", "i", "we", "you", "they", "this"})
_CONCORD = {
    "anybody": "nobody",
    "anyone": "nobody",
    "anything": "nothing",
    "anywhere": "nowhere",
    "anymore": "no more",
}
_BARRIERS = (
    (CONJUNCTIONS - {"no", "then", "or", "well", "yes", "yeah", "today", "now"}) | WH | NOMINATIVE
)
_IDIOMS = frozenset({"given", "case", "way", "rate", "one", "time"})
"""Words with which `any` has a meaning of its own."""
_BEFORE_NOT = frozenset(
    {"is", "are", "am", "was", "were", "do", "does", "did", "have", "has", "had", "can", "could"}
    | {"will", "would", "should", "must", "may", "might", "i'm", "he's", "she's", "it's", "that's"}
    | {"there's", "we're", "you're", "they're", "i've", "we've", "you've", "they've", "ain't"}
)
_RAISERS = frozenset(
    {"think", "believe", "suppose", "say", "expect", "feel", "mean", "sure", "know", "imagine"}
    | {"guess", "want", "need", "see", "let", "make", "believed", "thought", "knew", "said"}
)
"""Words behind which an indefinite word may be the subject of another clause."""
_MAY_FOLLOW = frozenset(
    {"", "in", "at", "about", "on", "with", "here", "there", "else", "from", "to"}
)


def aint(clause: Clause) -> Iterator[Edit]:
    """Put `ain't` for `isn't`, `aren't`, `haven't` and `hasn't`, written in one word or in two."""
    for i, token in enumerate(clause.tokens):
        if token.raw[1:] != token.raw[1:].lower():
            continue
        auxiliary = token.word in _HAVE and _is_participle(clause, i + 1)
        if (token.word in _BE and not _is_only(clause, i + 1)) or auxiliary:
            yield clause.replace(i, i, "ain't", "aint")
        elif token.raw == "not" and i > 0 and not _is_only(clause, i + 1):
            yield from _full(clause, i)


def negative_concord(clause: Clause) -> Iterator[Edit]:
    """Put `no`, `nobody`, `nothing` ... for `any`, `anybody`, `anything` ... under a negation."""
    if clause.sentence.asks:
        return
    negator = None
    for i, word in enumerate(clause.words):
        if _negates(clause, i):
            negator = i
        elif word in _BARRIERS:
            negator = None
        elif negator is not None and _is_bound(clause, negator, i):
            yield from _negative(clause, i)


def _full(clause: Clause, i: int) -> Iterator[Edit]:
    host, mark, form = clause.word(i - 1).partition("'")
    token, before = clause.tokens[i], clause.tokens[i - 1]
    perfect = _is_participle(clause, i + 1)
    if mark and host in _HOSTS and (form in {"m", "s", "re"} or (form == "ve" and perfect)):
        yield Edit(before.start + len(host), token.end, " ain't", "aint")
        return
    be = before.raw in {"is", "are", "am"} and clause.word(i + 1) != "to"
    if i > 1 and (be or (before.raw in {"have", "has"} and perfect)):
        yield clause.replace(i - 1, i, "ain't", "aint")


def _is_only(clause: Clause, i: int) -> bool:
    return clause.word(i) in {"only", "just", "merely", "simply"}


def _is_participle(clause: Clause, i: int) -> bool:
    i += clause.word(i) in {"even", "really", "yet", "always", "ever"}
    word = clause.word(i)
    return word in {"been", "had", "done"} or (
        word not in FUNCTION_WORDS and base_of(word, "VBN") is not None
    )


def _negates(clause: Clause, i: int) -> bool:
    word = clause.word(i)
    if _is_only(clause, i + 1):
        return False
    if word == "not":
        return clause.word(i - 1) in _BEFORE_NOT
    return word.endswith("n't") or word in {"never", "nobody", "cannot"}


def _is_bound(clause: Clause, negator: int, i: int) -> bool:
    """Tell whether an indefinite word is in the same grammatical clause as the negation."""
    if clause.word(i - 1) in {"just", "hardly", "if", "almost"}:
        return False
    if i == negator + 1:
        inverted = negator == 0 and clause.word(negator) != "nobody"
        return not inverted and clause.word(negator) in _COPULAS | {"not"}
    raised = [word for word in clause.words[negator + 1 : i] if word in _RAISERS]
    return not raised or clause.word(i + 1) in _MAY_FOLLOW


_COPULAS = frozenset({"isn't", "aren't", "wasn't", "weren't", "ain't", "haven't"})


def _negative(clause: Clause, i: int) -> Iterator[Edit]:
    word, behind = clause.word(i), clause.word(i + 1)
    if word in _CONCORD:
        yield clause.replace(i, i, _CONCORD[word], "negative_concord")
    elif word == "any" and behind in {"", "of"}:
        yield clause.replace(i, i, "none", "negative_concord")
    elif word == "any" and behind not in FUNCTION_WORDS | _IDIOMS and _is_nominal(behind):
        yield clause.replace(i, i, "no", "negative_concord")


def _is_nominal(word: str) -> bool:
    return any(can_be(word, word_class) for word_class in ("NOUN", "ADJ", "ADV"))
