"""The JSON of a restoration and its schema."""

import json
from typing import get_args

import pytest
from jsonschema import Draft202012Validator

from isogloss.options import schema_text
from isogloss.record.findings import Finding, FindingKind, Verification
from isogloss.restore.run import Restoration
from isogloss.restore.words import not_done_to_json, to_json

SCHEMA = Draft202012Validator(json.loads(schema_text("isogloss.restore", "restore.schema.json")))
OTHER = Finding("differs", "data/a.csv", "0" * 32, "1" * 32, 1, 2)
STALE = Finding("stale", "Snakefile", note="changed")
WHOLE = Verification(stages=2, artifacts=3, size=4, inputs=5)
SPOILT = Verification(2, 3, 4, 5, (OTHER,))


@pytest.mark.parametrize(
    ("restored", "status", "code"),
    [
        (Restoration(1, 2, 3, WHOLE), "restored", 0),
        (Restoration(1, 2, 3, WHOLE, (STALE,)), "not_accepted", 1),
        (Restoration(1, 0, 3, None, (OTHER,)), "differs", 1),
        (Restoration(1, 2, 3, SPOILT, (OTHER,)), "differs", 1),
    ],
)
def test_json_follows_the_schema(restored: Restoration, status: str, code: int) -> None:
    document = json.loads(to_json(restored))
    SCHEMA.validate(document)
    assert (document["status"], document["exit_code"]) == (status, code)
    assert (document["brought"], document["kept"]) == (1, 3)


def test_what_could_not_be_done_has_a_reason_and_no_counts() -> None:
    document = json.loads(not_done_to_json("no remote"))
    SCHEMA.validate(document)
    assert (document["exit_code"], document["reason"]) == (2, "no remote")
    assert not SCHEMA.is_valid(document | {"reason": None})
    assert not SCHEMA.is_valid(document | {"written": 0})


@pytest.mark.parametrize(
    "change",
    [
        {"status": "restored", "exit_code": 0},
        {"status": "not_accepted"},
        {"exit_code": 0},
        {"findings": []},
        {"findings": [{"kind": "differs", "path": "data/a.csv"}]},
        {"reason": "no remote"},
        {"more": 1},
    ],
)
def test_the_schema_refuses_what_contradicts_itself(change: dict) -> None:
    document = json.loads(to_json(Restoration(1, 0, 3, None, (OTHER,))))
    assert not SCHEMA.is_valid(document | change)


def test_the_schema_has_kinds_that_there_are() -> None:
    Draft202012Validator.check_schema(SCHEMA.schema)
    kinds = SCHEMA.schema["$defs"]["finding"]["properties"]["kind"]["enum"]
    assert set(kinds) < set(get_args(FindingKind))
