"""A small study of scores with two roles and personas, for mixed models by persona."""

from typing import Any

import numpy as np
import pandas as pd
from tests.mixed.conftest import table

from isogloss.analysis.plan import AnalysisPlan, CrossedFamily, PersonaDesign, PersonaFamily
from isogloss.mixed.model import MixedModel
from isogloss.score.responses import Response
from isogloss.studies.base import Contrast

NOBODY, TALL, SHORT = "nobody", "tall", "short"
OUTER = ("left", "right")
CROSSED = tuple((hand, height, f"{hand}, {height}") for hand in OUTER for height in (TALL, SHORT))
PERSONAS = (NOBODY, TALL, SHORT)
DESIGN = PersonaDesign(
    roles=("buyer", "seller"),
    unspecified=NOBODY,
    families=(PersonaFamily("height", (TALL, SHORT), SHORT), PersonaFamily("hand", OUTER, "right")),
    crossed=(CrossedFamily("hand x height", OUTER, (TALL, SHORT), CROSSED),),
)
PLAN = AnalysisPlan(
    contrasts=(Contrast("red - blue", "red", "blue"),),
    conditions=("full",),
    baseline="full",
    smallest_effect=0.5,
    seed=7,
    scale=tuple(range(1, 11)),
    personas=DESIGN,
)
SEVERAL = "rating ~ guise * persona + (1 | item/guise) + (1 | model)"
SINGLE = "rating ~ guise * persona + (1 | item/guise)"
STEPS = MixedModel(
    name="steps", family="ordinal", value="modal", several=SEVERAL, single=SINGLE, by="persona"
)
LINE = MixedModel(
    name="line",
    family="gaussian",
    value="expected",
    several=SEVERAL,
    single=SINGLE,
    by="persona",
    reml=True,
)
CUTS = (-2.0, -1.0, 0.0, 1.0, 2.0)
"""Thresholds of the simulated answers, which are 1 to 6."""
EFFECTS = {("red", TALL): -1.5, ("red", SHORT): 0.5}
"""What a guise does for a persona besides what it does for nobody."""
GUISE, PERSONA = -0.8, {NOBODY: 0.0, TALL: 0.3, SHORT: -0.2}


def scores(
    items: int = 30,
    models: tuple[str, ...] = ("m1",),
    *,
    personas: tuple[str, ...] = PERSONAS,
    effects: dict[tuple[str, str], float] = EFFECTS,
    paired: bool = True,
    wording: float = 0.0,
    seed: int = 3,
    **fields: Any,
) -> pd.DataFrame:
    """Answers to each item; those that are not paired have an item of their own in each guise.

    The predictor is made of an item, a model, and what `GUISE`, `PERSONA` and `effects` say;
    `wording` is the standard deviation between wordings beside that. The expected value adds normal
    noise to it, and the modal one is cut from it and logistic noise.
    """
    rng = np.random.default_rng(seed)
    cell = {"study": "shop", "item_set": "set", "condition": "full", "mode": "direct"}
    shared = {**cell, "task": "buyer", "outcome": "ok", **fields}
    of_model = dict(zip(models, rng.normal(0, 0.6, len(models)), strict=True))
    rows = []
    for item in range(items):
        of_item = rng.normal(0, 0.8, 2)
        of_wording = rng.normal(0, wording, 2)
        for place, guise in enumerate(("red", "blue")):
            level = of_item[0 if paired else place] + of_wording[place]
            for model in models:
                for persona in personas:
                    eta = level + of_model[model]
                    eta += GUISE * (guise == "red") + PERSONA.get(persona, 0.0)
                    eta += effects.get((guise, persona), 0.0)
                    answer = 1 + int(np.searchsorted(CUTS, eta + rng.logistic()))
                    row = {
                        "model": model,
                        "item_id": f"i{item}" if paired else f"{guise}{item}",
                        "guise": guise,
                        "persona": persona,
                        "expected": float(5 + eta + rng.normal(0, 0.5)),
                        "modal": str(answer),
                    }
                    rows.append(Response(**{**shared, **row}))
    return table(rows)


def refused(rows: pd.DataFrame, lost: pd.Series) -> pd.DataFrame:
    """The responses, those of `lost` refused."""
    rows = rows.copy()
    rows.loc[lost, ["outcome", "modal", "expected"]] = ["refusal", None, np.nan]
    return rows
