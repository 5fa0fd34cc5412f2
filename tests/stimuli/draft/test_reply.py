"""Every kind of reply becomes a candidate, or an outcome with its reason."""

import json
from typing import Any

import jsonschema
import pytest
from tests.stimuli.draft.conftest import GOOD, HEDGED, PLAIN, item, reply_of

from isogloss.score.backend import Failed, Reply
from isogloss.score.requests import text_of
from isogloss.stimuli.draft.records import Change, Task
from isogloss.stimuli.draft.reply import Read, read_candidate, schema_for

SHA = "ab" * 32
REFUSING = "I'm sorry, but I can't help with rewriting this text."


def _read(said: str, task: Task, reference: str = PLAIN, finish: str = "stop") -> Read:
    return read_candidate(text_of(Reply(said, finish), SHA), item(reference), task)


@pytest.mark.parametrize(
    "said", [GOOD, f"```json\n{GOOD}\n```", f"Here you are:\n{GOOD}\nI hope that it helps."]
)
def test_a_candidate_is_read_wherever_it_stands(task: Task, said: str) -> None:
    assert _read(said, task) == Read(
        "ok",
        "",
        HEDGED,
        ("lexical",),
        (Change("", "I think"), Change("ran again", "probably ran again")),
        True,
    )


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("", "the reply is empty"),
        ("I think I fixed the pump.", "no JSON object"),
        ("hedged", "the reply only names the guise"),
        ("**Hedging**", "the reply only names the guise"),
        ("Tentative.", "the reply only names the guise"),
        ("confident", "the reply only names the guise"),
        (reply_of("Hedged"), "the text only names the guise"),
        (reply_of("  \n"), "the text is empty"),
        (reply_of("?!"), "the text has no words"),
        (reply_of(PLAIN), "the text is the reference itself"),
        (reply_of(f" {PLAIN.replace('. ', '.  ')}\n"), "the text is the reference itself"),
        (reply_of(f"{HEDGED}</text>"), "the text holds tags of the prompt"),
        (reply_of(HEDGED * 3), "the text has 228 characters, more than 178"),
        (reply_of("x" * 20_000), "text: string should have at most"),
        (GOOD[:-30], "cut off inside a JSON object"),
        (json.dumps({"text": HEDGED}), "devices: field required"),
        (json.dumps({"text": 3, "devices": [], "spans_changed": []}), "text: input should be"),
        (reply_of(HEDGED, comment="done"), "comment: extra inputs"),
        (GOOD.replace('"devices"', '"text"'), "field 'text' occurs twice"),
        ('{"text": "\\ud800", "devices": [], "spans_changed": []}', "surrogate"),
    ],
)
def test_what_is_no_candidate_is_malformed(task: Task, said: str, reason: str) -> None:
    read = _read(said, task)
    assert (read.outcome, read.text) == ("malformed", "")
    assert reason in read.reason
    assert len(read.reason) < 200


@pytest.mark.parametrize(
    ("said", "finish"),
    [
        (REFUSING, "stop"),
        (reply_of(REFUSING), "stop"),
        (json.dumps({"error": REFUSING}), "stop"),
        ("", "content_filter"),
        (GOOD, "content_filter"),
        ("No.", "refusal"),
    ],
)
def test_a_refusal_is_one_in_words_in_the_object_or_by_the_server(
    task: Task, said: str, finish: str
) -> None:
    read = _read(said, task, finish=finish)
    assert (read.outcome, read.text) == ("refusal", "")
    assert read.reason


def test_a_text_about_not_being_able_is_no_refusal(task: Task) -> None:
    reference = "I'm sorry, but I can't help with the pump, so I told the shift lead at noon."
    read = _read(reply_of(f"I think {reference}"), task, reference)
    assert read.outcome == "ok"


def test_a_failed_request_is_an_error(task: Task) -> None:
    read = read_candidate(text_of(Failed("status 400"), SHA), item(), task)
    assert (read.outcome, read.reason) == ("error", "status 400")


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ([("in 40  minutes", "in 40\nminutes.")], 0),
        ([("the lathe", "I think")], 1),
        ([("", "perhaps")], 1),
        ([("pump", "pump")], 1),
        ([("", "")], 1),
        ([("", "I think"), ("minutes", "hours")], 1),
    ],
)
def test_changes_that_are_not_in_the_texts_are_noted(
    task: Task, changes: list[tuple[str, str]], wrong: int
) -> None:
    read = _read(reply_of(HEDGED, changes), task)
    assert read.outcome == "ok"
    assert read.changes_hold == (wrong == 0)
    noted = f"{wrong} of {len(changes)} changes named are not in the texts"
    assert read.reason == (noted if wrong else "")


def test_without_changes_there_is_nothing_to_hold(task: Task) -> None:
    assert _read(reply_of(HEDGED), task).changes_hold is None


def test_a_device_that_the_guise_has_not_is_noted(task: Task) -> None:
    read = _read(reply_of(HEDGED, devices=["modal", "irony", "modal"]), task)
    assert (read.outcome, read.reason) == ("ok", "no device of the guise: irony")
    assert read.devices == ("modal", "irony")


def test_a_tag_of_the_reference_may_stand_in_the_candidate(task: Task) -> None:
    reference = "I closed the <text> element in the markup."
    assert _read(reply_of(f"I think {reference}"), task, reference).outcome == "ok"


@pytest.mark.parametrize("text", ["مرحبا I think so", "Sure 🎉, I think", 'He said "no", I\nthink'])
def test_scripts_emoji_quotes_and_lines_are_kept(task: Task, text: str) -> None:
    assert _read(reply_of(text), task).text == text


def test_lines_end_as_in_a_table(task: Task) -> None:
    assert _read(reply_of("I think\r\nso,\rmaybe "), task).text == "I think\nso,\nmaybe"


def _keywords(schema: Any) -> set[str]:
    if isinstance(schema, dict):
        return set(schema) | {k for part in schema.values() for k in _keywords(part)}
    return set().union(*map(_keywords, schema)) if isinstance(schema, list) else set()


def test_the_schema_takes_what_is_asked_for(task: Task) -> None:
    for bounded in (True, False):
        schema = json.loads(schema_for(task.guise, bounded=bounded))
        jsonschema.validate(json.loads(GOOD), schema)
        for wrong in (reply_of(HEDGED, devices=["irony"]), reply_of(HEDGED, more=1), "{}"):
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate(json.loads(wrong), schema)


def test_a_server_gets_no_bounds(task: Task) -> None:
    bounds = {"minLength", "maxLength", "minItems", "maxItems"}
    assert not bounds & _keywords(json.loads(schema_for(task.guise, bounded=False)))
    assert bounds & _keywords(json.loads(schema_for(task.guise, bounded=True)))


def test_fields_come_in_the_order_of_the_prompt(task: Task) -> None:
    schema = json.loads(schema_for(task.guise, bounded=True))
    assert list(schema["properties"]) == ["text", "devices", "spans_changed"]
    assert schema["required"] == ["text", "devices", "spans_changed"]
