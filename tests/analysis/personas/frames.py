"""Small response tables of a persona design, for hand-computed answers and for simulation."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from isogloss.analysis.personas.tables import persona_tables
from isogloss.analysis.plan import AnalysisPlan
from isogloss.score.responses import Response, read_responses, write_responses

DEFAULTS: dict[str, Any] = {
    "study": "paint",
    "model": "m1",
    "item_set": "walls",
    "task": "judge",
    "condition": "full",
    "mode": "generated",
    "outcome": "ok",
}

ABSENT = "absent"
"""Stands for a response that was never asked for."""

NO_CHECKS = pd.DataFrame(columns=["item_set", "item_id", "contrast", "check", "passed"])
NO_VERDICTS = pd.DataFrame(columns=["item_set", "item_id", "contrast", "valid", "reason"])


def given(
    guise: str, persona: str, values: list[float | str | None], *, prefix: str = "i", **common: Any
) -> list[dict[str, Any]]:
    """Rows of one guise and persona for items i1, i2, ...

    None stands for a malformed response, `ABSENT` for none, another text for an outcome.
    """
    rows: list[dict[str, Any]] = []
    for number, value in enumerate(values, start=1):
        if value == ABSENT:
            continue
        row: dict[str, Any] = {"item_id": f"{prefix}{number}", "guise": guise, "persona": persona}
        if value is None or isinstance(value, str):
            row |= {"outcome": value or "malformed", "reason": "no score"}
        else:
            row |= {"expected": float(value), "modal": f"{round(value)}"}
        rows.append({**row, **common})
    return rows


def make(rows: list[dict[str, Any]], folder: Path) -> pd.DataFrame:
    """Write rows given by what differs from `DEFAULTS` and read them back."""
    path = folder / "responses.parquet"
    write_responses([Response(**{**DEFAULTS, **row}) for row in rows], path)
    return read_responses(path)


def simulated(scores: pd.DataFrame, **common: Any) -> pd.DataFrame:
    """Complete a frame `model, item_id, guise, persona, expected` to a response table."""
    fixed = {
        "interview": pd.array([pd.NA] * len(scores), dtype="Int64"),
        "repeat": 0,
        "valid_pair": True,
        "category": None,
        "answer_mass": np.nan,
        "answers": None,
        "probabilities": None,
        "modal": scores["expected"].round().astype(int).astype(str),
    }
    return scores.assign(**{**DEFAULTS, "model": scores["model"], **fixed, **common})


def tables(responses: pd.DataFrame, plan: AnalysisPlan) -> dict[str, pd.DataFrame]:
    """Every table, of a study whose validation found nothing."""
    return persona_tables(responses, NO_CHECKS, NO_VERDICTS, plan)


def one(frame: pd.DataFrame, **where: object) -> "pd.Series[Any]":
    """The one row with these values."""
    for name, value in where.items():
        frame = frame.loc[frame[name] == value]
    assert len(frame) == 1, f"{len(frame)} rows with {where}"
    return frame.iloc[0]
