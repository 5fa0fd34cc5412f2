"""Count what a study would ask, without asking it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from isogloss.score.backend import (
    Backend,
    Batch,
    Distribution,
    Estimate,
    Reply,
    ScoreTask,
    WriteTask,
)
from isogloss.score.stand_in import StandIn
from isogloss.score.store import Key, ResponseStore


class DryRun(StandIn):
    """Takes every question, and answers with what decides nothing.

    Questions that depend on earlier answers are put with these in their place: as many of them,
    and about as long.
    """

    def __init__(self, backend: Backend) -> None:
        super().__init__(backend)
        self._tasks: list[ScoreTask | WriteTask] = []

    def read(self, tasks: Sequence[ScoreTask]) -> Iterator[Batch]:
        """Yield for each task a distribution in which every answer is as probable as the next."""
        self._tasks.extend(tasks)
        sizes = [len(task.answers.labels) for task in tasks]
        yield [(i, Distribution((1 / size,) * size)) for i, size in enumerate(sizes)]

    def write(self, tasks: Sequence[WriteTask]) -> Iterator[Batch]:
        """Yield for each task an empty text."""
        self._tasks.extend(tasks)
        yield [(i, Reply("")) for i in range(len(tasks))]

    @property
    def total(self) -> Estimate:
        """The backend's estimate of all that was asked so far."""
        return self._backend.estimate(self._tasks)


class UnchangedStore:
    """Reads a store, and forgets what it is given."""

    def __init__(self, store: ResponseStore) -> None:
        self._store = store

    def get(self, keys: Iterable[Key]) -> dict[Key, dict[str, Any]]:
        """Return what is stored."""
        return self._store.get(keys)

    def put(self, entries: Iterable[tuple[Key, dict[str, Any]]]) -> None:
        """Store nothing."""
