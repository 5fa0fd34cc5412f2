"""Fixtures of the guises' tests."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from isogloss.guises.definition import GuiseDefinition, load_guises
from isogloss.guises.measure import Finder, finder_of


@pytest.fixture(scope="session")
def guises(project: Path) -> Mapping[str, GuiseDefinition]:
    """The guises that the project ships, by name."""
    return load_guises(project / "data" / "guises")


@pytest.fixture(scope="session")
def finders(guises: Mapping[str, GuiseDefinition], project: Path) -> Mapping[str, Finder]:
    """What finds their devices, by name."""
    return {name: finder_of(guise, project) for name, guise in guises.items()}
