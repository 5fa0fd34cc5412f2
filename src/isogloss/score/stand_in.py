"""What stands between those who ask and a backend, and answers in its place."""

from collections.abc import Sequence

from isogloss.score.answers import AnswerSet
from isogloss.score.backend import Backend, Estimate, ScoreTask, WriteTask
from isogloss.score.prompts import Message, Prompt


class StandIn:
    """Passes for a backend in everything but the answers; `read` and `write` are a subclass's."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    @property
    def digest(self) -> str:
        """Digest of the backend, so that what it answered before is found."""
        return self._backend.digest

    @property
    def begins_replies(self) -> bool:
        """As the backend."""
        return self._backend.begins_replies

    def render(self, messages: Sequence[Message], reply: str) -> Prompt:
        """Return the backend's prompt."""
        return self._backend.render(messages, reply)

    def fit(self, answers: AnswerSet, reply: str) -> AnswerSet:
        """As the backend."""
        return self._backend.fit(answers, reply)

    def estimate(self, tasks: Sequence[ScoreTask | WriteTask]) -> Estimate:
        """Return the backend's estimate of some tasks."""
        return self._backend.estimate(tasks)
