"""What a study asks of a model, and what it gets back."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from isogloss.score.answers import AnswerSet
from isogloss.score.backend import Answer, Decoding, Distribution, Failed, Reply
from isogloss.score.parse import parse_answer
from isogloss.score.prompts import Message
from isogloss.score.refusals import refusal
from isogloss.score.responses import Outcome, Response

MOST_UNSEEN = 0.01
"""Share of the answers' probability that a server may leave unlisted; with more, its list is not
taken for the distribution."""


@dataclass(frozen=True)
class Request:
    """A question for an answer out of a set."""

    messages: tuple[Message, ...]
    answers: AnswerSet
    reply: str = ""
    """Part of the reply that stands before the answer set's own reply prefix."""
    min_answer_mass: float = 0.0
    """Answer mass below which the reading is `low_mass`."""
    reasons_tokens: int = 0
    """Tokens that a reply may take before the answer, where the reply has to be written."""


@dataclass(frozen=True)
class ReasonedRequest:
    """A question whose reply gives reasons first, then an answer out of a set."""

    messages: tuple[Message, ...]
    answers: AnswerSet
    opening: str
    """How the reasons begin, where a reply can be begun for the model."""
    stop: str
    """What follows the reasons: the beginning of the answer."""
    max_new_tokens: int
    """Most tokens of the reasons."""
    min_answer_mass: float = 0.0


@dataclass(frozen=True)
class TextRequest:
    """A request for a text."""

    messages: tuple[Message, ...]
    decoding: Decoding
    reply: str = ""
    """How the reply begins."""
    repeat: int = 0
    """Which draw; see `Decoding.seed`."""


@dataclass(frozen=True)
class Text:
    """A text that a model wrote, or why there is none."""

    outcome: Outcome
    reason: str | None
    prompt_sha256: str
    reply: Reply | None
    """What came back, a refusal included; None for an error."""

    @property
    def text(self) -> str | None:
        """The text where the outcome is `ok`."""
        return self.reply.text if self.outcome == "ok" and self.reply is not None else None


@dataclass(frozen=True)
class Reading:
    """A model's answer out of a set: its distribution, or the answer that a text gives."""

    outcome: Outcome
    reason: str | None
    """Why there is no answer; with an answer, why there is no distribution."""
    prompt_sha256: str
    answer_mass: float | None = None
    probabilities: tuple[float, ...] | None = None
    """Renormalised over the answer set, in the order of its labels."""
    expected: float | None = None
    modal: str | None = None
    text: str | None = None
    """The reply, or the part of it before the answer, where one was written."""

    def onto(self, row: Response, answers: AnswerSet) -> Response:
        """Return the row with this reading in it."""
        return replace(
            row,
            outcome=self.outcome,
            reason=self.reason,
            prompt_sha256=self.prompt_sha256,
            answer_mass=self.answer_mass,
            answers=None if self.probabilities is None and self.text else answers.labels,
            probabilities=self.probabilities,
            expected=self.expected,
            modal=self.modal,
            text=self.text,
        )


def reading_of(
    answer: Answer, answers: AnswerSet, prompt_sha256: str, min_answer_mass: float = 0.0
) -> Reading:
    """Turn what a backend gave into a reading; see `from_distribution` and `from_reply`."""
    if isinstance(answer, Failed):
        return Reading("error", answer.reason, prompt_sha256)
    if isinstance(answer, Reply):
        return from_reply(answer, answers, prompt_sha256, min_answer_mass)
    return from_distribution(answer.probabilities, answers, prompt_sha256, min_answer_mass)


def from_distribution(
    raw: Sequence[float], answers: AnswerSet, prompt_sha256: str, min_answer_mass: float
) -> Reading:
    """Turn probabilities over the answer set into a reading.

    `answer_mass` is their sum m; the renormalised distribution is p/m, the expected value of a
    numeric set sum(label * p/m), the modal answer the first label of largest p. A mass below
    `min_answer_mass`, or of 0, is `low_mass` without value; a mass that is not finite is `error`.
    """
    mass = math.fsum(raw)
    if not math.isfinite(mass):
        return Reading("error", "the model gave no finite probability", prompt_sha256)
    if mass <= 0.0 or mass < min_answer_mass:
        reason = f"answer mass {mass:.3g} is below {min_answer_mass:g}"
        return Reading("low_mass", reason, prompt_sha256, mass)
    shares = tuple(value / mass for value in raw)
    expected = None
    if answers.numeric:
        pairs = zip(answers.labels, shares, strict=True)
        expected = math.fsum(float(label) * share for label, share in pairs)
    modal = answers.labels[max(range(len(shares)), key=lambda i: shares[i])]
    return Reading("ok", None, prompt_sha256, mass, shares, expected, modal)


def from_reply(
    reply: Reply, answers: AnswerSet, prompt_sha256: str, min_answer_mass: float
) -> Reading:
    """Turn a text into a reading: its distribution where it has one, else the answer it names.

    A server's distribution is taken when the labels that it does not list hold `MOST_UNSEEN` of
    the listed ones' probability at most. A text without answer is a `refusal` or `malformed`.
    """
    parsed = parse_answer(reply.text, answers, finish=reply.finish)
    if parsed.value is None:
        cut = parsed.status == "malformed" and reply.finish == "length"
        reason = _CUT if cut else _REFUSING.get(reply.finish, parsed.reason)
        return Reading(parsed.status, reason, prompt_sha256, text=reply.text)
    shown = reply.distribution
    if shown is not None and _is_whole(shown):
        read = from_distribution(shown.probabilities, answers, prompt_sha256, min_answer_mass)
        return replace(read, text=reply.text)
    expected = float(parsed.value) if answers.numeric else None
    gap = None if shown is None else _UNLISTED.format(shown.unseen)
    return Reading("ok", gap, prompt_sha256, expected=expected, modal=parsed.value, text=reply.text)


def text_of(answer: Answer, prompt_sha256: str) -> Text:
    """Turn what a backend gave into a text, a refusal, or an error."""
    if isinstance(answer, Reply):
        why = _REFUSING.get(answer.finish) or refusal(answer.text)
        outcome: Outcome = "ok" if why is None else "refusal"
        return Text(outcome, why, prompt_sha256, answer)
    reason = answer.reason if isinstance(answer, Failed) else "the backend wrote no text"
    return Text("error", reason, prompt_sha256, None)


_REFUSING = {"content_filter": "the server's filter held it back", "refusal": "the server says so"}
_CUT = "the reply was cut before an answer"
_UNLISTED = "answers that the server did not list may hold {:.3g} of the probability"


def _is_whole(shown: Distribution) -> bool:
    return shown.unseen <= MOST_UNSEEN * math.fsum(shown.probabilities)
