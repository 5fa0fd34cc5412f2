"""Small response tables for hand-computed answers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from isogloss.analysis.plan import AnalysisPlan
from isogloss.score.responses import Response, read_responses, write_responses
from isogloss.studies.base import Contrast

DEFAULTS: dict[str, Any] = {
    "study": "colours",
    "model": "m1",
    "item_set": "set",
    "condition": "plain",
    "mode": "direct",
    "task": "rating",
    "outcome": "ok",
    "category": "A",
}

Make = Callable[[list[dict[str, Any]]], pd.DataFrame]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write rows given by what differs from `DEFAULTS` and read them back as a response table."""

    def rows(given: list[dict[str, Any]]) -> pd.DataFrame:
        path = tmp_path / "responses.parquet"
        write_responses([Response(**{**DEFAULTS, **row}) for row in given], path)
        return read_responses(path)

    return rows


@pytest.fixture
def plan() -> AnalysisPlan:
    """A plan for a study with two guises, `red` and `blue`, whose names no module knows."""
    return AnalysisPlan(
        contrasts=(Contrast("red - blue", "red", "blue"),),
        conditions=("plain", "helped"),
        baseline="plain",
        smallest_effect=0.5,
        seed=7,
        decisions=("no", "maybe", "yes"),
        draws=200,
    )


def given(guise: str, values: list[float | None], **common: Any) -> list[dict[str, Any]]:
    """Rows of one guise for items i1, i2, ...; None stands for a malformed response."""
    rows: list[dict[str, Any]] = []
    for number, value in enumerate(values, start=1):
        row: dict[str, Any] = {"item_id": f"i{number}", "guise": guise, **common}
        if value is None:
            row |= {"outcome": "malformed", "reason": "no rating"}
        else:
            row |= {"expected": float(value), "modal": str(value)}
        rows.append(row)
    return rows


@pytest.fixture
def rated() -> Callable[..., list[dict[str, Any]]]:
    """Return the maker of rating rows."""
    return given
