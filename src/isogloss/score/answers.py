"""Answer sets: which replies a question allows, and how a tokenizer spells each of them."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from isogloss.errors import AnswerError

Encode = Callable[[str], Sequence[int]]
"""Text to token ids, adding nothing."""

CLOSE = -1
"""Stands in a token's place for all tokens that end the value of a JSON field."""

Case = Literal["given", "lower", "upper", "capital"]
"""How a label is written: as it is, in small or capital letters, or with its first one capital."""

Space = Literal["", " "]
"""What stands before a label."""

_WRITTEN: dict[Case, Callable[[str], str]] = {
    "given": str,
    "lower": str.lower,
    "upper": str.upper,
    "capital": lambda label: label[:1].upper() + label[1:],
}


@dataclass(frozen=True)
class AnswerSet:
    """The replies a question allows, and the beginning of the reply they complete.

    `reply_prefix` is the part of the assistant's reply that is already written. Whether it ends in
    a space decides what is measured: a tokenizer that spells `: 3` as `:`, ` `, `3` needs the
    space in the prefix, one that spells it `:`, ` 3` needs it in the answers.
    """

    labels: tuple[str, ...]
    """Labels of the answers, in the order of the table's `probabilities`."""
    variants: tuple[tuple[str, ...], ...]
    """For each label, the strings that mean it; their probabilities are summed."""
    reply_prefix: str
    numeric: bool = False
    """Whether labels are numbers, so that the distribution has an expected value."""
    json_field: str | None = None
    """Field of a JSON object that holds the answer, where the reply is such an object."""
    closed: bool = False
    """Whether an answer counts only where white space, a comma or a brace ends its JSON field."""

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.variants) or not all(self.variants):
            raise AnswerError("an answer set needs at least one variant for each label")
        if len(set(self.labels)) != len(self.labels):
            raise AnswerError(f"labels of answers must be distinct: {list(self.labels)}")
        flat = [variant for variants in self.variants for variant in variants]
        if len(set(flat)) != len(flat) or "" in flat:
            raise AnswerError(f"answer variants must be distinct and not empty: {flat}")
        if self.closed and self.json_field is None:
            raise AnswerError("only the field of a JSON object can be closed")
        if self.closed and any(re.search(r"[\s,}]", variant.lstrip()) for variant in flat):
            raise AnswerError(f"an answer cannot hold what ends its field: {flat}")


def rating_scale(low: int, high: int, reply_prefix: str) -> AnswerSet:
    """Return the whole numbers from `low` to `high` as an answer set."""
    labels = tuple(str(value) for value in range(low, high + 1))
    return AnswerSet(labels, tuple((label,) for label in labels), reply_prefix, numeric=True)


def choices(
    labels: Sequence[str],
    reply_prefix: str,
    *,
    cases: Sequence[Case] = ("given",),
    spaces: Sequence[Space] = ("",),
) -> AnswerSet:
    """Return labels of one or several words as an answer set.

    Each label is meant by all its writings: every one of `spaces` before every one of `cases`.
    Raises `AnswerError` when two labels share a writing, or a space would follow white space at
    the end of the reply prefix: it belongs to one of the two.
    """
    if " " in spaces and reply_prefix[-1:].isspace():
        raise AnswerError(
            f"reply prefix {reply_prefix!r} ends in white space and the answers begin with a "
            "space; leave one of them out"
        )
    variants = tuple(
        tuple(dict.fromkeys(space + _WRITTEN[case](label) for space in spaces for case in cases))
        for label in labels
    )
    return AnswerSet(tuple(labels), variants, reply_prefix)


def yes_no(reply_prefix: str) -> AnswerSet:
    """Return yes and no, each with its writings `Yes`, `yes` and `YES` summed.

    Where the reply prefix does not end in white space, the writings with a space before them count
    too. `fit_prefix` leaves out those that a tokenizer cannot spell there.
    """
    spaces: tuple[Space, ...] = ("",) if reply_prefix[-1:].isspace() else ("", " ")
    return choices(("yes", "no"), reply_prefix, cases=("capital", "lower", "upper"), spaces=spaces)


def integer_field(name: str, low: int, high: int) -> AnswerSet:
    """Return the whole numbers from `low` to `high` as the one field of a JSON object.

    The reply begins with `{"name": `, space included; see `fit_prefix` for tokenizers that spell
    the space and the number as one token. A number counts only where the field ends after it:
    `1` is neither `1.5` nor `12`.
    """
    scale = rating_scale(low, high, f"{{{json.dumps(name)}: ")
    return replace(scale, json_field=name, closed=True)


def fit_prefix(answers: AnswerSet, before: str, encode: Encode) -> AnswerSet:
    """Return the answer set with its white space where this tokenizer has a token boundary.

    `before` is the prompt up to the reply prefix. In this order, the first arrangement in which
    every answer begins at a boundary after the prefix is taken: the set as it is; the space that
    ends the prefix moved before every answer; the space that begins every answer moved to the
    prefix; of answers with and without a space before them, those without; those with. In a JSON
    object white space means nothing, so a space moved before a number adds the writing without it.
    Nothing else changes, and what is returned says all that was chosen. Raises `AnswerError` when
    no arrangement fits.
    """
    for arranged in _arrangements(answers):
        try:
            spell(arranged, before + arranged.reply_prefix, encode)
        except AnswerError:
            continue
        return arranged
    raise AnswerError(
        f"answers {list(answers.labels)} begin at no token boundary after "
        f"{answers.reply_prefix!r} with this tokenizer, wherever the space stands; change the "
        "reply prefix"
    )


def _arrangements(answers: AnswerSet) -> Iterator[AnswerSet]:
    yield answers
    flat = [variant for variants in answers.variants for variant in variants]
    spaced = [variant.startswith(" ") for variant in flat]
    if not any(spaced) and answers.reply_prefix.endswith(" "):
        yield _space_before_answers(answers)
    elif all(spaced):
        yield _space_in_prefix(answers)
    for space in (False, True):
        kept = tuple(
            tuple(v for v in variants if v.startswith(" ") == space)
            for variants in answers.variants
        )
        if any(spaced) and not all(spaced) and all(kept):
            yield replace(answers, variants=kept)


def _space_before_answers(answers: AnswerSet) -> AnswerSet:
    spaces = (" ",) if answers.json_field is None else (" ", "")
    variants = tuple(
        tuple(space + variant for space in spaces for variant in variants)
        for variants in answers.variants
    )
    return replace(answers, variants=variants, reply_prefix=answers.reply_prefix[:-1])


def _space_in_prefix(answers: AnswerSet) -> AnswerSet:
    variants = tuple(tuple(variant[1:] for variant in variants) for variants in answers.variants)
    return replace(answers, variants=variants, reply_prefix=answers.reply_prefix + " ")


@dataclass(frozen=True)
class Spelling:
    """One variant of a label as token ids that follow the prompt."""

    label: int
    """Index of the label."""
    tokens: tuple[int, ...]


def spell(answers: AnswerSet, prompt: str, encode: Encode) -> tuple[Spelling, ...]:
    """Return every variant as the tokens it adds to the prompt's own tokens.

    `prompt` ends with the reply prefix. Raises `AnswerError` when a variant changes the prompt's
    tokens (the boundary falls inside a token), or two variants have the same tokens.
    """
    start = tuple(encode(prompt))
    spellings = []
    for index, variants in enumerate(answers.variants):
        for variant in variants:
            tokens = tuple(encode(prompt + variant))
            if tokens[: len(start)] != start or len(tokens) == len(start):
                raise AnswerError(
                    f"answer {variant!r} does not begin at a token boundary after "
                    f"{answers.reply_prefix!r}; move the space between the two"
                )
            spellings.append(Spelling(index, tokens[len(start) :]))
    if len({spelling.tokens for spelling in spellings}) != len(spellings):
        raise AnswerError(f"two answers have the same tokens after {answers.reply_prefix!r}")
    return tuple(spellings)


def answer_probabilities(
    answers: AnswerSet,
    spellings: Sequence[Spelling],
    next_token: Callable[[tuple[int, ...], int], float],
) -> tuple[float, ...]:
    """Probability of each label, not renormalised.

    `next_token(path, token)` is the probability of `token` after the prompt and `path`; that of
    `CLOSE` is the probability that the value of a JSON field ends there. A spelling's probability
    is the product along its tokens. In a closed set it is that times the probability that the
    field ends: P(`1`) = P(1) P(close | 1). In any other, where another spelling continues it
    (`1` and `10`, `advance` and `advance with reservations`), the continuation's probability
    belongs to the longer one and is taken off the shorter: P(`1`) = P(1) - P(1, 0). Either way
    the labels exclude each other.
    """
    if answers.closed:
        return _closed_probabilities(answers, spellings, next_token)
    whole = {spelling.tokens: _chain(spelling.tokens, next_token) for spelling in spellings}
    totals = [0.0] * len(answers.labels)
    for spelling in spellings:
        longer = sum(whole[tokens] for tokens in _direct_extensions(spelling.tokens, whole))
        totals[spelling.label] += max(whole[spelling.tokens] - longer, 0.0)
    return tuple(totals)


def _closed_probabilities(
    answers: AnswerSet,
    spellings: Sequence[Spelling],
    next_token: Callable[[tuple[int, ...], int], float],
) -> tuple[float, ...]:
    totals = [0.0] * len(answers.labels)
    for spelling in spellings:
        totals[spelling.label] += _chain((*spelling.tokens, CLOSE), next_token)
    return tuple(totals)


def _chain(tokens: tuple[int, ...], next_token: Callable[[tuple[int, ...], int], float]) -> float:
    probability = 1.0
    for i, token in enumerate(tokens):
        probability *= next_token(tokens[:i], token)
    return probability


def _direct_extensions(
    tokens: tuple[int, ...], whole: dict[tuple[int, ...], float]
) -> list[tuple[int, ...]]:
    """Longer spellings that continue `tokens` and not another longer spelling of them."""
    longer = [other for other in whole if len(other) > len(tokens) and _starts(other, tokens)]
    return [o for o in longer if not any(p != o and _starts(o, p) for p in longer)]


def _starts(tokens: tuple[int, ...], beginning: tuple[int, ...]) -> bool:
    return tokens[: len(beginning)] == beginning
