"""A server's limits: what its headers say, and a gate that all requests pass."""

import asyncio
import math
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

LONGEST_WAIT_S = 3600.0
"""A server that asks for a longer wait ends the job instead."""
_KINDS = ("requests", "tokens")
_UNITS = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_PART = re.compile(r"(\d+(?:\.\d+)?)(us|µs|ms|s|m|h|d)")


def seconds_of(duration: str) -> float | None:
    """Read `1s`, `6m0s`, `120ms`, `1h2m3.5s` or a plain number of seconds; None for all else."""
    text = duration.strip().lower()
    with suppress(ValueError):
        value = float(text)
        return value if math.isfinite(value) and value >= 0 else None
    parts = _PART.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        return None
    return sum(float(number) * _UNITS[unit] for number, unit in parts)


def wait_asked_for(headers: Mapping[str, str]) -> float | None:
    """Seconds that `retry-after-ms` or `retry-after` (seconds or a date) asks to wait.

    Without these, the time until a limit that is used up is reset, if it is an hour or less.
    """
    milliseconds = seconds_of(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after", "")
    seconds = seconds_of(asked)
    seconds = _until(asked, headers.get("date", "")) if seconds is None else seconds
    if seconds is not None:
        return seconds
    used_up = [a.reset_s for a in allowances(headers).values() if a.left <= 0]
    return max((s for s in used_up if s <= LONGEST_WAIT_S), default=None)


def _until(date: str, now: str) -> float | None:
    """Seconds up to a date, by the server's own clock where it shows it."""
    try:
        then = parsedate_to_datetime(date).timestamp()
    except (ValueError, OverflowError):
        return None
    try:
        here = parsedate_to_datetime(now).timestamp()
    except (ValueError, OverflowError):
        here = time.time()
    return max(0.0, then - here)


@dataclass(frozen=True)
class Allowance:
    """How much a server still takes, and in how many seconds it takes its full measure again."""

    left: int
    reset_s: float


def allowances(headers: Mapping[str, str]) -> dict[str, Allowance]:
    """Read `x-ratelimit-remaining-*` and `x-ratelimit-reset-*`; a kind without both is left out."""
    found = {}
    for kind in _KINDS:
        left = headers.get(f"x-ratelimit-remaining-{kind}", "").strip()
        reset_s = seconds_of(headers.get(f"x-ratelimit-reset-{kind}", ""))
        if re.fullmatch(r"-?\d{1,15}", left) and reset_s is not None:
            found[kind] = Allowance(int(left), reset_s)
    return found


class Gate:
    """Lets requests pass one after another while the server takes them; belongs to one loop."""

    def __init__(self) -> None:
        self._closed_until = 0.0
        self._left: dict[str, tuple[int, float]] = {}
        self._under_way = dict.fromkeys(_KINDS, 0)
        self._news = asyncio.Event()

    async def enter(self, tokens: int) -> None:
        """Wait until a request of so many tokens may be sent. `leave` must follow."""
        while (wait_s := self._wait_s(tokens)) > 0:
            news = self._news
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await news.wait()
        self._count(1, tokens)

    def leave(self, tokens: int) -> None:
        """Say that a request is over."""
        self._count(-1, -tokens)
        self._tell()

    def close_for(self, seconds: float) -> None:
        """Let nothing pass for so long."""
        self._closed_until = max(self._closed_until, time.monotonic() + seconds)

    def learn(self, headers: Mapping[str, str]) -> None:
        """Take in what a reply's headers say is left."""
        for kind, allowance in allowances(headers).items():
            # Where the wait would be very long, the server's own refusal is left to decide.
            if allowance.reset_s <= LONGEST_WAIT_S:
                self._left[kind] = (allowance.left, time.monotonic() + allowance.reset_s)
            else:
                self._left.pop(kind, None)
        self._tell()

    def _wait_s(self, tokens: int) -> float:
        now = time.monotonic()
        waits = [self._closed_until - now]
        for kind, own in zip(_KINDS, (1, tokens), strict=True):
            left, resets_at = self._left.get(kind, (0, 0.0))
            # Requests under way may not be in the server's count yet.
            if self._under_way[kind] + own > left:
                waits.append(resets_at - now)
        return max(waits)

    def _count(self, requests: int, tokens: int) -> None:
        self._under_way["requests"] += requests
        self._under_way["tokens"] += tokens

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
