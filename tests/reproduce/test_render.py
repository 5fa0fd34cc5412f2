"""What a person reads, what a program reads, and the status."""

import json
import math
from dataclasses import replace
from typing import get_args

import pytest
from jsonschema import Draft202012Validator

from isogloss.options import schema_text
from isogloss.reproduce.findings import (
    Change,
    NotDone,
    NumberDifference,
    Reproduced,
    Reproduction,
    Rescored,
    TableComparison,
    TableResult,
    TextDifference,
    VerdictChange,
)
from isogloss.reproduce.render import render, to_json

SAME = TableComparison("data/results/hedging/means.csv", "same bytes")
WORSE = NumberDifference(
    "estimate", 3, 2, 0.25, 0.5, Change("guise hedged", "0.25", "0.5"), 1e-3, 0.0, "measured"
)
DIFFERS = TableComparison(
    "data/results/hedging/effects.csv",
    "differs",
    rows=4,
    only_recorded=12,
    rows_listed=("recorded only: guise accent",),
    columns_listed=("found only: extra",),
    numbers=(WORSE,),
    texts=(TextDifference("reason", 1, False, (Change("guise hedged", "", "\x1b[31mred"),)),),
    verdicts=(VerdictChange("verdict", "guise hedged", "equivalent", "different"),),
)
FOUND = Reproduction("full", "config/config.yaml", machine="x", tables=(SAME, DIFFERS))
SAMPLED = replace(
    FOUND,
    mode="sample",
    sample="5%",
    seed=7,
    taken_over=(NotDone("fetch", "brings a pinned source in"),),
    rescored=(Rescored("data/responses/a.parquet", "small", 100, 5, 6, 90, 3),),
)
SCHEMA = Draft202012Validator(
    json.loads(schema_text("isogloss.reproduce", "reproduce.schema.json"))
)


@pytest.mark.parametrize(
    ("results", "failed", "altered", "status"),
    [
        (["same bytes", "same values", "within tolerance"], 0, 0, 0),
        (["same bytes", "differs"], 0, 0, 1),
        (["same bytes", "missing"], 0, 0, 1),
        (["same bytes", "extra"], 0, 0, 1),
        (["unreadable"], 0, 0, 1),
        (["same bytes"], 1, 0, 2),
        (["differs"], 1, 0, 1),
        (["same bytes"], 0, 1, 1),
        ([], 0, 0, 2),
    ],
)
def test_the_status(results: list[TableResult], failed: int, altered: int, status: int) -> None:
    found = Reproduction(
        "full",
        "c",
        failed=(NotDone("x", "y"),) * failed,
        altered=("data/a.csv",) * altered,
        tables=tuple(TableComparison("t", result) for result in results),
    )
    assert found.exit_code == status


def test_every_table_has_a_line_with_its_largest_differences() -> None:
    lines = render(FOUND).splitlines()
    [same] = [line for line in lines if line.startswith(SAME.table)]
    assert same.split() == [SAME.table, "0", "0", "0", "same", "bytes"]
    [differs] = [line for line in lines if line.startswith(f"{DIFFERS.table} ")]
    assert differs.split() == [DIFFERS.table, "0.25", "0.5", "1", "differs"]


def test_every_difference_is_said() -> None:
    said = render(FOUND)
    for part in (
        "VERDICT CHANGED: verdict: guise hedged: equivalent -> different",
        "estimate: 3 cells, up to 0.25 (0.5 relative), 2 beyond 0.001 + 0 |recorded|",
        "guise hedged: 0.25 -> 0.5",
        "recorded only: guise accent",
        "and 11 more rows",
        "found only: extra",
        "NOT REPRODUCED: something differs: 1 differs, 1 same bytes; 1 verdicts changed",
    ):
        assert part in said, part


def test_texts_cannot_move_the_cursor_and_are_bounded() -> None:
    said = render(FOUND)
    assert "\x1b" not in said
    assert "(empty) -> \\x1b[31mred" in said
    long = replace(DIFFERS, texts=(TextDifference("t", 1, False, (Change("r", "a" * 999, "b"),)),))
    assert "a" * 101 not in render(replace(FOUND, tables=(long,)))


def test_a_sample_says_what_was_asked_and_what_was_not() -> None:
    found = Reproduction(
        "sample",
        "config/config.yaml",
        sample="5%",
        seed=7,
        recomputed=("analysis",),
        taken_over=tuple(NotDone(f"fetch-{n}", "brings a pinned source in") for n in range(5)),
        failed=(NotDone("asking big again", "no such folder"),),
        rescored=(Rescored("data/responses/a.parquet", "small", 100, 5, 6, 90, 3),),
        tables=(SAME,),
    )
    said = render(found)
    for part in (
        "a sample of 5% (seed 7)",
        "Asked again: small, 5 of 100 prompts (6 rows) of data/responses/a.parquet",
        "3 hold a text by the model that was not asked for again",
        "Taken over: fetch-0, fetch-1, fetch-2 and 2 more: brings a pinned source in",
        "COULD NOT BE DONE: asking big again: no such folder",
        "NOT DONE: something could not be computed again",
    ):
        assert part in said, part


def test_a_sample_without_a_model_says_that_nothing_was_asked() -> None:
    said = render(replace(FOUND, mode="sample", sample="5%", seed=7))
    assert "Asked again: NOTHING" in said
    assert "Asked again" not in render(FOUND)


@pytest.mark.parametrize(
    ("found", "status"),
    [
        (replace(FOUND, tables=(SAME,)), "reproduced"),
        (FOUND, "differs"),
        (replace(FOUND, tables=(SAME,), altered=("data/a.csv",)), "differs"),
        (replace(FOUND, tables=(SAME,), failed=(NotDone("asking big", "no folder"),)), "not done"),
        (Reproduction("full", "config/config.yaml"), "not done"),
        (SAMPLED, "differs"),
    ],
)
def test_json_follows_the_schema(found: Reproduction, status: str) -> None:
    document = json.loads(to_json(found))
    SCHEMA.validate(document)
    assert (document["status"], document["exit_code"]) == (found.status, found.exit_code)
    assert found.status == status


@pytest.mark.parametrize(
    "change",
    [
        {"exit_code": 0},
        {"status": "reproduced", "exit_code": 0},
        {"status": "not done", "exit_code": 2},
        {"status": "not_done"},
        {"tables": [], "altered": []},
        {"tables": [{"table": "a.csv", "result": "differs"}]},
        {"sample": "5%"},
        {"mode": "sample"},
        {"machine": None},
        {"format": "isogloss-reproduce/2"},
        {"more": 1},
    ],
)
def test_the_schema_refuses_what_contradicts_itself(change: dict) -> None:
    assert not SCHEMA.is_valid(json.loads(to_json(FOUND)) | change)


@pytest.mark.parametrize("field", json.loads(to_json(FOUND)))
def test_the_schema_demands_every_field(field: str) -> None:
    document = json.loads(to_json(FOUND))
    del document[field]
    assert not SCHEMA.is_valid(document)


def test_the_schema_knows_every_result_of_a_table() -> None:
    Draft202012Validator.check_schema(SCHEMA.schema)
    results = SCHEMA.schema["$defs"]["table"]["properties"]["result"]["enum"]
    assert results == list(get_args(TableResult))
    reproduced = SCHEMA.schema["$defs"]["reproduced"]["properties"]["result"]["enum"]
    assert set(reproduced) == Reproduced


def test_json_has_everything_and_no_number_that_json_lacks() -> None:
    endless = replace(WORSE, largest_absolute=math.inf, largest_relative=math.nan)
    text = to_json(replace(FOUND, tables=(replace(DIFFERS, numbers=(endless,)),)))
    content = json.loads(text, parse_constant=lambda name: pytest.fail(name))
    SCHEMA.validate(content)
    assert content["status"] == "differs"
    [table] = content["tables"]
    assert table["numbers"][0]["largest_absolute"] is None
    assert table["verdicts"][0]["found"] == "different"
    assert table["texts"][0]["listed"][0]["found"] == "\x1b[31mred"
