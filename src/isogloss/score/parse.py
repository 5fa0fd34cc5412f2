"""Read a value out of a reply in words: the value, or the status that there is none."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

T = TypeVar("T")

DECISIONS = ("advance", "advance with reservations", "do not advance")
"""Outcomes of an interview."""

_MARK = re.compile(r"(?<![^\W_])(?:rating|score)\W{0,4}?[:=]", re.IGNORECASE)
_NUMBERED = re.compile(r"\W{0,6}\d")
_NUMBER = r"[\s\"'*_`(\[{]*+(?P<value>[0-9][0-9.,]*+)[)\]}\"'*_`]*+"
_GOES_ON = r"[^\S\n]*(?:[-–—‑−/|+&:]?[^\S\n]*\d|(?:or|and|to|of|percent)\b)|[^\n.;]*\bout\s+of\b"
_LONE = re.compile(rf"{_NUMBER}(?=[\s.,;:!?]|$)(?!{_GOES_ON})", re.IGNORECASE)
_BARE = re.compile(rf"{_NUMBER}[.!]?\s*")
_WHOLE = re.compile(r"0|[1-9][0-9]*")
_RESULT = re.compile(
    r"(?<![^\W_])(?:result|decision)\W{0,4}[:=]\s*(?P<value>[^\n]*)", re.IGNORECASE
)


@dataclass(frozen=True)
class Parsed(Generic[T]):
    """What a reply says."""

    value: T | None
    """The value, or None; never a guess."""
    status: Literal["ok", "malformed"]


def parse_rating(text: str, low: int, high: int) -> Parsed[int]:
    """Return the whole number from `low` to `high` that a reply gives.

    A reply that is nothing but a number is that number; otherwise the last number after `Rating:`
    or `Score:` counts, and an echoed scale (`<1-5>`, `1 to 5`, `1/2/3/4/5`) does not. Brackets,
    quotes and marks around the number are disregarded, and so is what follows it as a clause of
    its own. Malformed are: a number outside the scale, a decimal (`3.5`, but also `3.0`), a sign
    or comparison, a fraction (`4/5`, `4 out of 5`), two numbers (`3 or 4`, `3-4`), a unit (`4%`),
    a leading zero, no number. Nothing is clipped, rounded or stripped to its digits.
    """
    bare = _BARE.fullmatch(text)
    if bare:
        return _on_scale(bare["value"], low, high)
    for mark in reversed(list(_MARK.finditer(text))):
        said = text[mark.end() :]
        if _NUMBERED.match(said) and not _is_scale(said, low, high):
            lone = _LONE.match(said)
            return _on_scale(lone["value"] if lone else "", low, high)
    return Parsed(None, "malformed")


def _on_scale(written: str, low: int, high: int) -> Parsed[int]:
    found = written.rstrip(".,")
    if not _WHOLE.fullmatch(found) or not low <= int(found) <= high:
        return Parsed(None, "malformed")
    return Parsed(int(found), "ok")


def _is_scale(said: str, low: int, high: int) -> bool:
    """Whether a text begins with the whole scale: its two ends, or each of its numbers."""
    ends = rf"\W*{low}\s*(?:[-–—‑−]|to)\s*{high}\b"
    each = r"\W+(?:or\s+)?".join(str(value) for value in range(low, high + 1))
    return re.match(rf"{ends}|\W*{each}\b", said) is not None


def parse_decision(text: str, options: Sequence[str] = DECISIONS) -> Parsed[str]:
    """Return the option that a reply names.

    The reply, or what stands after its last `Result:` or `Decision:`, must be one of `options`
    once case, surrounding quotes and marks, repeated spaces and the final stop are disregarded.
    """
    marked = _RESULT.findall(text)
    said = re.sub(r"\s+", " ", marked[-1] if marked else text).strip(" \t\"'*_`.!").lower()
    named = {option.lower(): option for option in options}
    return Parsed(named[said], "ok") if said in named else Parsed(None, "malformed")
