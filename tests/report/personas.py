"""Results of a small study with personas, whose names no module knows."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from isogloss.analysis.personas.tables import persona_tables
from isogloss.analysis.plan import AnalysisPlan, CrossedFamily, PersonaDesign, PersonaFamily
from isogloss.mixed.tables import mixed_tables
from isogloss.report.results import Results
from isogloss.score.responses import Response
from isogloss.studies.base import Contrast

CROSSED = tuple(
    (size, age, f"{size}, {age}") for size in ("tall", "short") for age in ("old", "young")
)
PLAN = AnalysisPlan(
    contrasts=(Contrast("red - blue", "red", "blue"),),
    conditions=("whole", "part"),
    baseline="whole",
    smallest_effect=0.25,
    seed=7,
    scale=tuple(range(1, 11)),
    draws=200,
    personas=PersonaDesign(
        roles=("hat_seller", "buyer"),
        unspecified="anyone",
        families=(PersonaFamily("size", ("tall", "short"), "short"),),
        crossed=(CrossedFamily("size x age", ("tall", "short"), ("old", "young"), CROSSED),),
    ),
)
GAPS = {"anyone": 1.0, "tall": 2.0, "short": 0.5}
"""Factor of each persona on the difference between the guises; 1 for crossed ones."""

DIFFERENCES = (-1.0, -0.9, -1.2, -0.8)
"""Red minus blue, by item."""


def scores(
    model: str, role: str, condition: str, *, prefixes: tuple[str, str] = ("i", "i")
) -> Iterator[Response]:
    """Scores of four items by every persona; items are shared where the prefixes are one."""
    crossed = [cell[2] for cell in CROSSED] if condition == "whole" else []
    for persona in (*GAPS, *crossed):
        for number, difference in enumerate(DIFFERENCES, start=1):
            for guise, prefix in zip(("red", "blue"), prefixes, strict=True):
                moved = GAPS.get(persona, 1.0) * difference if guise == "red" else 0.0
                yield Response(
                    study="hats",
                    model=model,
                    item_set="pairs" if prefixes[0] == prefixes[1] else "loose",
                    item_id=f"{prefix}{number}",
                    guise=guise,
                    persona=persona,
                    condition=condition,
                    mode="direct",
                    task=role,
                    outcome="ok",
                    answer_mass=0.9,
                    # Ties between models would make exact rank tests slow.
                    expected=6.0 + number * (0.125 if model == "m2" else 0.138) + moved,
                    modal="6",
                )


def written(rows: Sequence[Response]) -> Iterator[Response]:
    """The first two items again, in a mode of their own, one number each."""
    for row in rows:
        if row.item_id in ("i1", "i2") and row.condition == "whole":
            change = {"mode": "written", "expected": 5.0, "modal": "5", "answer_mass": None}
            yield Response(**{**vars(row), **change})


def refused(rows: Sequence[Response], persona: str) -> list[Response]:
    """Rows in which nothing is said of a persona."""
    nothing = {"outcome": "refusal", "expected": None, "modal": None}
    return [Response(**{**vars(row), **nothing}) if row.persona == persona else row for row in rows]


def everything(models: Sequence[str]) -> list[Response]:
    """Two item sets, two roles, two conditions, a second mode, and a refused response."""
    rows = [
        row
        for model in models
        for role in ("hat_seller", "buyer")
        for condition in ("whole", "part")
        for prefixes in (("i", "i"), ("r", "b"))
        for row in scores(model, role, condition, prefixes=prefixes)
    ]
    lost = [
        Response(**{**vars(row), "item_id": "i9", "outcome": "refusal", "expected": None})
        for row in rows
        if (row.item_id, row.guise, row.persona, row.condition) == ("i1", "red", "tall", "whole")
    ]
    partners = [
        Response(**{**vars(row), "guise": "blue", "outcome": "ok", "expected": 6.0}) for row in lost
    ]
    return [*rows, *written(rows), *lost, *partners]


def persona_results(
    rows: Sequence[Response], checks: pd.DataFrame, verdicts: pd.DataFrame
) -> Results:
    """Analyse responses as the stages do, and give text as the files give it."""
    columns = list(Response.__dataclass_fields__)
    frame = pd.DataFrame([vars(row) for row in rows], columns=columns)
    frame = frame.astype({"interview": "Int64", "expected": "float64", "valid_pair": "bool"})
    tables: dict[str, Any] = {
        **persona_tables(frame, checks, verdicts, PLAN),
        **mixed_tables(frame, PLAN, []),
    }
    return Results("hats", PLAN, {name: _text(table) for name, table in tables.items()})


def _text(table: pd.DataFrame) -> pd.DataFrame:
    """What is absent from a column of text is the empty text."""
    return table.assign(
        **{c: table[c].fillna("") for c in table if table[c].dtype.kind not in "if"}
    )
