"""Read an answer out of a reply in words: the answer, or the status that there is none."""

import re
from collections.abc import Sequence

from isogloss.score.amounts import parse_number
from isogloss.score.answers import AnswerSet
from isogloss.score.labels import MARKS, Names, parse_label
from isogloss.score.parsed import Parsed, malformed
from isogloss.score.refusals import refusal
from isogloss.score.structured import read_field, read_integer
from isogloss.score.thoughts import without_thoughts

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
_GOES_ON = (
    r"[^\S\n]*+(?:[-–—‑−/|+&:,~]?[^\S\n]*+\d|%|\(?(?:or|and|to|of|percent)\b)"
    r"|[^\n.;]*\bout\s+of\b"
)
_LONE = re.compile(rf"{_NUMBER}(?=[\s.,;:!?]|$)(?!{_GOES_ON})", re.IGNORECASE)
_BARE = re.compile(rf"{_NUMBER}[.!]?\s*", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?<![\d*_`])[*_`]++|(?<=\d)[*_`]++(?!\d)")
"""Marks of emphasis, but for those between two digits, which would join."""
_OTHER_SCALE = re.compile(
    r"[^\n.;]*?(?:(?:\(\s*(?=[^()\n]{1,12}(?:\)|\bscale\b))|\bscale\s+(?:of|from)\s++)"
    r"[01]\s*(?:[-–—‑−]|to)\s*(?P<top>\d{1,4})\b"
    r"|\b(?P<points>\d{1,4})[-\s]point\s+scale\b)",
    re.IGNORECASE,
)
_LIST = re.compile(r"\s*(?P<first>\d{1,3})(?P<after>[.)])[^\S\n]+\S")
_ASIDE = re.compile(
    r"(?<![^\W_])(?:confidence|certainty|max(?:imum)?|min(?:imum)?|highest|lowest|possible)"
    r"[ \t*_]{1,4}\Z",
    re.IGNORECASE,
)
_EXPLAINED = re.compile(
    r"\W{0,6}\d+[^\S\n][^\w\n]{0,3}(?:means|stands\s+for|points?\s+(?:were|was|are|is|lost|off|deducted))\b",
    re.IGNORECASE,
)
_BEFORE = 20
"""Characters before a mark in which words say that it is that of something else."""
_GLOSS = r"[^\S\n]*+(?:\([^)\n]*+\)|=(?:(?!\bto\b)[^,;\n])*+)"
_JOINS = re.compile(r"\W+|ou?t?|o[rf]|to?|an?d?|p\w*", re.IGNORECASE)
"""A word, or the beginning of one, that joins a number to another or to a unit."""
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
    the class, where `refusal` finds it to be one; otherwise it is malformed. Thoughts before the
    reply (`<think>...</think>`) are left out; a reply that ends within them is malformed.

    `finish` is `Reply.finish`. In a reply that the limit cut off (`length`) an answer counts where
    it comes first and is whole (see `_read_cut`), for a later one may stand for a part of what was
    to be judged. A reply that the server held back (`content_filter`, `refusal`) is a refusal.
    """
    if finish in ("content_filter", "refusal"):
        return Parsed(None, "refusal", finish)
    said = without_thoughts(text)
    if said is None:
        return malformed("its thoughts do not end", text.strip())
    parsed = _read_cut(said, answers) if finish == "length" else _read(said, answers)
    kind = refusal(said) if parsed.status == "malformed" else None
    return parsed if kind is None else Parsed(None, "refusal", kind)


def _read_cut(text: str, answers: AnswerSet) -> Parsed[str]:
    """The answer that the reply, its first sentence or line, and all but its last words agree on.

    The last word may be a part of one. Where the first sentence has not ended and the last word
    joins the one before to what would follow (`4 out`), neither counts. A JSON object shows by
    itself whether it is whole.
    """
    whole = _read(text, answers)
    if answers.json_field is not None or whole.status != "ok":
        return whole
    first, *ended = _SENTENCE.split(text.lstrip(), maxsplit=1)
    going_on = not ended and _JOINS.fullmatch(text.split()[-1])
    shorter = _without_last_words(text, 2 if going_on else 1)
    if any(_read(part, answers).value != whole.value for part in (first, shorter)):
        return malformed("cut off before a whole answer", text.strip())
    return whole


def _without_last_words(text: str, number: int) -> str:
    before, *words = text.rsplit(None, number) or [""]
    return before if len(words) == number else ""


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
    or `Score:` (or `mark` and a colon) counts. That of something else (`Confidence score: 5`,
    `Score: 3 points were deducted`) and an echoed scale (`<1-5>`, `1 to 5`, `1/2/3/4/5`,
    `1 (low) to 5 (high)`) do not. Without any, a first line that is nothing but a number counts.
    Brackets, quotes and marks around the number are disregarded, and so is what follows it as a
    clause of its own. `4/5` and `4 out of 5` are 4 where the scale ends at 5. Malformed are: a
    number outside the scale, a decimal (`3.5`, but also `3.0`), a sign or comparison, any other
    fraction or scale (`4/10`, `4 (1-10)`), two numbers (`3 or 4`, `3-4`), a unit (`4%`), the first
    number of a list, a leading zero, no number.
    Nothing is clipped, rounded or stripped to its digits.
    """
    bare = _BARE.fullmatch(text)
    if bare:
        return _on_scale(bare, low, high)
    for begun in reversed(list(_mark(mark).finditer(text))):
        said = text[begun.end() :]
        passed = _ASIDE.search(
            text[max(0, begun.start() - _BEFORE) : begun.start()]
        ) or _EXPLAINED.match(said)
        if _NUMBERED.match(said) and not passed and not _is_scale(said, low, high):
            return _marked(said, low, high)
    return _first_line(text, low, high)


def _mark(words: str | None) -> re.Pattern[str]:
    own = "" if words is None else r"|" + r"\s+".join(map(re.escape, words.split()))
    return re.compile(rf"(?<![^\W_])(?:rating|score{own})\W{{0,4}}?[:=]", re.IGNORECASE)


def _marked(said: str, low: int, high: int) -> Parsed[int]:
    """The number that a text after a mark begins with."""
    plain = _EMPHASIS.sub("", said)
    lone = _LONE.match(plain)
    if lone is None:
        return malformed("not one number", said.strip())
    other = _OTHER_SCALE.match(plain, lone.end())
    if other is not None and int(other["top"] or other["points"]) != high:
        return malformed(f"on another scale than to {high}", said.strip())
    if _begins_a_list(plain):
        return malformed("the first number of a list", said.strip())
    return _on_scale(lone, low, high)


def _begins_a_list(text: str) -> bool:
    """Whether a text begins with a numbered entry that the next numbered line goes on from."""
    first = _LIST.match(text)
    if first is None:
        return False
    entry = rf"^[^\S\n]*(?P<number>\d{{1,3}}){re.escape(first['after'])}\s"
    following = re.compile(entry, re.MULTILINE).search(text, first.end())
    return following is not None and int(following["number"]) == int(first["first"]) + 1


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
    """Whether a text begins with the whole scale: its two ends, or each of its numbers.

    Where words explain each, one end and the other, or its neighbour, are enough.
    """
    ends = rf"\W*{low}\s*(?:[-–—‑−]|to)\s*{high}\b"
    each = r"\W+(?:or\s+)?".join(str(value) for value in range(low, high + 1))
    explained = (
        rf"\W*{first}{_GLOSS}[^\S\n]*"
        rf"(?:to\b\W*{last}\b|(?:to\b|[-–—‑−,;\n])\W*(?:{last}|{next_}){_GLOSS})"
        for first, next_, last in ((low, low + 1, high), (high, high - 1, low))
    )
    return re.match("|".join((ends, rf"\W*{each}\b", *explained)), said) is not None


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
