"""Responses behind rows of a study with personas."""

from pathlib import Path

import pytest

from isogloss.analysis.plan import (
    AnalysisPlan,
    CrossedFamily,
    PersonaDesign,
    PersonaFamily,
    write_plan,
)
from isogloss.score.responses import Response, write_responses
from isogloss.studies.base import Contrast
from isogloss.trace.responses import responses_behind

RESPONSES = "data/responses/shop/set/m1.parquet"
SINGLE, CROSSED = ("nobody", "tall", "short"), ("tall, left", "tall, right", "short, left")
DESIGN = PersonaDesign(
    roles=("buyer",),
    unspecified="nobody",
    families=(PersonaFamily("height", ("tall", "short"), "short"),),
    crossed=(
        CrossedFamily(
            "height x side",
            ("tall", "short"),
            ("left", "right"),
            tuple((*name.split(", "), name) for name in CROSSED),  # type: ignore[misc]
        ),
    ),
)
ROW = {"study": "shop", "item_set": "set", "model": "m1", "condition": "plain", "mode": "direct"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    plan = AnalysisPlan(
        contrasts=(Contrast("red - blue", "red", "blue"),),
        conditions=("plain",),
        baseline="plain",
        smallest_effect=0.1,
        seed=1,
        personas=DESIGN,
    )
    write_plan(plan, folder / "data/results/shop/plan.json")
    rows = [
        Response(
            **ROW,
            item_id=item,
            guise=guise,
            persona=persona,
            task="buyer",
            outcome="ok",
            expected=3.0,
            modal="3",
        )
        for item in ("i1", "i2")
        for guise in ("red", "blue")
        for persona in (*SINGLE, *CROSSED)
    ]
    (folder / RESPONSES).parent.mkdir(parents=True)
    write_responses(rows, folder / RESPONSES)
    return folder


@pytest.mark.parametrize(
    ("table", "row", "personas", "guises"),
    [
        (
            "paper_tests",
            {
                "comparison": "persona",
                "contrast": "tall - short",
                "persona": "tall",
                "reference": "short",
                "guise": "red",
            },
            ("tall", "short"),
            ("red",),
        ),
        (
            "paper_tests",
            {
                "comparison": "language",
                "contrast": "red - blue",
                "persona": "tall",
                "reference": "blue",
                "guise": "red",
            },
            ("tall",),
            ("red", "blue"),
        ),
        (
            "persona_gaps",
            {"persona": "tall", "reference": "short", "guise": "red"},
            ("tall", "short"),
            ("red",),
        ),
        (
            "increments",
            {
                "contrast": "red - blue",
                "persona": "tall",
                "baseline_kind": "unspecified",
                "baseline": "nobody",
            },
            ("tall", "nobody"),
            ("red", "blue"),
        ),
        (
            "interaction_means",
            {"persona_family": "height x side", "guise": "red", "outer": "tall"},
            ("tall, left", "tall, right"),
            ("red",),
        ),
        ("interaction", {"persona_family": "height x side", "guise": "red"}, CROSSED, ("red",)),
        (
            "mixed_fits",
            {"persona_family": "height", "fit": "line"},
            ("nobody", "tall", "short"),
            ("red", "blue"),
        ),
    ],
)
def test_a_row_has_the_responses_of_the_personas_that_it_compares(
    project: Path, table: str, row: dict, personas: tuple[str, ...], guises: tuple[str, ...]
) -> None:
    file = f"data/results/shop/{table}.csv"
    (found,) = responses_behind(file, {**ROW, **row}, [RESPONSES], project)
    assert {one.persona for one in found.asked} == set(personas)
    assert found.guises == {guise: 2 * len(personas) for guise in guises}
