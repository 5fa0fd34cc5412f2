"""Progress of jobs, whose number is known only when they have begun, and none at all."""

from typing import Self

from isogloss.score.progress import Progress, in_words


class Jobs(Progress):
    """Counts the jobs of a workflow, whose times differ too much for a guess of the time left."""

    def __init__(self, what: str) -> None:
        super().__init__(what, 0, unit="job", bar="{desc}: {n_fmt}/{total_fmt} jobs done")

    def at(self, done: int, total: int) -> None:
        """Say that `done` jobs of `total` are done."""
        self._total = self._bar.total = total
        self.advance(done - self._done)

    def _time(self, elapsed_s: float) -> str:
        so_far = in_words(elapsed_s)
        return f"done in {so_far}" if self._done == self._total else f"{so_far} so far"


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
