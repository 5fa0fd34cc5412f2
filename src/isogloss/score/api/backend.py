"""One model behind a server with OpenAI's chat completions."""

import logging
from collections.abc import Iterator, Sequence

from isogloss.config.schema import OpenAIModel
from isogloss.errors import ModelError
from isogloss.models.served import served_identity
from isogloss.score.answers import AnswerSet
from isogloss.score.api.background import found_by
from isogloss.score.api.job import Backoff, Job
from isogloss.score.api.payload import ApiRequest, not_taken, scored_request, written_request
from isogloss.score.api.tally import Meter, Tally, estimate
from isogloss.score.api.transport import read_key
from isogloss.score.backend import Batch, Estimate, ScoreTask, WriteTask
from isogloss.score.prompts import Message, Prompt

_logger = logging.getLogger("isogloss")


class ApiBackend:
    """Asks a server; see `isogloss.score.backend.Backend`.

    Nothing is sent, and no key is needed, before an answer is asked for. A request that fails in
    passing is repeated; `ModelError` ends everything when the server cannot be asked any more.
    """

    def __init__(self, name: str, config: OpenAIModel, *, backoff: Backoff | None = None) -> None:
        self._name = name
        self._config = config
        self._backoff = backoff or Backoff()
        self._meter = Meter(config.prices)
        self._digest = served_identity(name, config).digest

    @property
    def digest(self) -> str:
        """SHA-256 of the address, the model's name and version, and what is asked for."""
        return self._digest

    @property
    def begins_replies(self) -> bool:
        """A server writes every reply from its beginning."""
        return False

    @property
    def tally(self) -> Tally:
        """What was sent and received so far."""
        return self._meter.tally

    def estimate(self, tasks: Sequence[ScoreTask | WriteTask]) -> Estimate:
        """Estimate what tasks would take; nothing is sent. Raises `ModelError` as `write` does."""
        self._refuse_unfit(tasks)
        return estimate(self._config, tasks)

    def render(self, messages: Sequence[Message], reply: str) -> Prompt:
        """Return the messages as a prompt. Raises `ModelError` when a reply is begun."""
        if reply:
            raise ModelError(f"model {self._name}: a server's reply cannot be begun for it")
        text = "\n\n".join(f"{message.role}: {message.content}" for message in messages)
        return Prompt(text, messages=tuple(messages))

    def fit(self, answers: AnswerSet, reply: str) -> AnswerSet:  # noqa: ARG002
        """Return the answers as they are; a server's reply is read as text."""
        return answers

    def read(self, tasks: Sequence[ScoreTask]) -> Iterator[Batch]:
        """Yield each task's reply, with its answers' probabilities where the server shows them.

        A prompt that the server does not take is yielded as `Failed`.
        """
        return self._sent([scored_request(self._config, i, task) for i, task in enumerate(tasks)])

    def write(self, tasks: Sequence[WriteTask]) -> Iterator[Batch]:
        """Yield the text for each task; a prompt that the server does not take as `Failed`.

        Raises `ModelError` before anything is sent when a text is to be drawn in a way that a model
        which thinks first does not take.
        """
        self._refuse_unfit(tasks)
        return self._sent([written_request(self._config, i, task) for i, task in enumerate(tasks)])

    def _refuse_unfit(self, tasks: Sequence[ScoreTask | WriteTask]) -> None:
        unfit = next(filter(None, (not_taken(self._config, task) for task in tasks)), None)
        if unfit is not None:
            raise ModelError(
                f"model {self._name}: a text is asked for with {unfit}, which a model with "
                "reasoning: true does not take; put this question to another model"
            )

    def _sent(self, requests: Sequence[ApiRequest]) -> Iterator[Batch]:
        if not requests:
            return
        job = Job(
            self._name,
            self._config,
            requests,
            key=read_key(self._name, self._config),
            meter=self._meter,
            backoff=self._backoff,
        )
        try:
            for found in found_by(job.run):
                yield [found]
        finally:
            _logger.info("model %s: %s so far", self._name, self.tally.sentence())
