"""Read which of several labels a reply in words names."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from isogloss.score.parsed import Parsed, malformed
from isogloss.score.refusals import refusal

MARKS = ("result", "decision", "answer")
"""Words that mark an answer when a colon follows."""

_AROUND = " \t\"'*_`.!()[]{}“”‘’"
_OPENED = r"[\s\"'*_`(\[{“‘]*"
_CLOSED = r"[\"'*_`)\]}”’]*"
_BETWEEN = re.compile(r"\s*(?:[/|,]|\bor\b)\s*", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?]\s|\n")


@dataclass(frozen=True)
class Names:
    """The writings of labels; case does not matter unless two labels differ in nothing else."""

    written: Mapping[str, str]
    """Label by its writing, folded and stripped of what may stand around it."""
    any_case: bool

    @classmethod
    def of(cls, labels: Sequence[str], variants: Sequence[Sequence[str]] = ()) -> Self:
        """Return the names of labels: the labels themselves and their variants."""
        pairs = [(label, label) for label in labels]
        pairs += [
            (variant, label)
            for label, own in zip(labels, variants, strict=False)
            for variant in own
        ]
        folded = {(_fold(name, True), label) for name, label in pairs}
        any_case = len({name for name, _ in folded}) == len(folded)
        any_case = any_case and len({_fold(label, True) for label in labels}) == len(labels)
        return cls({_fold(name, any_case): label for name, label in pairs}, any_case)

    def label(self, said: str) -> str | None:
        """Return the label that a text is, quotes, marks and brackets around it aside."""
        return self.written.get(_fold(said, self.any_case))

    @property
    def nested(self) -> bool:
        """Whether one name is the beginning of another."""
        return any(a != b and b.startswith(a) for a in self.written for b in self.written)


def _fold(text: str, any_case: bool) -> str:
    spaced = re.sub(r"\s+", " ", text).strip(_AROUND)
    return spaced.lower() if any_case else spaced


def parse_label(text: str, names: Names, *, marks: Sequence[str] = MARKS) -> Parsed[str]:
    """Return the label that a reply names.

    Case, quotes, brackets and marks around a label, repeated spaces and the final stop do not
    matter. What stands after the last of `marks` and its colon decides; an echoed template there
    (`<yes or no>`, `yes/no`) is passed over. Without a mark the whole reply must be a label, or
    its first or last line, or it begins with one. A label that begins a text must end a sentence
    (`Yes. It is.`), or, where no label is the beginning of another, a clause (`Yes, it is`).
    Malformed are: two labels that differ, a label inside a sentence (`I would advance`), a label
    in a sentence that refuses (`No, I cannot tell you that`), anything else.
    """
    for mark in reversed(list(_mark(marks).finditer(text))):
        said = text[mark.end() :].partition("\n")[0]
        if not _is_template(said, names):
            return _said(said, names)
    lines = [line for line in text.splitlines() if line.strip()]
    whole = names.label(text)
    if whole is not None or not lines:
        return malformed("no answer", text) if whole is None else Parsed(whole, "ok")
    alone = {label for label in map(names.label, lines) if label is not None}
    if len(alone) > 1:
        return malformed("more than one answer", text.strip())
    if alone and (names.label(lines[0]) or names.label(lines[-1])):
        return Parsed(alone.pop(), "ok")
    return _said(text, names)


def _mark(marks: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{_any_of(marks)})\W{{0,4}}[:=]\s*", re.IGNORECASE)


def _is_template(said: str, names: Names) -> bool:
    if re.fullmatch(r"[\s*_`\"']*<[^<>]*>[\s*_`\"'.]*", said):
        return True
    parts = [part for part in _BETWEEN.split(said.strip(_AROUND)) if part]
    return len(parts) > 1 and None not in map(names.label, parts)


def _said(text: str, names: Names) -> Parsed[str]:
    """The label that a text is, or begins with as a sentence or clause of its own."""
    whole = names.label(text)
    if whole is not None:
        return Parsed(whole, "ok")
    begun = _beginning(names).match(text)
    if begun is None or _begins_with_rest(text[begun.end() :], begun[1], names):
        return malformed("no answer", text.strip())
    sentence = _SENTENCE.split(text, maxsplit=1)[0]
    if begun["clause"] and refusal(sentence) is not None:
        return malformed("no answer", text.strip())
    return Parsed(names.label(begun[1]), "ok")


def _beginning(names: Names) -> re.Pattern[str]:
    labels = _any_of(sorted(names.written, key=len, reverse=True))
    clause = r"\s*[;:]" if names.nested else r"\s*[;:,(–—]|\s+-\s"
    flags = re.IGNORECASE if names.any_case else re.NOFLAG
    return re.compile(rf"{_OPENED}({labels}){_CLOSED}(?:\s*[.!\n]|(?P<clause>{clause}))", flags)


def _any_of(texts: Sequence[str]) -> str:
    return "|".join(r"\s+".join(map(re.escape, text.split())) for text in texts)


def _begins_with_rest(after: str, label: str, names: Names) -> bool:
    """Whether what follows is another label, or makes the label a longer one."""
    words = _fold(after, names.any_case).lstrip(" ,;:-–—(.!")
    own = _fold(label, names.any_case)
    rests = (name[len(own) :].strip() for name in names.written if name.startswith(own + " "))
    others = (name for name in names.written if names.written[name] != names.written.get(own))
    return any(re.match(rf"{re.escape(rest)}\b", words) for rest in (*rests, *others))
