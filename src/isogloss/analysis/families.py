"""Adjustment of p-values within named families of tests."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from isogloss.stats.tests import Adjustment, adjust


class InFamily(Protocol):
    """A test that belongs to a family of tests."""

    @property
    def family(self) -> str:
        """What the tests of the family have in common."""

    @property
    def p_value(self) -> float:
        """Not adjusted; NaN where the test could not be made."""


T = TypeVar("T", bound=InFamily)


@dataclass(frozen=True)
class Adjusted:
    """An adjusted p-value with the family it was adjusted in."""

    p_adjusted: float
    family: str
    """What the tests of the family have in common."""
    family_size: int
    """Tests in the family, those without a p-value included."""


def adjusted_tests(tests: Sequence[T], method: Adjustment) -> list[tuple[T, Adjusted]]:
    """Return each test with its p-value adjusted among those of its own family.

    NaN stays NaN and counts in the size of the family.
    """
    members: defaultdict[str, list[int]] = defaultdict(list)
    for place, test in enumerate(tests):
        members[test.family].append(place)
    adjusted: dict[int, Adjusted] = {}
    for family, places in members.items():
        values = adjust([tests[i].p_value for i in places], method, family_size=len(places))
        for i, value in zip(places, values, strict=True):
            adjusted[i] = Adjusted(float(value), family, len(places))
    return [(test, adjusted[i]) for i, test in enumerate(tests)]


def family_name(*parts: str) -> str:
    """Name a family by what its tests share."""
    return " | ".join(parts)
