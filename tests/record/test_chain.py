"""How the outcomes of single checks become one outcome, in words and as JSON."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest
from jsonschema import Draft202012Validator

from isogloss.errors import ConfigurationError, RecordError
from isogloss.options import schema_text
from isogloss.record.chain import default_checks, render, to_json, verify_chain
from isogloss.record.checks.base import Check, Outcome
from isogloss.record.findings import Finding, FindingKind

SCHEMA = json.loads(schema_text("isogloss.record", "verify.schema.json"))
GOOD = Outcome("3 things", covered=3)
BAD = Outcome("3 things", 3, (Finding("differs", "a", "0" * 32, "1" * 32, 1, 2),))
UNKNOWN = Outcome("2 things", 2, not_checked=("one is not here: bring it",))
BOTH = Outcome("2 things", 2, BAD.findings, UNKNOWN.not_checked)


@dataclass(frozen=True)
class Given:
    """A check as another part of the package would plug it in."""

    name: str
    outcome: Outcome | Exception

    def run(self, project: Path) -> Outcome:
        assert project == Path()
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def _run(*outcomes: Outcome | Exception, left_out: tuple[str, ...] = ()):
    names = ("one", "two", "three")
    checks: list[Check] = [Given(n, o) for n, o in zip(names, outcomes, strict=False)]
    return verify_chain(Path(), checks, left_out)


def _document(chain) -> dict:
    document = json.loads(to_json(chain))
    Draft202012Validator(SCHEMA).validate(document)
    return document


@pytest.mark.parametrize(
    ("outcomes", "status", "exit_code"),
    [
        ((GOOD, GOOD), "verified", 0),
        ((GOOD, BAD), "differs", 1),
        ((GOOD, UNKNOWN), "not_checked", 2),
        ((UNKNOWN, BAD), "differs", 1),
        ((BOTH,), "differs", 1),
        ((), "not_checked", 2),
        ((GOOD, RecordError("no record")), "not_checked", 2),
        ((BAD, RecordError("no record")), "differs", 1),
    ],
)
def test_status(outcomes: tuple, status: str, exit_code: int) -> None:
    chain = _run(*outcomes)
    assert (chain.status, chain.exit_code) == (status, exit_code)
    document = _document(chain)
    assert (document["status"], document["exit_code"]) == (status, exit_code)


@pytest.mark.parametrize("error", [ConfigurationError("no pins"), OSError("no disk")])
def test_a_check_that_fails_leaves_the_others(error: Exception) -> None:
    chain = _run(error, BAD)
    assert [one.outcome.status for one in chain.checked] == ["not_checked", "differs"]
    assert str(error) in chain.checked[0].outcome.not_checked[0]


def test_words_name_findings_gaps_and_what_was_left_out() -> None:
    lines = render(_run(GOOD, BOTH, UNKNOWN, left_out=("four",))).splitlines()
    assert lines == [
        f"differs: a (recorded {'0' * 32}, 1 bytes; found {'1' * 32}, 2 bytes)",
        "not checked: two: one is not here: bring it",
        "not checked: three: one is not here: bring it",
        "one: verified: 3 things",
        "two: differs: 2 things",
        "three: not checked: 2 things",
        "not verified: 1 differs; could not be checked: two, three; verified: one; left out: four",
    ]


def test_a_check_that_is_left_out_does_not_run() -> None:
    chain = _run(GOOD, BAD, left_out=("two",))
    assert chain.status == "verified"
    assert render(chain).splitlines()[-1] == "verified: one; left out: two"
    assert _document(chain)["left_out"] == ["two"]


def test_json_has_every_finding_with_its_check() -> None:
    document = _document(_run(GOOD, BAD))
    assert [(one["check"], one["kind"], one["path"]) for one in document["findings"]] == [
        ("two", "differs", "a")
    ]
    assert [one["findings"] for one in document["checks"]] == [0, 1]


def test_the_schema_is_one_and_knows_every_kind() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    kinds = SCHEMA["$defs"]["finding"]["properties"]["kind"]["enum"]
    assert kinds == list(get_args(FindingKind))


@pytest.mark.parametrize(
    "change",
    [
        {"status": "verified"},
        {"exit_code": 0},
        {"findings": []},
        {"checks": [{"name": "one"}]},
        {"more": 1},
    ],
)
def test_the_schema_refuses_what_contradicts_itself(change: dict) -> None:
    document = json.loads(to_json(_run(BAD))) | change
    assert not Draft202012Validator(SCHEMA).is_valid(document)


def test_every_check_has_a_name_of_its_own() -> None:
    names = [check.name for check in default_checks()]
    assert names == ["artifacts", "commit", "sources", "models", "versions", "workflow", "report"]
