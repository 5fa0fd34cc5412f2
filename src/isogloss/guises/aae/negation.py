"""Negation: `ain't`, and more than one negative word for one negation."""

from collections.abc import Iterator

from isogloss.guises.aae import words as w
from isogloss.guises.aae.reading import END, NEAR, Found, Reading

_NEGATORS = w.listed("not never cannot aint dont cant wont didnt")
_NEGATIVE = w.listed("nothing nobody none nowhere")
_STOPS = w.BINDING | w.listed("that which or and than as nor")
_NO_DETERMINER = w.listed("longer matter doubt less later sooner fewer to for and or as at")
_SET_PHRASES = w.listed(
    "reason means way time case point cost use account circumstances condition small wonder one "
    "nothing"
)
_OPENERS = w.listed("with without for in by at under of")
_CLAUSAL = w.listed("mean means imply implies guarantee guarantees suggest suggests assume")


def aint(text: Reading) -> Iterator[Found]:
    """Find `ain't`."""
    return (Found(i, i + 1, "aint") for i in text.positions("ain't", "aint"))


def negative_concord(text: Reading) -> Iterator[Found]:
    """Find a negative word in the clause of a negation (`didn't see nobody`)."""
    taken: set[int] = set()
    for i, token in enumerate(text.tokens):
        auxiliary = token.word.endswith("n't") or token.word in _NEGATORS - {"not", "never"}
        nobody = token.word == "nobody" and text.begins(i)
        if not auxiliary and not nobody and token.word not in _NEGATORS:
            continue
        for j in _rest_of_clause(text, i):
            if j not in taken and _is_second(text, j, auxiliary):
                taken.add(j)
                yield Found(j, j + 1, "negative_concord")
        if auxiliary and text.before(i) in {"nobody", "nothing"}:
            yield Found(i - 1, i, "negative_concord")


def _rest_of_clause(text: Reading, i: int) -> Iterator[int]:
    for j in range(i + 1, i + 1 + NEAR):
        if text.after(j - 1) == END or text.word(j) in _STOPS:
            return
        yield j


def _is_second(text: Reading, j: int, auxiliary: bool) -> bool:
    word, before, after = text.word(j), text.before(j), text.after(j)
    if before in _OPENERS and _is_standard(text, j):
        return False
    if before in _CLAUSAL and after != END:
        return False
    if word in _NEGATIVE or (word == "no" and after == "one"):
        return True
    if word == "never":
        return auxiliary
    if word == "neither":
        return auxiliary and after == END
    determiner = word == "no" and after not in _NO_DETERMINER | {END}
    return determiner and _has_noun(text, j, auxiliary)


def _has_noun(text: Reading, j: int, auxiliary: bool) -> bool:
    """Tell whether `no` stands before a noun, or before `more` with a negated auxiliary."""
    if text.after(j) == "more":
        return auxiliary and text.after(j + 1) != "than"
    return True


def _is_standard(text: Reading, j: int) -> bool:
    """Tell whether a negative word behind a preposition is one with it (`not for nothing`)."""
    if text.word(j) in {"none", "nobody"}:
        return text.before(j) == "for"
    bound = text.before(j) in {"with", "of"} or text.word(j) == "nothing"
    return bound or text.after(j) in _SET_PHRASES
