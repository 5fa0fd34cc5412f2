"""Whether the generated parts are what the result tables give."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

AROUND = 40
"""Characters that are shown on either side of the first difference of a line."""


@dataclass(frozen=True)
class PartDifference:
    """A line of a part that is not as the result tables give it."""

    name: str
    """Name of the part, relative to the folder of pages."""
    line: int
    expected: str | None
    found: str | None


def part_differences(texts: Mapping[str, str], reports: Path) -> Iterator[PartDifference]:
    """Yield, for each part that differs from its text, the first line that does."""
    for name, text in texts.items():
        try:
            written = (reports / name).read_bytes().decode("utf-8", errors="replace")
        except OSError:
            yield PartDifference(name, 0, None, None)
            continue
        if written != text:
            yield _first(name, text.split("\n"), written.split("\n"))


def _first(name: str, expected: list[str], found: list[str]) -> PartDifference:
    pairs = zip(expected, found, strict=False)
    same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(expected), len(found)))
    wanted = expected[same] if same < len(expected) else None
    shown = found[same] if same < len(found) else None
    place = _place(wanted or "", shown or "")
    return PartDifference(name, same + 1, _excerpt(wanted, place), _excerpt(shown, place))


def _place(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _excerpt(line: str | None, place: int) -> str | None:
    if line is None:
        return None
    low, high = max(place - AROUND, 0), place + AROUND
    return f"{'…' if low else ''}{line[low:high]}{'…' if high < len(line) else ''}"
