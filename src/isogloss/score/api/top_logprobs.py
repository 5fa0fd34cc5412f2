"""Probabilities of an answer set from the few most probable tokens that a server lists.

A server lists, at each token of the reply that it wrote, the k most probable tokens. Everything
here is conditional on the reply up to its answer. What the lists show for certain is a label's
probability; what they leave open is an upper bound, `unseen`, and never counted as 0.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from isogloss.errors import AnswerError
from isogloss.score.answers import AnswerSet
from isogloss.score.backend import Distribution

_DRESS = b" \t\r\n*_`\"'"
"""White space, quotes and marks that may stand before an answer and do not change it."""
_DRESSED = rb"[\s*_`\"']*"
_ENDS = rb"(?![A-Za-z0-9_\x80-\xff]|\s*%|\s*(?:[.,/:+-]|\b(?:or|and|to|out\s+of)\b)\s*[0-9])"
"""What follows an answer: no letter or digit, and nothing that makes `3` into `3.5` or `3 or 4`."""
_BARE = rb"(?=[\s*_`\"'.!]*(?:<[^>]*>)?\s*\Z)"
"""Nothing but quotes, marks, a full stop and a control token up to the reply's end."""
_END = re.compile(_ENDS)


@dataclass(frozen=True)
class Token:
    """A token's bytes, and its probability after the reply so far."""

    text: bytes
    probability: float


@dataclass(frozen=True)
class Step:
    """One token of the reply."""

    chosen: Token
    listed: tuple[Token, ...]
    """The most probable tokens at this place, the chosen one among them; none if not known."""


@dataclass(frozen=True)
class _Place:
    """Where the answer begins."""

    step: int
    lead: bytes
    """What the token holds before the answer's first byte."""


@dataclass
class _Sum:
    labels: list[float]
    unseen: float = 0.0


@dataclass(frozen=True)
class _Path:
    """The answer as far as it is written: its bytes, its probability, what it is so far."""

    written: bytes = b""
    probability: float = 1.0
    complete: bytes = b""
    """Longest answer that it begins with; empty where there is none yet."""
    whole: frozenset[bytes] = frozenset()
    """Answers that one listed token would have completed in the place of its last one."""


@dataclass(frozen=True)
class _Answers:
    """Each way of writing a label, and the label's index."""

    labels: dict[bytes, int]

    def complete(self, written: bytes) -> bytes:
        """Return the longest answer that a text consists of or begins with, or nothing."""
        found = [
            answer
            for answer in self.labels
            if written.startswith(answer) and _END.match(written, len(answer))
        ]
        return max(found, key=len, default=b"")

    def may_become(self, written: bytes) -> list[bytes]:
        """Return the answers that a text can go on to become."""
        return [a for a in self.labels if len(a) > len(written) and a.startswith(written)]


def label_probabilities(
    reply: Sequence[Step], answers: AnswerSet, *, given: str | None = None
) -> Distribution | None:
    """Return the probability of each label where the reply gives its answer.

    The answer is the last one after the answer set's reply prefix or JSON field, or the one at the
    reply's beginning, where a number must be the whole reply. `given` is the label that the reply
    is known to give: no other is looked for. From there the written tokens
    are followed as long as they can still become another label. With p the probability of a listed
    token and q that of the path to it, at each step

    - a token that completes a label adds q p to the label;
    - a token that leaves open which label, if any, it becomes adds q p to `unseen`;
    - the unlisted tokens add at most q min(1 - sum of p, n x smallest p) to `unseen`, where n
      counts the answers that no listed token completes. It is taken that one unlisted token
      begins each of them; where the chosen token alone is listed, the whole remainder counts.

    A tokenizer is taken to spell an answer one way: where `10` is listed as one token, `1` does not
    become `10`, unless the reply itself goes on so. As in an open set of a local model, what
    follows a complete answer without making it a longer one belongs to it: P(`1`) = P(1) - P(1, 0).
    That is so of a JSON field too: how another number than the written one would go on is not
    listed.

    None where the reply gives no answer, where a step of the answer has no list, or where it ends
    where a longer answer could have gone on and the server does not say how probable that was.
    Raises `AnswerError` when two labels are written the same way.
    """
    known = _known(answers)
    wanted = [a for a, label in known.labels.items() if given in (None, answers.labels[label])]
    place = _answer_place([step.chosen.text for step in reply], answers, wanted)
    if place is None:
        return None
    total = _Sum([0.0] * len(answers.labels))
    path = _Path()
    for number, step in enumerate(reply[place.step :]):
        if not step.listed:
            return None
        onward = _follow(step, path, place.lead if number == 0 else None, known, total)
        if onward is None:
            return _distribution(total)
        path = onward
    if path.complete and path.whole.issuperset(known.may_become(path.written)):
        total.labels[known.labels[path.complete]] += path.probability
        return _distribution(total)
    return None


def _distribution(total: _Sum) -> Distribution:
    most = max(0.0, 1.0 - sum(total.labels))
    return Distribution(tuple(total.labels), min(total.unseen, most))


def _follow(
    step: Step, path: _Path, lead: bytes | None, known: _Answers, total: _Sum
) -> _Path | None:
    """Add what one list shows; return the path to follow, or None where nothing is open."""
    listed = [
        (token, path.written + rest)
        for token in step.listed
        if (rest := token.text if lead is None else _undressed(token.text, lead)) is not None
    ]
    whole = frozenset(written for _, written in listed if written in known.labels)
    onward = None
    for token, written in listed:
        mass = path.probability * token.probability
        complete = max(known.complete(written), path.complete, key=len)
        # A token without text ends the reply.
        longer = known.may_become(written) if token.text else []
        if longer and token is step.chosen:
            onward = _Path(written, mass, complete, whole)
        elif longer and not (complete and whole.issuperset(longer)):
            total.unseen += mass
        elif complete:
            total.labels[known.labels[complete]] += mass
    _add_unlisted(step, path, listed, known, total)
    return onward


def _add_unlisted(
    step: Step,
    path: _Path,
    listed: Sequence[tuple[Token, bytes]],
    known: _Answers,
    total: _Sum,
) -> None:
    """Bound what tokens outside the list may hold; the rest of it ends a complete answer."""
    rest = max(0.0, 1.0 - sum(token.probability for token in step.listed))
    shown = {known.complete(written) for _, written in listed}
    missing = len(set(known.may_become(path.written)) - shown)
    # A server that forces a form may write a token that is not among the most probable ones.
    others = [token.probability for token in step.listed if token is not step.chosen]
    bound = min(rest, missing * min(others, default=1.0))
    total.unseen += path.probability * bound
    if path.complete:
        total.labels[known.labels[path.complete]] += path.probability * (rest - bound)


def _undressed(token: bytes, lead: bytes) -> bytes | None:
    """What a token adds to the answer where the written token held `lead` before it.

    Empty where the token only leads up to an answer; None where it leads elsewhere.
    """
    if not lead.strip(_DRESS):
        return token.lstrip(_DRESS)
    if token.startswith(lead):
        return token[len(lead) :]
    return b"" if lead.startswith(token) else None


def _known(answers: AnswerSet) -> _Answers:
    known: dict[bytes, int] = {}
    for label, variants in enumerate(answers.variants):
        for variant in variants:
            written = variant.strip().encode()
            if known.setdefault(written, label) != label or not written:
                raise AnswerError(
                    f"answer {variant!r} cannot be told from another in a written reply; "
                    "give each label a wording of its own"
                )
    return _Answers(known)


def _answer_place(
    texts: Sequence[bytes], answers: AnswerSet, wanted: Sequence[bytes]
) -> _Place | None:
    joined = b"".join(texts)
    offset = _answer_offset(joined, answers, wanted)
    if offset is None:
        return None
    begin = 0
    for step, text in enumerate(texts):
        if begin <= offset < begin + len(text):
            return _Place(step, text[: offset - begin])
        begin += len(text)
    return None


def _answer_offset(joined: bytes, answers: AnswerSet, wanted: Sequence[bytes]) -> int | None:
    """Offset of the last answer after the JSON field or the prefix, or of one at the beginning."""
    longest_first = sorted(wanted, key=len, reverse=True)
    answer = rb"(?P<answer>" + b"|".join(re.escape(a) for a in longest_first) + rb")" + _ENDS
    if answers.json_field is not None:
        name = re.escape(f'"{answers.json_field}"'.encode())
        patterns = [name + rb"\s*:\s*\"?" + answer]
    else:
        prefix = re.escape(answers.reply_prefix.strip().encode())
        patterns = [rb"(?i:" + prefix + rb")" + _DRESSED + answer] if prefix else []
        patterns.append(rb"\A" + _DRESSED + answer + (_BARE if answers.numeric else b""))
    for pattern in patterns:
        found = list(re.finditer(pattern, joined))
        if found:
            return found[-1].start("answer")
    return None
