"""A backend that gives recorded answers, and asks the model itself only about drawn prompts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import pandas as pd

from isogloss.score.backend import (
    Answer,
    Backend,
    Batch,
    Distribution,
    Failed,
    Reply,
    ScoreTask,
    WriteTask,
)
from isogloss.score.stand_in import StandIn
from isogloss.score.store import Key

UNKNOWN = "\ue000a text that was not asked for again\ue000"
"""Stands for a written text that the recorded table does not hold.

It shows in every later prompt that the text is part of, so that these are known not to be the
recorded ones. The characters around it are for private use: no model writes them.
"""

T = TypeVar("T", ScoreTask, WriteTask)


class RecordedAnswers:
    """What a response table holds of a model's answers, by prompt."""

    def __init__(self, responses: pd.DataFrame) -> None:
        """Read the rows of `responses`, as `isogloss.score.responses.read_responses` gives them."""
        rows = [
            row for row in responses.to_dict("records") if isinstance(row["prompt_sha256"], str)
        ]
        self.prompts = frozenset(row["prompt_sha256"] for row in rows)
        """Prompts that have a row."""
        self._read = {
            (row["prompt_sha256"], tuple(row["answers"])): _distribution(row)
            for row in rows
            if row["answers"] is not None
        }
        self._written = {
            row["prompt_sha256"]: row["text"] for row in rows if isinstance(row["text"], str)
        }

    def reading(self, task: ScoreTask) -> Answer:
        """Return the recorded distribution; where there is none, one in which all is alike."""
        labels = task.answers.labels
        known = self._read.get((task.prompt.sha256, labels))
        return known or Distribution((1 / len(labels),) * len(labels))

    def text(self, task: WriteTask) -> Answer:
        """Return the recorded text, or `UNKNOWN`."""
        return Reply(self._written.get(task.prompt.sha256, UNKNOWN))


class PartlyRecorded(StandIn):
    """Gives recorded answers in place of the backend's, but for a few prompts.

    Asked afresh are the prompts drawn, and those that came up only because of a fresh answer:
    neither drawn nor met before. Every other question gets what is recorded.
    """

    def __init__(
        self,
        backend: Backend,
        recorded: RecordedAnswers,
        *,
        drawn: frozenset[str] = frozenset(),
        met: Iterable[str] | None = None,
        advance: Callable[[int], None] = lambda count: None,  # noqa: ARG005
    ) -> None:
        """Prepare to answer.

        `met` are the prompts of an earlier pass in which nothing was asked; without them, nothing
        but what is drawn is asked. `advance` is told how many more drawn prompts are answered.
        """
        super().__init__(backend)
        self._recorded = recorded
        self._drawn = drawn
        self._before = None if met is None else frozenset(met)
        self._advance = advance
        self.drawable: dict[str, None] = {}
        """Prompts that do not depend on an unknown text, and whose answers can be compared."""
        self.met: dict[str, None] = {}
        """Every prompt, in order."""
        self.unknown: set[str] = set()
        """Prompts that hold a text which is not known."""
        self.asked: set[str] = set()
        """Prompts that were put to the model."""

    def read(self, tasks: Sequence[ScoreTask]) -> Iterator[Batch]:
        """Yield the answer to each task once, the recorded ones first."""
        hashes = self._note(tasks)
        self.drawable |= dict.fromkeys(h for h in hashes if h in self._recorded.prompts)
        return self._answer(tasks, hashes, self._backend.read, self._recorded.reading)

    def write(self, tasks: Sequence[WriteTask]) -> Iterator[Batch]:
        """Yield the text for each task once, the recorded ones first."""
        hashes = self._note(tasks)
        self.drawable |= dict.fromkeys(h for h in hashes if h not in self.unknown)
        return self._answer(tasks, hashes, self._backend.write, self._recorded.text)

    def _note(self, tasks: Sequence[ScoreTask] | Sequence[WriteTask]) -> list[str]:
        prompts = [task.prompt for task in tasks]
        hashes = [prompt.sha256 for prompt in prompts]
        self.met |= dict.fromkeys(hashes)
        self.unknown |= {
            h for h, prompt in zip(hashes, prompts, strict=True) if UNKNOWN in prompt.text
        }
        return hashes

    def _answer(
        self,
        tasks: Sequence[T],
        hashes: Sequence[str],
        ask: Callable[[Sequence[T]], Iterator[Batch]],
        recorded: Callable[[T], Answer],
    ) -> Iterator[Batch]:
        fresh = [i for i, one in enumerate(hashes) if self._is_fresh(one)]
        known = sorted(set(range(len(tasks))) - set(fresh))
        yield [(i, recorded(tasks[i])) for i in known]
        for batch in ask([tasks[i] for i in fresh]) if fresh else ():
            self.asked |= {hashes[fresh[i]] for i, _ in batch}
            self._advance(sum(hashes[fresh[i]] in self._drawn for i, _ in batch))
            yield [(fresh[i], answer) for i, answer in batch]

    def _is_fresh(self, prompt: str) -> bool:
        if prompt in self.unknown:
            return False
        followed = self._before is not None and prompt not in self._before
        return prompt in self._drawn or followed


class Nothing:
    """A store without answers, which forgets what it is given."""

    def get(self, keys: Iterable[Key]) -> dict[Key, dict[str, Any]]:  # noqa: ARG002
        """Return nothing."""
        return {}

    def put(self, entries: Iterable[tuple[Key, dict[str, Any]]]) -> None:
        """Store nothing."""


def _distribution(row: Any) -> Answer:
    """The distribution that gives a row's values when it is read again."""
    if row["outcome"] == "error":
        return Failed(str(row["reason"]))
    count = len(row["answers"])
    shares = [1 / count] * count if row["probabilities"] is None else row["probabilities"]
    mass = float(row["answer_mass"])
    return Distribution(tuple(float(share) * mass for share in shares))
