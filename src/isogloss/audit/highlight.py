"""A text cut into pieces by the registers that mark them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from isogloss.audit.profile import Match


@dataclass(frozen=True)
class Segment:
    """A stretch of text that the same matches mark from end to end."""

    text: str
    """The characters, as they stand."""
    matches: tuple[Match, ...] = ()
    """Matches that mark it, in the order in which they were given."""

    @property
    def registers(self) -> tuple[str, ...]:
        """Registers of the matches, each once."""
        return tuple(dict.fromkeys(match.register for match in self.matches))


def highlight(text: str, matches: Sequence[Match]) -> list[Segment]:
    """Cut a text at the edges of the matches, which may overlap.

    The segments' texts joined are the text; none is empty. Raises `ValueError` when a match is
    empty or reaches beyond the text.
    """
    for match in matches:
        if not 0 <= match.start < match.end <= len(text):
            raise ValueError(f"a match from {match.start} to {match.end} is not in the text")
    cuts = {0, len(text), *(edge for match in matches for edge in (match.start, match.end))}
    return [
        Segment(text[start:end], _marking(matches, start, end))
        for start, end in pairwise(sorted(cuts))
    ]


def _marking(matches: Sequence[Match], start: int, end: int) -> tuple[Match, ...]:
    return tuple(match for match in matches if match.start <= start and end <= match.end)
