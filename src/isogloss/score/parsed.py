"""What reading a reply gives: a value, or the status and reason that there is none."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

T = TypeVar("T")

_SHOWN = 40
"""Characters of a reply that a reason quotes."""


@dataclass(frozen=True)
class Parsed(Generic[T]):
    """What a reply says."""

    value: T | None
    """The value, or None; never a guess."""
    status: Literal["ok", "malformed", "refusal"]
    reason: str | None = None
    """Why there is no value: what is wrong with the reply, or the class of the refusal."""


def malformed(reason: str, said: object = None) -> Parsed[T]:
    """Return a reply without a value; `said` is quoted, its beginning only."""
    if said is None:
        return Parsed(None, "malformed", reason)
    quoted = str(said)
    shown = quoted if len(quoted) <= _SHOWN else quoted[:_SHOWN] + "..."
    return Parsed(None, "malformed", f"{reason}: {shown!r}")
