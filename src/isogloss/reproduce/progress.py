"""Progress of jobs, whose number is known only when they have begun, and none at all."""

from typing import Self

from isogloss.score.progress import Progress


class Jobs(Progress):
    """Counts the jobs of a workflow."""

    def __init__(self, what: str) -> None:
        super().__init__(what, 0)
        self._bar.unit = "job"

    def at(self, done: int, total: int) -> None:
        """Say that `done` jobs of `total` are done."""
        self._total = self._bar.total = total
        self.advance(done - self._done)


class Silent(Progress):
    """Says nothing."""

    def __init__(self, what: str, total: int) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def reuse(self, count: int) -> None:
        """Say nothing."""

    def advance(self, count: int) -> None:
        """Say nothing."""
