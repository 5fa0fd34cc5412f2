"""Read a value out of a reply in words: the value, or the status that there is none."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

T = TypeVar("T")

DECISIONS = ("advance", "advance with reservations", "do not advance")
"""Outcomes of an interview."""

_MARKED = re.compile(
    r"(?:rating|score)\W{0,4}[:=]\W{0,4}?(?P<value>[-+]?\d[\d.,]*)(?!\w|\s*[-–]\s*\d)",
    re.IGNORECASE,
)
_BARE = re.compile(r"\W*?(?P<value>[-+]?\d[\d.,]*)\s*[.]?\s*")
_WHOLE = re.compile(r"[-+]?\d+")
_RESULT = re.compile(r"(?:result|decision)\W{0,4}[:=]\s*(?P<value>[^\n]*)", re.IGNORECASE)


@dataclass(frozen=True)
class Parsed(Generic[T]):
    """What a reply says."""

    value: T | None
    """The value, or None; never a guess."""
    status: Literal["ok", "malformed"]


def parse_rating(text: str, low: int, high: int) -> Parsed[int]:
    """Return the whole number from `low` to `high` that a reply gives.

    A reply that is nothing but a number is that number; otherwise the last number after `Rating:`
    or `Score:` counts. A number outside the scale, a decimal that is not whole in writing (`3.5`,
    but also `3.0`), a sign, or no number is malformed: nothing is clipped, rounded or stripped to
    its digits.
    """
    bare = _BARE.fullmatch(text)
    marked = _MARKED.findall(text)
    found = bare["value"] if bare else (marked[-1] if marked else "")
    found = found.rstrip(".,")
    if not _WHOLE.fullmatch(found) or found[0] in "+-" or not low <= int(found) <= high:
        return Parsed(None, "malformed")
    return Parsed(int(found), "ok")


def parse_decision(text: str, options: Sequence[str] = DECISIONS) -> Parsed[str]:
    """Return the option that a reply names.

    The reply, or what stands after its last `Result:` or `Decision:`, must be one of `options`
    once case, surrounding quotes and marks, repeated spaces and the final stop are disregarded.
    """
    marked = _RESULT.findall(text)
    said = re.sub(r"\s+", " ", marked[-1] if marked else text).strip(" \t\"'*_`.!").lower()
    return Parsed(said, "ok") if said in options else Parsed(None, "malformed")
