"""Read an answer out of a reply in words: the answer, or the status that there is none."""

import re
from collections.abc import Sequence

from isogloss.score.amounts import parse_number
from isogloss.score.answers import AnswerSet
from isogloss.score.labels import MARKS, Names, parse_label
from isogloss.score.parsed import Parsed, malformed
from isogloss.score.refusals import refusal
from isogloss.score.structured import read_field, read_integer

__all__ = [
    "DECISIONS",
    "Parsed",
    "parse_answer",
    "parse_decision",
    "parse_label",
    "parse_number",
    "parse_rating",
]

DECISIONS = ("advance", "advance with reservations", "do not advance")
"""Outcomes of an interview."""

_NUMBERED = re.compile(r"\W{0,6}\d")
_CLOSED = r"[)\]}\"'*_`]*+"
_OUT_OF = rf"(?:[^\S\n]*(?:/|out[^\S\n]+of\b)[^\S\n]*(?P<top>[0-9]+){_CLOSED})?+"
_NUMBER = rf"[\s\"'*_`(\[{{]*+(?P<value>[0-9][0-9.,]*+){_CLOSED}{_OUT_OF}"
_GOES_ON = r"[^\S\n]*(?:[-–—‑−/|+&:]?[^\S\n]*\d|(?:or|and|to|of|percent)\b)|[^\n.;]*\bout\s+of\b"
_LONE = re.compile(rf"{_NUMBER}(?=[\s.,;:!?]|$)(?!{_GOES_ON})", re.IGNORECASE)
_BARE = re.compile(rf"{_NUMBER}[.!]?\s*", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s|\n")
_LINE = re.compile(r"[\s\"'*_`]*(?P<value>0|[1-9][0-9]{0,2})[\s\"'*_`]*")
_WHOLE = re.compile(r"0|[1-9][0-9]*")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")


def parse_answer(text: str, answers: AnswerSet, *, finish: str = "stop") -> Parsed[str]:
    """Return the label that a reply gives, or what kind of reply it is instead.

    `text` is the whole reply, the part that was begun for the model included. The last well-formed
    answer counts. A JSON field is read by `read_integer` or `read_field`, a scale of whole numbers
    by `parse_rating`, other labels by `parse_label`; the words that mark the answer are those
    that end the reply prefix (`Decision:`). A reply without an answer is a refusal, its reason
    the class, where `refusal` finds it to be one; otherwise it is malformed.

    `finish` is `Reply.finish`. In a reply that the limit cut off (`length`) an answer counts where
    it comes first and is whole (see `_read_cut`), for a later one may stand for a part of what was
    to be judged. A reply that the server held back (`content_filter`, `refusal`) is a refusal.
    """
    if finish in ("content_filter", "refusal"):
        return Parsed(None, "refusal", finish)
    parsed = _read_cut(text, answers) if finish == "length" else _read(text, answers)
    kind = refusal(text) if parsed.status == "malformed" else None
    return parsed if kind is None else Parsed(None, "refusal", kind)


def _read_cut(text: str, answers: AnswerSet) -> Parsed[str]:
    """The answer that the reply, its first sentence or line, and all but its last word agree on.

    A JSON object shows by itself whether it is whole.
    """
    whole = _read(text, answers)
    if answers.json_field is not None or whole.status != "ok":
        return whole
    first = _SENTENCE.split(text.lstrip(), maxsplit=1)[0]
    shorter = text.rstrip()[: -len(text.split()[-1])]
    if any(_read(part, answers).value != whole.value for part in (first, shorter)):
        return malformed("cut off before a whole answer", text.strip())
    return whole


def _read(text: str, answers: AnswerSet) -> Parsed[str]:
    names = Names.of(answers.labels, answers.variants)
    scale = _scale(answers)
    if answers.json_field is not None:
        return _in_json(text, answers.json_field, scale, names)
    mark = mark_of(answers.reply_prefix)
    if scale is not None and min(scale) >= 0:
        rating = parse_rating(text, min(scale), max(scale), mark=mark)
        return _labelled(rating, names)
    return parse_label(text, names, marks=MARKS if mark is None else (mark,))


def _scale(answers: AnswerSet) -> list[int] | None:
    """Labels as whole numbers, where all are."""
    if not answers.numeric or not all(map(_INTEGER.fullmatch, answers.labels)):
        return None
    return [int(label) for label in answers.labels]


def _in_json(text: str, field: str, scale: Sequence[int] | None, names: Names) -> Parsed[str]:
    if scale is not None:
        return _labelled(read_integer(text, field, min(scale), max(scale)), names)
    found = read_field(text, field)
    if found.status != "ok":
        return Parsed(None, found.status, found.reason)
    label = names.label(found.value) if isinstance(found.value, str) else None
    return malformed("not an answer", found.value) if label is None else Parsed(label, "ok")


def _labelled(number: Parsed[int], names: Names) -> Parsed[str]:
    if number.value is None:
        return Parsed(None, number.status, number.reason)
    label = names.label(str(number.value))
    return malformed("not on the scale", number.value) if label is None else Parsed(label, "ok")


def mark_of(reply_prefix: str) -> str | None:
    """Return the words before the colon (or `=`) that ends a reply prefix; None without one."""
    last = reply_prefix.rstrip().rpartition("\n")[2].rstrip("*_` ")
    words = last[:-1].strip(" *_`\"'{") if last.endswith((":", "=")) else ""
    return words or None


def parse_rating(text: str, low: int, high: int, *, mark: str | None = None) -> Parsed[int]:
    """Return the whole number from `low` to `high` that a reply gives.

    A reply that is nothing but a number is that number; otherwise the last number after `Rating:`
    or `Score:` (or `mark` and a colon) counts, and an echoed scale (`<1-5>`, `1 to 5`,
    `1/2/3/4/5`) does not; without any, a first line that is nothing but a number counts.
    Brackets, quotes and marks around the number are disregarded, and so is what follows it as a
    clause of its own. `4/5` and `4 out of 5` are 4 where the scale ends at 5. Malformed are: a
    number outside the scale, a decimal (`3.5`, but also `3.0`), a sign or comparison, any other
    fraction (`4/10`), two numbers (`3 or 4`, `3-4`), a unit (`4%`), a leading zero, no number.
    Nothing is clipped, rounded or stripped to its digits.
    """
    bare = _BARE.fullmatch(text)
    if bare:
        return _on_scale(bare, low, high)
    for begun in reversed(list(_mark(mark).finditer(text))):
        said = text[begun.end() :]
        if _NUMBERED.match(said) and not _is_scale(said, low, high):
            lone = _LONE.match(said)
            return _on_scale(lone, low, high) if lone else malformed("not one number", said.strip())
    return _first_line(text, low, high)


def _mark(words: str | None) -> re.Pattern[str]:
    own = "" if words is None else r"|" + r"\s+".join(map(re.escape, words.split()))
    return re.compile(rf"(?<![^\W_])(?:rating|score{own})\W{{0,4}}?[:=]", re.IGNORECASE)


def _on_scale(number: re.Match[str], low: int, high: int) -> Parsed[int]:
    found = number["value"].rstrip(".,")
    if not _WHOLE.fullmatch(found):
        return malformed("not a whole number", number["value"])
    if not low <= int(found) <= high:
        return malformed(f"not from {low} to {high}", found)
    if number["top"] not in (None, str(high)):
        return malformed(f"not out of {high}", number[0].strip())
    return Parsed(int(found), "ok")


def _is_scale(said: str, low: int, high: int) -> bool:
    """Whether a text begins with the whole scale: its two ends, or each of its numbers."""
    ends = rf"\W*{low}\s*(?:[-–—‑−]|to)\s*{high}\b"
    each = r"\W+(?:or\s+)?".join(str(value) for value in range(low, high + 1))
    return re.match(rf"{ends}|\W*{each}\b", said) is not None


def _first_line(text: str, low: int, high: int) -> Parsed[int]:
    """The number that the first line is, where no other line is another one."""
    lines = [line for line in text.splitlines() if line.strip()]
    given = [int(line["value"]) for line in map(_LINE.fullmatch, lines) if line]
    if not given or not _LINE.fullmatch(lines[0]) or len(set(given)) > 1:
        return malformed("no number that is the answer", text.strip())
    if not low <= given[0] <= high:
        return malformed(f"not from {low} to {high}", given[0])
    return Parsed(given[0], "ok")


def parse_decision(text: str, options: Sequence[str] = DECISIONS) -> Parsed[str]:
    """Return the option that a reply names, after `Result:` or `Decision:`; see `parse_label`."""
    return parse_label(text, Names.of(options), marks=("result", "decision"))
