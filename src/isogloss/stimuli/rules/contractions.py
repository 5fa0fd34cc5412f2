"""Contraction and expansion of `not`, of forms of `be` and `have`, and of `will`.

Contractions mark speech and plain registers (Biber et al. 1999). Both rules abstain
where a form has two readings (`he'd`, most of `'s`), so that expanding undoes contracting.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from isogloss.stimuli.rules.aae.copula import INTENSIFIERS, is_progressive, is_state, is_stranded
from isogloss.stimuli.rules.clauses import Clause, Sentence, clauses, like, rewrite_sentences
from isogloss.stimuli.rules.grammar import (
    ARTICLES,
    DETERMINERS,
    NOMINATIVE,
    POSSESSIVES,
    WH,
    pronoun_subject,
)
from isogloss.stimuli.rules.lexical import base_of, can_be
from isogloss.stimuli.rules.rewriting import Edit, Rewriting

_DEVICE = "contraction"
_WITH_NOT = frozenset(
    {"is", "are", "was", "were", "do", "does", "did", "have", "has", "had", "could", "would"}
    | {"should", "must"}
)
_IRREGULAR = {"can't": "cannot", "won't": "will not", "shan't": "shall not"}
_FORMS = {"am": "m", "are": "re", "have": "ve", "will": "ll", "is": "s", "has": "s"}
_LONG = {"m": "am", "re": "are", "ve": "have", "ll": "will"}
_HOSTS = {
    "am": frozenset({"i"}),
    "are": frozenset({"we", "you", "they"}),
    "have": frozenset({"i", "we", "you", "they"}),
    "will": frozenset({"i", "he", "she", "we", "you", "they"}),
    "is": frozenset({"he", "she", "it", "that", "there", "what", "who", "where", "here"}),
    "has": frozenset({"he", "she", "it", "that", "there"}),
}
_NOT_BEHIND = frozenset({"and", "or", "but", "too", "also", "as", "than", "to", "that", "if", "so"})
_INVERTED = NOMINATIVE | {"you", "it", "there", "this", "that", "these", "those"}
_CORRELATIVE = frozenset({"only", "just", "merely", "simply", "so"})


@dataclass(frozen=True)
class Contraction:
    """Write `do not` as `don't`, `I am` as `I'm` and the like; the seed has no effect."""

    name: str = "contract"
    sources: tuple[str, ...] = ("biber1999",)

    def __call__(self, text: str, seed: int = 0) -> Rewriting:  # noqa: ARG002
        """Return the text with every contraction that `expand` can take back."""
        return rewrite_sentences(text, self._propose)

    def _propose(self, sentence: Sentence) -> Iterator[Edit]:
        for clause in clauses(sentence):
            yield from _contract_not(clause)
            yield from _contract_verb(clause)


@dataclass(frozen=True)
class Expansion:
    """Write `don't` as `do not`, `I'm` as `I am` and the like; the seed has no effect."""

    name: str = "expand"
    sources: tuple[str, ...] = ("biber1999",)

    def __call__(self, text: str, seed: int = 0) -> Rewriting:  # noqa: ARG002
        """Return the text without the contractions that have one reading."""
        return rewrite_sentences(text, self._propose)

    def _propose(self, sentence: Sentence) -> Iterator[Edit]:
        for clause in clauses(sentence):
            for i, word in enumerate(clause.words):
                if word.endswith("n't") and word.count("'") == 1:
                    yield from _expand_not(clause, i)
                elif word.count("'") == 1:
                    yield from _expand_verb(clause, i)


def _contract_not(clause: Clause) -> Iterator[Edit]:
    for i, token in enumerate(clause.tokens):
        whole = clause.raw(i + 1) == "not" and _one_blank(clause, i)
        if clause.raw(i)[1:] != clause.raw(i)[1:].lower():
            continue
        if token.word == "cannot" and not _is_turned(clause, i, i):
            yield Edit(token.end - 3, token.end, "'t", _DEVICE)
        elif whole and token.word == "will" and not _is_turned(clause, i, i + 1):
            yield clause.replace(i, i + 1, "won't", _DEVICE)
        elif whole and token.word in _WITH_NOT and not _is_turned(clause, i, i + 1):
            yield Edit(token.end, clause.tokens[i + 1].end, "n't", _DEVICE)


def _contract_verb(clause: Clause) -> Iterator[Edit]:
    for i in range(1, len(clause.tokens) - 1):
        form, host = clause.raw(i), clause.word(i - 1)
        fits = form in _FORMS and host in _HOSTS[form] and _one_blank(clause, i - 1)
        if fits and clause.raw(i - 1)[1:].islower() | (host == "i") and _leans(clause, i):
            yield Edit(clause.tokens[i - 1].end, clause.tokens[i].end, f"'{_FORMS[form]}", _DEVICE)


def _leans(clause: Clause, i: int) -> bool:
    """Tell whether the form at a place is without stress and has one reading when contracted."""
    form, behind = clause.word(i), clause.word(i + 1)
    if not pronoun_subject(clause, i - 1) or behind in _NOT_BEHIND:
        return False
    if form == "have":
        return _is_perfect(clause, i + 1)
    if form in {"is", "has"}:
        return _reading(clause, i + 1) == form and not _is_moved(clause, i)
    return form == "will" or not _is_moved(clause, i)


def _is_moved(clause: Clause, i: int) -> bool:
    stranded = is_stranded(clause, i - 1)
    return stranded and not is_progressive(clause.word(i + 1))


def _is_perfect(clause: Clause, i: int) -> bool:
    i += clause.word(i) in {"already", "never", "always", "just", "also"}
    word = clause.word(i)
    plain = not (can_be(word, "NOUN") or can_be(word, "ADJ"))
    return word in {"been", "had", "done"} or (base_of(word, "VBN") is not None and plain)


def _reading(clause: Clause, i: int) -> str | None:
    """Return whether `'s` before a word is `is` or `has`; None where it may be either."""
    word = clause.word(i)
    if word in {"been", "got"}:
        return "has"
    if word in INTENSIFIERS - {"still", "just", "all"}:
        i, word = i + 1, clause.word(i + 1)
    clear = word in ARTICLES | POSSESSIVES | {"not", "going"} and word != "her"
    return "is" if clear or is_progressive(word) or is_state(word) else None


def _expand_not(clause: Clause, i: int) -> Iterator[Edit]:
    token = clause.tokens[i]
    if _is_turned(clause, i, i) or token.raw[1:] != token.raw[1:].lower():
        return
    if token.word in _IRREGULAR:
        yield Edit(token.start, token.end, like(_IRREGULAR[token.word], token.raw), _DEVICE)
    elif token.word[:-3] in _WITH_NOT | {"might", "need"}:
        yield Edit(token.end - 3, token.end, " not", _DEVICE)


def _expand_verb(clause: Clause, i: int) -> Iterator[Edit]:
    token = clause.tokens[i]
    host, _, ending = token.word.partition("'")
    long = _LONG.get(ending)
    if ending == "s" and host in _HOSTS["is"]:
        long = _reading(clause, i + 1)
    if long and token.raw[1:] == token.raw[1:].lower() and clause.word(i + 1):
        yield Edit(token.start + len(host), token.end, f" {long}", _DEVICE)


def _is_turned(clause: Clause, first: int, last: int) -> bool:
    """Tell whether a negated form is turned round with its subject, or opens `not only ... but`."""
    behind, before = clause.word(last + 1), clause.word(first - 1)
    if behind in _INVERTED or behind in _CORRELATIVE:
        return True
    form = clause.word(first).removesuffix("n't")
    if form in {"have", "has", "had"} and behind in DETERMINERS | {"any", "to", ""}:
        return True
    if first == 0:
        return form != "do" or clause.sentence.asks or not behind
    return clause.sentence.asks and before in WH


def _one_blank(clause: Clause, i: int) -> bool:
    return clause.tokens[i + 1].start == clause.tokens[i].end + 1
