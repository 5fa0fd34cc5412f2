from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from tests.analysis.personas.frames import given, make, tables

from isogloss.analysis.files import TABLE_NAMES
from isogloss.analysis.personas.tables import PERSONA_TABLES, persona_tables
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import columns_of, types_of
from isogloss.analysis.tables import read_tables, write_tables
from isogloss.errors import ConfigurationError, ResponseError

CELL = {"study", "model", "item_set", "condition", "mode", "role"}
REASONS = ("reason", "mass_reason")


def test_every_table_has_its_columns_even_without_responses(
    tmp_path: Path, plan: AnalysisPlan
) -> None:
    found = tables(make([], tmp_path), plan)
    assert list(found) == list(PERSONA_TABLES) == list(TABLE_NAMES["personas"])
    for name, frame in found.items():
        assert list(frame.columns) == columns_of(PERSONA_TABLES[name])
        assert name in ("exclusions", "validation_summary") or set(frame.columns) >= CELL


def test_tables_read_back_as_written(tmp_path: Path, plan: AnalysisPlan) -> None:
    personas = ("anyone", "tall", "short", "north, tall", "north, short")
    rows = make(
        [
            row
            for model in ("m1", "m2")
            for guise, last in (("red", None), ("blue", 7))
            for number, persona in enumerate(personas)
            for row in given(guise, persona, [3, 4 + number, 6.5, last], model=model)
        ],
        tmp_path,
    )
    found = tables(rows, plan)
    assert all(len(found[name]) for name in list(found)[:10])
    write_tables(found, tmp_path / "out")
    for name, frame in read_tables(tmp_path / "out", PERSONA_TABLES).items():
        texts = [column for column, kind in types_of(PERSONA_TABLES[name]).items() if kind is str]
        written = found[name].fillna(dict.fromkeys([*texts, *REASONS], ""))
        pd.testing.assert_frame_equal(frame, written[frame.columns], check_dtype=False)


def test_checks_and_verdicts_are_summed_up(tmp_path: Path, plan: AnalysisPlan) -> None:
    verdicts = pd.DataFrame(
        {"item_id": ["i1"], "contrast": ["red - blue"], "valid": [False], "reason": ["a number"]}
    ).assign(item_set="walls")
    checks = verdicts.assign(
        check="numbers", value=2.0, threshold="= 0", passed=False, repaired=False
    )
    found = persona_tables(make([], tmp_path), checks, verdicts, plan)
    assert found["exclusions"]["failed_checks"].tolist() == ["numbers"]
    assert found["validation_summary"]["failed"].tolist() == [1, 1]


def test_a_plan_without_personas_is_refused(tmp_path: Path, plan: AnalysisPlan) -> None:
    with pytest.raises(ConfigurationError, match="names no personas"):
        tables(make([], tmp_path), replace(plan, personas=None))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"persona": "unheard of"}, "a persona that is in no family.*unheard of"),
        ({"persona": None}, "a persona that is in no family"),
        ({"task": "rating"}, "a task that is no role"),
        ({"expected": None}, "outcome 'ok' and no score"),
    ],
)
def test_a_response_that_no_table_knows_is_refused(
    wrong: dict[str, object], message: str, tmp_path: Path, plan: AnalysisPlan
) -> None:
    rows = given("red", "tall", [3, 4]) + given("blue", "tall", [3, 4])
    rows[1] |= wrong
    with pytest.raises(ResponseError, match=f"^1 responses have {message}"):
        tables(make(rows, tmp_path), plan)


def test_a_response_given_twice_is_refused(tmp_path: Path, plan: AnalysisPlan) -> None:
    rows = make(given("red", "tall", [3, 4]), tmp_path)
    with pytest.raises(ResponseError, match="the key of another response"):
        tables(pd.concat([rows, rows.iloc[:1]], ignore_index=True), plan)
