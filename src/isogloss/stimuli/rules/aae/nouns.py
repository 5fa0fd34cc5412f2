"""Possessives, and `it` for the `there` that says that something exists.

Sources: Green 2002 and Rickford 1999 for `they` as a possessive, for possessors without -s, and for
existential `it`.
"""

from collections.abc import Iterator

from isogloss.stimuli.rules.clauses import Clause
from isogloss.stimuli.rules.grammar import CONJUNCTIONS, FUNCTION_WORDS, POSSESSIVES
from isogloss.stimuli.rules.lexical import can_be, is_base, is_plural
from isogloss.stimuli.rules.rewriting import Edit

_KIN = frozenset(
    {"mother", "father", "brother", "sister", "cousin", "uncle", "aunt", "grandmother", "mama"}
    | {"grandfather", "daddy", "auntie", "grandma", "grandpa", "mom", "dad", "son", "daughter"}
    | {"wife", "husband", "baby", "friend", "neighbor", "neighbour", "boss"}
)
_OWNED = frozenset(
    {"house", "car", "phone", "kids", "room", "money", "job", "church", "birthday", "truck", "bag"}
    | {"kitchen", "name", "apartment", "bike", "dog", "cat", "friend", "friends", "school", "shoes"}
    | {"son", "daughter", "brother", "sister", "mother", "father", "store", "book", "books", "hair"}
)
_INDEFINITE = frozenset(
    {"a", "an", "some", "no", "any", "many", "several", "lots", "plenty", "more", "enough"}
    | {"nobody", "somebody", "someone", "something", "nothing", "anything", "anybody", "anyone"}
    | {"two", "three", "four", "five", "six", "ten"}
)
_EXISTS = {
    "there's": "it's",
    "is": "it's",
    "are": "it's",
    "was": "it was",
    "were": "it was",
    "isn't": "it ain't",
    "aren't": "it ain't",
    "wasn't": "it wasn't",
    "weren't": "it wasn't",
}


def possessive_they(clause: Clause) -> Iterator[Edit]:
    """Put `they` for `their` before a noun, unless it would read as subject and verb."""
    for i, token in enumerate(clause.tokens[:-1]):
        if token.word != "their" or token.raw.isupper():
            continue
        behind = clause.word(i + 1)
        as_verb = is_base(behind) and (i == 0 or clause.word(i - 1) in CONJUNCTIONS)
        if not as_verb and behind not in FUNCTION_WORDS:
            yield clause.replace(i, i, "they", "possessive_they")


def zero_possessive(clause: Clause) -> Iterator[Edit]:
    """Leave out the possessive -s between a family member and a thing (`my mother house`)."""
    for i, token in enumerate(clause.tokens[:-1]):
        kin, mark, ending = token.word.partition("'")
        owned = clause.word(i + 1) in _OWNED and clause.word(i - 1) in POSSESSIVES
        if mark and ending == "s" and kin in _KIN and owned:
            yield Edit(token.start + len(kin), token.end, "", "zero_possessive")


def demonstrative_them(clause: Clause) -> Iterator[Edit]:
    """Put `them` for `those` before a noun in the plural."""
    for i, token in enumerate(clause.tokens[:-1]):
        if token.raw in {"those", "Those"} and is_plural(clause.word(i + 1)):
            yield clause.replace(i, i, "them", "demonstrative_them")


def yall(clause: Clause) -> Iterator[Edit]:
    """Put `y'all` for `you guys` and `you folks`."""
    for i, token in enumerate(clause.tokens[:-1]):
        if token.raw in {"you", "You"} and clause.raw(i + 1) in {"guys", "folks"}:
            yield clause.replace(i, i + 1, "y'all", "yall")


def existential_it(clause: Clause) -> Iterator[Edit]:
    """Put `it's` and `it was` for `there is`, `there are`, `there was` and `there were`."""
    if clause.sentence.asks:
        return
    for i, token in enumerate(clause.tokens[:-1]):
        opens = i == 0 or clause.word(i - 1) in CONJUNCTIONS
        if not opens or token.raw.isupper():
            continue
        last = i if token.word == "there's" else i + 1
        form = clause.word(last)
        exists = token.word == "there's" or (token.word == "there" and clause.raw(last).islower())
        if exists and form in _EXISTS and _is_indefinite(clause, last + 1):
            yield clause.replace(i, last, _EXISTS[form], "existential_it")


def _is_indefinite(clause: Clause, i: int) -> bool:
    word = clause.word(i)
    several = can_be(word, "NOUN") and word.endswith("s") and word not in FUNCTION_WORDS
    return word in _INDEFINITE or several or word.isdigit()
