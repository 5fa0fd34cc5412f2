"""What a rule returns: the new text, and every place that it changed."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Span:
    """One place that a rule changed."""

    start: int
    """Offset of the first changed character in the new text."""
    end: int
    """Offset behind the last changed character in the new text."""
    before: str
    """What stood there."""
    after: str
    """What stands there now."""
    device: str
    """Device of the guise that the change brings in, or takes out."""


@dataclass(frozen=True)
class Rewriting:
    """A text as a rule left it."""

    text: str
    """The new text."""
    spans: tuple[Span, ...]
    """The changes, from left to right; they never overlap."""

    def undone(self) -> str:
        """Return the text as it was before the rule."""
        text = self.text
        for span in reversed(self.spans):
            text = text[: span.start] + span.before + text[span.end :]
        return text


@dataclass(frozen=True)
class Edit:
    """A change that a rule proposes; a position without width (`start == end`) is an insertion."""

    start: int
    """Offset of the first character to replace, in the text as it is."""
    end: int
    """Offset behind the last character to replace."""
    after: str
    """What is to stand there."""
    device: str
    """Device of the guise."""

    def moved(self, by: int) -> "Edit":
        """Return the same edit in a text in which it stands `by` characters further on."""
        return Edit(self.start + by, self.end + by, self.after, self.device)


Region = tuple[int, int]
"""Start and end of a stretch of text, half open."""


class Rule(Protocol):
    """A rule that rewrites a text in the same way every time."""

    @property
    def name(self) -> str:
        """Name of the rule in `RULES`."""
        ...

    @property
    def sources(self) -> tuple[str, ...]:
        """Publications that describe what the rule does; `docs/rules.md` lists them."""
        ...

    def __call__(self, text: str, seed: int = 0) -> Rewriting:
        """Return the text with the rule applied wherever its conditions hold."""
        ...


def rewrite(text: str, edits: Iterable[Edit]) -> Rewriting:
    """Apply edits that do not overlap, with apostrophes as the text writes them."""
    apostrophe = "\u2019" if "\u2019" in text and "'" not in text else "'"
    parts, spans, position, length = [], [], 0, 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        kept = text[position : edit.start]
        after = edit.after.replace("'", apostrophe)
        start = length + len(kept)
        length = start + len(after)
        before = text[edit.start : edit.end]
        spans.append(Span(start, length, before, after, edit.device))
        parts += [kept, after]
        position = edit.end
    return Rewriting("".join([*parts, text[position:]]), tuple(spans))


def compatible(edits: Iterable[Edit], protected: Sequence[Region]) -> list[Edit]:
    """Return the edits that can stand together, earlier ones of the argument first.

    Left out are edits that reach into a protected region (regions are sorted and apart) and edits
    that touch one taken before them.
    """
    taken: list[Edit] = []
    spans: list[Region] = []
    for edit in edits:
        i = bisect_left(spans, (edit.start, edit.end))
        apart = (i == 0 or spans[i - 1][1] < edit.start) and (
            i == len(spans) or edit.end < spans[i][0]
        )
        if apart and not _reaches(edit, protected):
            spans.insert(i, (edit.start, edit.end))
            taken.append(edit)
    return taken


def _reaches(edit: Edit, regions: Sequence[Region]) -> bool:
    """Tell whether an edit changes a region, or is put inside it."""
    i = max(bisect_left(regions, (edit.start, edit.start)) - 1, 0)
    for start, end in regions[i:]:
        if start >= edit.end:
            return False
        if edit.start < end and (edit.start < edit.end or start < edit.start):
            return True
    return False
