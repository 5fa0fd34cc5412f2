"""A progress bar with the time left: a live bar on a terminal, plain lines in a log."""

import logging
import sys
import time
from types import TracebackType
from typing import Self

from tqdm import tqdm

from isogloss.terminal import shows_bars

_logger = logging.getLogger("isogloss")
_LINE_EVERY_S = 15.0


class Progress:
    """Counts work done out of a total; what was done before costs nothing now."""

    def __init__(
        self, what: str, total: int, *, unit: str = "answer", bar: str | None = None
    ) -> None:
        """Begin; `bar` is the form of a live bar, where it is not tqdm's own."""
        self._live = shows_bars()
        self._what = what
        self._bar = tqdm(
            total=total,
            desc=what,
            unit=unit,
            bar_format=bar,
            disable=not self._live,
            file=sys.stderr,
        )
        self._done, self._reused, self._total = 0, 0, total
        self._start = self._last_line = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.close()

    def reuse(self, count: int) -> None:
        """Say that `count` more were done before."""
        if count:
            self._done += count
            self._reused += count
            self._bar.update(count)
            _logger.info("%s: %d of %d already stored", self._what, self._reused, self._total)

    def advance(self, count: int) -> None:
        """Say that `count` more are done."""
        self._done += count
        self._bar.update(count)
        now = time.monotonic()
        finished = self._done == self._total
        if not self._live and (finished or now - self._last_line >= _LINE_EVERY_S):
            self._last_line = now
            time_said = self._time(now - self._start)
            _logger.info("%s: %d/%d, %s", self._what, self._done, self._total, time_said)

    def _time(self, elapsed_s: float) -> str:
        """What a line says of the time."""
        return time_left(elapsed_s, self._done - self._reused, self._total - self._done)


def time_left(elapsed_s: float, done: int, open_: int) -> str:
    """Return how long the rest takes at the pace so far, in words."""
    if open_ == 0:
        return f"done in {elapsed_s:.0f} s"
    if done == 0:
        return "time left unknown"
    return f"about {in_words(elapsed_s / done * open_)} left"


def in_words(seconds: float) -> str:
    """Minutes and seconds, or seconds alone."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
