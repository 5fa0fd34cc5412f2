"""The interface between those who ask and the models that answer.

A backend puts prompts to one model. It knows nothing of studies, of outcomes or of the store.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from isogloss.score.answers import AnswerSet
from isogloss.score.prompts import Message, Prompt


@dataclass(frozen=True)
class Decoding:
    """How a text is drawn."""

    max_new_tokens: int
    temperature: float = 0.0
    """0 takes the most probable token each time."""
    top_p: float = 1.0
    """Share of the probability that the most probable tokens drawn from hold together."""
    seed: int | None = None
    """Decides every draw, together with the prompt and the repeat; None where nothing is drawn."""
    stop: tuple[str, ...] = ()
    """The text ends before the first of these strings."""
    json_schema: str | None = None
    """JSON schema, as canonical JSON, that the whole text must satisfy."""


@dataclass(frozen=True)
class ScoreTask:
    """A prompt whose next words are one of an answer set."""

    prompt: Prompt
    answers: AnswerSet
    reasons_tokens: int = 0
    """Tokens that a reply may take before the answer, where the reply has to be written."""


@dataclass(frozen=True)
class WriteTask:
    """A prompt to be continued; repeats of it are draws of their own."""

    prompt: Prompt
    decoding: Decoding
    repeat: int = 0


@dataclass(frozen=True)
class Distribution:
    """Probabilities of an answer set's labels, not renormalised."""

    probabilities: tuple[float, ...]
    unseen: float = 0.0
    """Upper bound on probability of labels that the backend did not show; 0 where it shows all."""


@dataclass(frozen=True)
class Reply:
    """A text that the model wrote."""

    text: str
    finish: str = "stop"
    """`stop`, `length` (the limit cut it), `content_filter` or `refusal` (the server's own)."""
    distribution: Distribution | None = None
    """Probabilities at the answer's position, where a server reports them."""
    request_id: str | None = None
    model: str | None = None
    """Model that the server says has answered."""
    answered_at: str | None = None
    """Date and time in UTC, ISO 8601, that the server gives."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True)
class Failed:
    """No answer to this prompt, and why; others may be answered still."""

    reason: str


Answer = Distribution | Reply | Failed

Batch = list[tuple[int, Answer]]
"""Answers that came together, each with the index of its task; stored in one transaction."""


@dataclass(frozen=True)
class Estimate:
    """What tasks would take if nothing had to be repeated."""

    requests: int
    prompt_tokens: int
    """Tokens to be read; for a server a guess: UTF-8 bytes of each prompt over 4, rounded up."""
    completion_tokens: int
    """The most that may be written."""
    cost: float | None = None
    """The most, as far as the estimate of the prompt tokens holds; None without prices."""
    currency: str | None = None

    def sentence(self) -> str:
        """Say it in one line."""
        said = (
            f"{self.requests} requests, about {self.prompt_tokens} tokens to read and at most "
            f"{self.completion_tokens} to write"
        )
        return said if self.cost is None else f"{said}, at most {self.cost:.4f} {self.currency}"


class Backend(Protocol):
    """One model that answers."""

    @property
    def digest(self) -> str:
        """Decides, with the prompt and the task, what is answered; part of the store's key."""

    @property
    def begins_replies(self) -> bool:
        """Whether a reply may be begun for the model, which then goes on from there."""

    def render(self, messages: Sequence[Message], reply: str) -> Prompt:
        """Return the prompt as the model reads it, its reply begun with `reply`."""

    def fit(self, answers: AnswerSet, reply: str) -> AnswerSet:
        """Return the answers with the white space before them where this model has it.

        `reply` is what the reply begins with before the answers' own prefix.
        """

    def read(self, tasks: Sequence[ScoreTask]) -> Iterator[Batch]:
        """Yield the answer to each task once, in batches, each as soon as it is there."""

    def write(self, tasks: Sequence[WriteTask]) -> Iterator[Batch]:
        """Yield the text for each task once, in batches, each as soon as it is there."""

    def estimate(self, tasks: Sequence[ScoreTask | WriteTask]) -> Estimate:
        """Estimate what tasks would take; nothing is asked."""


def to_stored(answer: Distribution | Reply) -> dict[str, Any]:
    """Return an answer as JSON-able content, without the fields that have nothing to say."""
    return {name: value for name, value in asdict(answer).items() if value is not None}


def from_stored(content: dict[str, Any]) -> Distribution | Reply:
    """Return the answer that `to_stored` was given."""
    if "probabilities" in content:
        return _distribution(content)
    inner = content.get("distribution")
    return Reply(**{**content, "distribution": None if inner is None else _distribution(inner)})


def _distribution(content: dict[str, Any]) -> Distribution:
    return Distribution(tuple(content["probabilities"]), content["unseen"])
