import json

import pytest
from jsonschema import Draft202012Validator

from isogloss.options import schema_text
from isogloss.publish.findings import Checked, Finding, Publication, made, render, to_json

GOOD = made("weight", "1 MB", [], ["a.html: 1 MB"])
BAD = made("links", "3 links", [Finding("a.html", 4, "leads nowhere"), Finding("", None, "odd")])
UNKNOWN = Checked("browser", "not_checked", "no Chromium")
LEFT = Checked("browser", "left_out", "as asked")
SCHEMA = Draft202012Validator(
    json.loads(schema_text("isogloss.publish", "publish-check.schema.json"))
)


@pytest.mark.parametrize(
    ("checked", "status", "code"),
    [
        ((GOOD,), "passed", 0),
        ((GOOD, LEFT), "passed", 0),
        ((GOOD, BAD), "found", 1),
        ((GOOD, UNKNOWN), "not_checked", 2),
        ((BAD, UNKNOWN), "found", 1),
        ((LEFT,), "not_checked", 2),
        ((), "not_checked", 2),
    ],
)
def test_what_was_not_checked_is_never_a_success(checked, status: str, code: int) -> None:
    publication = Publication("site", checked)
    assert (publication.status, publication.exit_code) == (status, code)


def test_a_line_for_each_check_with_its_findings_and_notes() -> None:
    assert render(Publication("site", (GOOD, BAD, UNKNOWN))).splitlines() == [
        "weight   passed       1 MB",
        "  (a.html: 1 MB)",
        "links    FOUND        3 links",
        "  a.html:4: leads nowhere",
        "  site: odd",
        "browser  not checked  no Chromium",
        "site: do not publish: 2 findings; not checked: browser",
    ]


def test_the_last_line_says_what_was_left_out() -> None:
    said = render(Publication("site", (GOOD, LEFT))).splitlines()[-1]
    assert said == "site: nothing found that speaks against publishing; left out: browser"


@pytest.mark.parametrize(
    "checked",
    [(GOOD,), (GOOD, LEFT), (GOOD, BAD), (GOOD, UNKNOWN), (BAD, UNKNOWN), (LEFT,), ()],
)
def test_json_follows_the_schema(checked) -> None:
    assert list(SCHEMA.iter_errors(json.loads(to_json(Publication("site", checked))))) == []


@pytest.mark.parametrize(
    "change",
    [
        {"exit_code": 0},
        {"status": "passed", "exit_code": 0},
        {"status": "not_checked", "exit_code": 2},
        {"checks": []},
        {
            "checks": [
                {"name": "links", "status": "found", "summary": "", "findings": [], "notes": []}
            ]
        },
        {"site": None},
        {"more": 1},
    ],
)
def test_the_schema_refuses_what_contradicts_itself(change: dict) -> None:
    document = json.loads(to_json(Publication("site", (GOOD, BAD))))
    assert not SCHEMA.is_valid(document | change)


def test_the_schema_takes_no_success_that_nothing_was_checked_for() -> None:
    Draft202012Validator.check_schema(SCHEMA.schema)
    document = json.loads(to_json(Publication("site", (GOOD,))))
    for checks in ([], [json.loads(to_json(Publication("site", (LEFT,))))["checks"][0]]):
        assert not SCHEMA.is_valid(document | {"checks": checks})


def test_json_has_the_same() -> None:
    document = json.loads(to_json(Publication("site", (GOOD, BAD))))
    assert document["format"] == "isogloss-publish-check/1"
    assert (document["status"], document["exit_code"]) == ("found", 1)
    assert document["checks"][1]["findings"][0] == {
        "file": "a.html",
        "line": 4,
        "text": "leads nowhere",
    }
