"""Adjustment of p-values within named families of tests."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from isogloss.stats.tests import Adjustment, adjust


@dataclass(frozen=True)
class Adjusted:
    """An adjusted p-value with the family it was adjusted in."""

    p_adjusted: float
    family: str
    """What the tests of the family have in common."""
    family_size: int
    """Tests in the family, those without a p-value included."""


def adjust_within(
    families: Sequence[str], p_values: Sequence[float], method: Adjustment
) -> list[Adjusted]:
    """Adjust each p-value among those of its own family; NaN stays NaN and counts in the size."""
    members: defaultdict[str, list[int]] = defaultdict(list)
    for place, family in enumerate(families):
        members[family].append(place)
    adjusted: dict[int, Adjusted] = {}
    for family, places in members.items():
        values = adjust([p_values[i] for i in places], method, family_size=len(places))
        for i, value in zip(places, values, strict=True):
            adjusted[i] = Adjusted(float(value), family, len(places))
    return [adjusted[i] for i in range(len(families))]


def family_name(*parts: str) -> str:
    """Name a family by what its tests share."""
    return " | ".join(parts)
