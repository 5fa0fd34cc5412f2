"""A small study of ratings, with two guises and two models, for mixed models."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from isogloss.analysis.plan import AnalysisPlan
from isogloss.mixed.model import MixedModel
from isogloss.score.responses import Response
from isogloss.studies.base import Contrast

CELL: dict[str, Any] = {
    "study": "colours",
    "item_set": "set",
    "condition": "plain",
    "mode": "direct",
    "task": "rating",
    "outcome": "ok",
}
SEVERAL, SINGLE = "rating ~ guise * model + (1 | item)", "rating ~ guise + (1 | item)"
MODELS = (
    MixedModel(name="steps", family="ordinal", value="modal", several=SEVERAL, single=SINGLE),
    MixedModel(
        name="line", family="gaussian", value="expected", several=SEVERAL, single=SINGLE, reml=True
    ),
)


@pytest.fixture(scope="session")
def plan() -> AnalysisPlan:
    return AnalysisPlan(
        contrasts=(Contrast("red - blue", "red", "blue"),),
        conditions=("plain", "helped"),
        baseline="plain",
        smallest_effect=0.5,
        seed=7,
    )


def responses(items: int = 40, models: tuple[str, ...] = ("m1", "m2"), seed: int = 5) -> list:
    """Ratings from 1 to 5 of each item in both guises by each model; red is rated lower."""
    rng = np.random.default_rng(seed)
    rows = []
    for model in models:
        for item in range(items):
            level = 1.6 * np.sin(item) + (0.4 if model == "m2" else 0.0)
            for guise in ("red", "blue"):
                eta = level - (1.2 if guise == "red" else 0.0) + rng.logistic()
                rating = 1 + int(np.searchsorted([-1.5, -0.5, 0.5, 1.5], eta))
                rows.append(
                    Response(
                        **CELL,
                        model=model,
                        item_id=f"i{item}",
                        guise=guise,
                        expected=float(1 + 4 * expit(eta)),
                        modal=str(rating),
                    )
                )
    return rows


def table(rows: list[Response]) -> pd.DataFrame:
    return pd.DataFrame([vars(row) for row in rows]).astype({"interview": "Int64"})


@pytest.fixture(scope="session")
def rated() -> pd.DataFrame:
    return table(responses())
