"""Read a server's reply: text, why it ended, log-probabilities, tokens used."""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import accumulate
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from isogloss.score.answers import AnswerSet
from isogloss.score.api.faults import Censor, PassingFault, PromptFault
from isogloss.score.api.top_logprobs import Step, Token, label_probabilities
from isogloss.score.backend import Distribution, Reply
from isogloss.score.parse import parse_answer
from isogloss.score.thoughts import without_thoughts

_FINISHES = {
    "stop": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
}
_CALLS = ("tool_calls", "function_call")
_ROUNDING = 1e-3
"""How far probabilities that a server rounds may add up to more than 1."""


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Message(_Lenient):
    content: str | None = None
    refusal: str | None = None


class _Choice(_Lenient):
    message: _Message
    finish_reason: str | None = None
    logprobs: Any = None


class _Completion(_Lenient):
    choices: Annotated[list[_Choice], Field(min_length=1)]
    id: Any = None
    model: Any = None
    created: Any = None
    usage: Any = None


_NOT_LISTED = -9999.0
"""Log-probability that servers give a token of which they know none (OpenAI's API reference)."""


class _Listed(_Lenient):
    token: str
    logprob: Annotated[float, Field(le=_ROUNDING)]
    bytes: list[Annotated[int, Field(ge=0, le=255)]] | None = None

    def as_token(self) -> Token:
        text = self.token.encode() if self.bytes is None else bytes(self.bytes)
        return Token(text, min(math.exp(self.logprob), 1.0))


class _Written(_Listed):
    top_logprobs: list[_Listed] = []


class _Logprobs(_Lenient):
    content: list[_Written]


def read_reply(
    data: Any, headers: Mapping[str, str], answers: AnswerSet | None, censor: Censor
) -> Reply:
    """Return the reply that a decoded body holds, with the answers' probabilities where it can.

    Raises `PassingFault` for a body without a whole reply, `PromptFault` for a call of a tool.
    """
    completion = _completion(data, censor)
    choice = completion.choices[0]
    finish, text = _ending(choice)
    prompt_tokens, completion_tokens = _usage(completion.usage)
    return Reply(
        text=censor.reply(text),
        finish=finish,
        distribution=_distribution(choice, answers) if finish in ("stop", "length") else None,
        request_id=_name(headers.get("x-request-id") or completion.id, censor),
        model=_name(completion.model, censor),
        answered_at=_date(completion.created),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
    )


def _completion(data: Any, censor: Censor) -> _Completion:
    try:
        return _Completion.model_validate(data)
    except ValidationError:
        error = data.get("error") if isinstance(data, dict) else None
        said = error.get("message") if isinstance(error, dict) else None
        more = f" but {censor.sentence(said)!r}" if isinstance(said, str) else ""
        raise PassingFault(f"the server sent no reply{more}") from None


def _ending(choice: _Choice) -> tuple[str, str]:
    """Why a reply ended, and its text; the text of a refusal is the server's own."""
    message, said = choice.message, choice.finish_reason
    if message.refusal:
        return "refusal", message.refusal
    if said in _CALLS:
        raise PromptFault("the model called a tool instead of replying")
    if said not in _FINISHES:
        raise PassingFault("the server does not say that the reply is whole")
    return _FINISHES[said], message.content or ""


def _distribution(choice: _Choice, answers: AnswerSet | None) -> Distribution | None:
    said = without_thoughts(choice.message.content or "")
    steps = _steps(choice.logprobs)
    if answers is None or not steps or not said or not said.strip():
        return None
    given = parse_answer(said, answers).value
    reply = _steps_of(steps, said.strip().encode())
    return None if given is None else label_probabilities(reply, answers, given=given)


def _steps_of(steps: Sequence[Step], content: bytes) -> Sequence[Step]:
    """The steps from the one on in which the content begins; thoughts may come before it."""
    begins = b"".join(step.chosen.text for step in steps).rfind(content)
    if begins < 0:
        return ()
    ends = accumulate(len(step.chosen.text) for step in steps)
    return steps[next(number for number, end in enumerate(ends) if end > begins) :]


def _steps(logprobs: Any) -> list[Step]:
    """The tokens of a reply with their alternatives; none where they are not what they should."""
    try:
        written = _Logprobs.model_validate(logprobs).content
        steps = [_step(token) for token in written]
    except (ValidationError, OverflowError):
        return []
    sums = [math.fsum(token.probability for token in step.listed) for step in steps]
    sound = (
        0.0 < total <= 1.0 + _ROUNDING or not step.listed
        for total, step in zip(sums, steps, strict=True)
    )
    return steps if all(sound) else []


def _step(written: _Written) -> Step:
    """A token with its list; an empty one where its log-probability only fills a place.

    That is -9999, or 0 without a list, as servers write that drafted or forced the token.
    """
    chosen = written.as_token()
    known = [other for other in written.top_logprobs if other.logprob > _NOT_LISTED]
    listed = [other.as_token() for other in known]
    for token in listed:
        if token.text == chosen.text:
            return Step(token, tuple(listed))
    if written.logprob <= _NOT_LISTED or (written.logprob >= 0.0 and not listed):
        return Step(chosen, ())
    return Step(chosen, (chosen, *listed))


def _usage(usage: Any) -> tuple[int | None, int | None]:
    found = usage if isinstance(usage, dict) else {}
    prompt, completion = (found.get(k) for k in ("prompt_tokens", "completion_tokens"))
    return (
        prompt if type(prompt) is int and prompt >= 0 else None,
        completion if type(completion) is int and completion >= 0 else None,
    )


def _name(given: Any, censor: Censor) -> str | None:
    return censor.sentence(given) if isinstance(given, str) and given else None


def _date(created: Any) -> str | None:
    try:
        return datetime.fromtimestamp(created, UTC).isoformat()
    except (TypeError, ValueError, OverflowError, OSError):
        return None
