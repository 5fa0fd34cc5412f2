"""Differences between what a page should show and what it shows, each with its place."""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from isogloss.report.check.pictures import is_file
from isogloss.report.check.shown import Cell, Figure, Passage, Shown, Table, Token, Word
from isogloss.report.check.source import Expected

_NUMBERED = re.compile(r"(?:Table|Figure)\s(?P<number>\d+)[.:]?")
_DIGITS = re.compile(r"\d+")

T = TypeVar("T")


@dataclass(frozen=True)
class Difference:
    """Something on a page that is not as it should be."""

    place: str
    """Where it is, in words."""
    expected: str | None = None
    """What should stand there; none for what should not be there at all."""
    found: str | None = None
    """What stands there; none for what is missing."""


def differences(
    expected: Expected,
    found: Shown,
    reports: Path,
    allowed: Iterable[str],
    *,
    same_pandoc: bool = False,
) -> Iterator[Difference]:
    """Yield what differs: text, tables, figures, references and frame.

    `reports` is the folder of pages, to which the names of figures are relative. `allowed` are
    texts whose numbers may stand in the frame and among the references. With `same_pandoc`, the
    page was made by the pandoc at hand: its references are the same number by number, and its
    sentences, captions and alternative texts word by word.
    """
    wanted = expected.shown
    yield from _passages(wanted.prose, found.prose, "text", words=same_pandoc)
    yield from _tables(expected, found, words=same_pandoc)
    yield from _figures(expected, found, reports, words=same_pandoc)
    known = {run for text in allowed for run in _DIGITS.findall(text)}
    headings = (words for _, words in wanted.prose.headings)
    sections = expected.labels.sections.values()
    own = (wanted.references.text, wanted.frame.text, *headings, *sections)
    known |= {run for text in own for run in _DIGITS.findall(text)}
    if same_pandoc:
        yield from _passages(wanted.references, found.references, "references")
    else:
        yield from _strangers(found.references, known, "references")
    yield from _frame(wanted.frame, found.frame, known, words=same_pandoc)


def _frame(
    expected: Passage, found: Passage, known: set[str], *, words: bool
) -> Iterator[Difference]:
    strangers = list(_strangers(found, known, "frame of the page"))
    yield from strangers
    heading = expected.text.strip()
    if words and not strangers and heading not in found.text:
        yield Difference("title and description", heading, found.text[: len(heading)])


def _tables(expected: Expected, found: Shown, *, words: bool) -> Iterator[Difference]:
    for label, table in expected.shown.tables.items():
        if label not in found.tables:
            yield Difference(f"{label}: the table is missing", expected=_row(table.rows[0]))
            continue
        yield from _rows(table, found.tables[label], label)
        yield from _captions(table, found.tables[label], label, expected, words=words)
    for label, table in found.tables.items():
        if label not in expected.shown.tables:
            shown = _row(table.rows[0]) if table.rows else ""
            yield Difference(f"{label}: a table that the source does not have", found=shown)


def _rows(expected: Table, found: Table, label: str) -> Iterator[Difference]:
    header = [cell.text for cell in expected.rows[0]] if expected.rows else []
    for place, wanted, shown in _unequal(expected.rows, found.rows, key=lambda row: row):
        for step, (one, other) in enumerate(zip_longest(wanted, shown)):
            yield from _one_row(one, other, header, f"{label}, {_row_name(place + step)}")


def _unequal(
    expected: Sequence[T], found: Sequence[T], key: Callable[[T], Hashable]
) -> Iterator[tuple[int, Sequence[T], Sequence[T]]]:
    """Align two sequences, and yield the stretches that differ: place, expected and found.

    The place counts in `expected`. One of the stretches is empty where the other has no
    counterpart.
    """
    wanted, shown = [key(one) for one in expected], [key(one) for one in found]
    steps = SequenceMatcher(None, wanted, shown, autojunk=False).get_opcodes()
    for kind, low, high, first, last in steps:
        if kind != "equal":
            yield low, expected[low:high], found[first:last]


def _row_name(place: int) -> str:
    return f"row {place}" if place else "header"


def _one_row(
    wanted: Sequence[Cell] | None, shown: Sequence[Cell] | None, header: Sequence[str], place: str
) -> Iterator[Difference]:
    if wanted is None or shown is None or len(wanted) != len(shown):
        missing = "is missing" if shown is None else "differs" if wanted else "should not be there"
        yield Difference(f"{place} {missing}", _row(wanted), _row(shown))
        return
    for column, (one, other) in enumerate(zip(wanted, shown, strict=True)):
        where = f"{place}, column {header[column] or column + 1!r}"
        if one.text != other.text:
            yield Difference(where, one.text, other.text)
        elif one.cited != other.cited:
            yield Difference(f"{where}: source", _cited(one), _cited(other))


def _row(cells: Sequence[Cell] | None) -> str | None:
    return None if cells is None else " | ".join(cell.text for cell in cells)


def _cited(cell: Cell) -> str:
    return "; ".join(f"{text} from {title}" for text, title in cell.cited) or "none"


def _figures(
    expected: Expected, found: Shown, reports: Path, *, words: bool
) -> Iterator[Difference]:
    names = {figure.image for figure in expected.shown.figures.values()}
    for label, figure in expected.shown.figures.items():
        if label not in found.figures:
            yield Difference(f"{label}: the figure is missing", expected=figure.image)
            continue
        shown = found.figures[label]
        if not is_file(shown.image, reports / figure.image):
            others = (name for name in sorted(names) if is_file(shown.image, reports / name))
            other = next(others, "an image that is no figure of this page")
            yield Difference(f"{label}: another image", figure.image, other)
        yield from _captions(figure, shown, label, expected, words=words)
        place = f"{label}, alternative text"
        yield from _passages(figure.alternative, shown.alternative, place, words=words)
    for label in found.figures:
        if label not in expected.shown.figures:
            yield Difference(f"{label}: a figure that the source does not have", found=label)


def _captions(
    wanted: Table | Figure,
    shown: Table | Figure,
    label: str,
    expected: Expected,
    *,
    words: bool,
) -> Iterator[Difference]:
    """Compare captions; the renderer begins them with `Table 1` or `Figure 1`."""
    found, number = shown.caption, expected.labels.numbers.get(label)
    match = _NUMBERED.match(found.text)
    if match and found.tokens and found.tokens[0].start == match.start("number"):
        if number is not None and found.tokens[0].text != number:
            yield Difference(f"{label}, number", number, found.tokens[0].text)
        found = _after(found, match.end())
    yield from _passages(wanted.caption, found, f"{label}, caption", words=words)


def _after(passage: Passage, place: int) -> Passage:
    """Return a passage whose numbers and words are those behind a place, in the whole text."""
    return replace(
        passage,
        tokens=tuple(token for token in passage.tokens if token.start >= place),
        begins=place,
    )


def _passages(
    expected: Passage, found: Passage, place: str, *, words: bool = False
) -> Iterator[Difference]:
    """Compare two texts number by number, in order; and word by word, if asked."""
    items = expected.items(words=words), found.items(words=words)
    for _, wanted, shown in _unequal(*items, key=lambda item: item.key):
        numbers = [[one for one in part if isinstance(one, Token)] for part in (wanted, shown)]
        if any(numbers):
            for one, other in zip_longest(*numbers):
                yield _number(one, other, expected, found, place)
        else:
            yield _wording(wanted, shown, expected, found, place)


def _wording(
    wanted: Sequence[Word | Token],
    shown: Sequence[Word | Token],
    expected: Passage,
    found: Passage,
    place: str,
) -> Difference:
    """Name words that differ where the numbers around them do not."""
    passage, one = (found, shown[0]) if shown else (expected, wanted[0])
    section = passage.section(one)
    where = f"{place}, section {section!r}" if section else place
    missing = "" if shown else " is missing"
    return Difference(
        f"{where}: {passage.context(one)!r}{missing}", _joined(wanted), _joined(shown)
    )


def _joined(words: Sequence[Word | Token]) -> str | None:
    return " ".join(word.text for word in words) or None


def _number(
    wanted: Token | None, shown: Token | None, expected: Passage, found: Passage, place: str
) -> Difference:
    passage, token = (found, shown) if shown is not None else (expected, wanted)
    assert token is not None
    section = passage.section(token)
    where = f"{place}, section {section!r}" if section else place
    if wanted is not None and shown is not None and wanted.text == shown.text:
        return Difference(
            f"{where}: source of {shown.text}", wanted.source or "none", shown.source or "none"
        )
    missing = " is missing" if shown is None else " that nothing backs" if wanted is None else ""
    return Difference(
        f"{where}: {passage.context(token)!r}{missing}",
        None if wanted is None else wanted.text,
        None if shown is None else shown.text,
    )


def _strangers(found: Passage, known: set[str], place: str) -> Iterator[Difference]:
    """Numbers with digits that may not stand there."""
    for token in found.tokens:
        if not set(_DIGITS.findall(token.text)) <= known:
            yield Difference(f"{place}: {found.context(token)!r}", found=token.text)
