"""A plan of a persona design whose names no module knows."""

import pytest

from isogloss.analysis.plan import AnalysisPlan, CrossedFamily, PersonaDesign, PersonaFamily
from isogloss.studies.base import Contrast

CELLS = tuple(
    (place, size, f"{place}, {size}")
    for place in ("north", "east", "south")
    for size in ("tall", "short")
)


@pytest.fixture
def plan() -> AnalysisPlan:
    """Two guises, two roles, a family of two, a family of three, and both crossed."""
    return AnalysisPlan(
        contrasts=(Contrast("red - blue", "red", "blue"),),
        conditions=("full", "title"),
        baseline="full",
        smallest_effect=0.5,
        seed=7,
        scale=tuple(range(1, 11)),
        personas=PersonaDesign(
            roles=("judge", "player"),
            unspecified="anyone",
            families=(
                PersonaFamily("size", ("tall", "short"), "short"),
                PersonaFamily("place", ("north", "east", "south"), "north"),
            ),
            crossed=(
                CrossedFamily("place x size", ("north", "east", "south"), ("tall", "short"), CELLS),
            ),
        ),
    )
