"""Answer sets: which replies a question allows, and how a tokenizer spells each of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from isogloss.errors import AnswerError

Encode = Callable[[str], Sequence[int]]
"""Text to token ids, adding nothing."""


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

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.variants) or not all(self.variants):
            raise AnswerError("an answer set needs at least one variant for each label")
        flat = [variant for variants in self.variants for variant in variants]
        if len(set(flat)) != len(flat) or "" in flat:
            raise AnswerError(f"answer variants must be distinct and not empty: {flat}")


def rating_scale(low: int, high: int, reply_prefix: str) -> AnswerSet:
    """Return the whole numbers from `low` to `high` as an answer set."""
    labels = tuple(str(value) for value in range(low, high + 1))
    return AnswerSet(labels, tuple((label,) for label in labels), reply_prefix, numeric=True)


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


def inner_paths(spellings: Sequence[Spelling]) -> tuple[tuple[int, ...], ...]:
    """Proper prefixes of the spellings: the points where a next-token distribution is needed.

    The first is the empty path; the others follow by length. Every spelling's own end is included
    when a longer spelling continues it.
    """
    paths = {spelling.tokens[:i] for spelling in spellings for i in range(len(spelling.tokens))}
    return tuple(sorted(paths, key=lambda path: (len(path), path)))


def answer_probabilities(
    answers: AnswerSet,
    spellings: Sequence[Spelling],
    next_token: Callable[[tuple[int, ...], int], float],
) -> tuple[float, ...]:
    """Probability of each label, not renormalised.

    `next_token(path, token)` is the probability of `token` after the prompt and `path`. A
    spelling's probability is the product along its tokens; where another spelling continues it
    (`1` and `10`, `advance` and `advance with reservations`), the continuation's probability
    belongs to the longer one and is taken off the shorter, so that
    P(`1`) = P(1) - P(1, 0) and the labels exclude each other.
    """
    whole = {spelling.tokens: _chain(spelling.tokens, next_token) for spelling in spellings}
    totals = [0.0] * len(answers.labels)
    for spelling in spellings:
        longer = sum(whole[tokens] for tokens in _direct_extensions(spelling.tokens, whole))
        totals[spelling.label] += max(whole[spelling.tokens] - longer, 0.0)
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
