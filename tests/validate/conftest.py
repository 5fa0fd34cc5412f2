"""What the tests of validation measure with: the project's own words, and a simple encoder."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from isogloss.config.thresholds import Thresholds
from isogloss.guises.definition import GuiseDefinition, load_guises
from isogloss.validate.comparison import Comparison
from isogloss.validate.instruments import Instruments, load_instruments
from isogloss.validate.records import Pair

Compare = Callable[..., Comparison]


def encode_letters(texts: Sequence[str]) -> npt.NDArray[np.float64]:
    """Encode a text as the counts of its letters."""
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    return np.array([[text.lower().count(letter) for letter in letters] for text in texts], float)


@pytest.fixture(scope="session")
def guises(project: Path) -> dict[str, GuiseDefinition]:
    """The project's guises."""
    return load_guises(project / "data" / "guises")


@pytest.fixture(scope="session")
def instruments(guises: dict[str, GuiseDefinition], project: Path) -> Instruments:
    """Everything that checks measure with; texts are encoded by their letters."""
    return load_instruments(guises, project, encode_letters)


@pytest.fixture
def compare(guises: dict[str, GuiseDefinition]) -> Compare:
    """Return the maker of a comparison of `soft`, hedged, with `plain`."""

    def made(definition: str | None = "hedged", **changes: Any) -> Comparison:
        thresholds = Thresholds(**changes.pop("thresholds", {}))
        usual = Comparison(
            name="soft - plain",
            guise="soft",
            reference="plain",
            definition=None if definition is None else guises[definition],
            counter=None,
            thresholds=thresholds,
        )
        return replace(usual, **changes)

    return made


@pytest.fixture
def pair() -> Callable[..., Pair]:
    """Return the maker of a pair of `soft` and `plain`."""

    def made(guise: str, reference: str | None = None, question: str = "", **more: Any) -> Pair:
        return Pair(
            item_id="7",
            contrast="soft - plain",
            guise="soft",
            guise_text=guise,
            reference=None if reference is None else "plain",
            reference_text=reference,
            context={"question": question} if question else {},
            **more,
        )

    return made
