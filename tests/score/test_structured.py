import json
from typing import Any

import pytest

from isogloss.errors import AnswerError
from isogloss.score.structured import (
    canonical_schema,
    read_field,
    read_integer,
    read_object,
    schema_of_integer,
)

INTEGERS: dict[str, int | None] = {
    '{"score": 7}': 7,
    '{"score": 1}': 1,
    '{"score": 10}': 10,
    'My answer: {"score": 7}. I hope this helps.': 7,
    '```json\n{"score": 7}\n```': 7,
    '{"reason": "9 of 10", "score": 7}': 7,
    '{"score": 3}\nOn reflection:\n{"score": 7}': 7,
    '{"score": 7}\n{"note": "done"}': 7,
    '{"score": 7}\nFormat: {"score": "<1-10>"}': 7,
    '{"score": 7}\nFormat: {"score": <1-10>}': 7,
    # declared: the same number written otherwise
    '{"score": 7.0}': 7,
    '{"score": 70e-1}': 7,
    '{"score": "7"}': 7,
    # no whole number
    '{"score": 7.5}': None,
    '{"score": "7.0"}': None,
    '{"score": "7/10"}': None,
    '{"score": " 7"}': None,
    '{"score": "seven"}': None,
    '{"score": ""}': None,
    '{"score": "07"}': None,
    '{"score": true}': None,
    '{"score": [7]}': None,
    '{"score": {"value": 7}}': None,
    '{"score": null}': None,
    '{"score": NaN}': None,
    # off the scale
    '{"score": 0}': None,
    '{"score": 11}': None,
    '{"score": -7}': None,
    '{"score": 1e300}': None,
    # no such field, or not at the top
    "7": None,
    "": None,
    '{"Score": 7}': None,
    '{"result": {"score": 7}}': None,
    '{"score": "<1-10>"}': None,
    # unreadable, also where something readable came before
    '{"score": 7, "score": 7}': None,
    '{"score": 3} {"score": 7, "score": 8}': None,
    '{"score": 3} {"score": null}': None,
    '{"score": 3} {"score": 7': None,
    '{"details": {"score": 3}, "score": 7': None,
    '{"details": {"score": 3}, "score": 7,}': None,
}


@pytest.mark.parametrize("reply", INTEGERS)
def test_a_field_is_a_whole_number_or_malformed(reply: str) -> None:
    parsed = read_integer(reply, "score", 1, 10)
    value = INTEGERS[reply]
    assert (parsed.value, parsed.status) == (value, "malformed" if value is None else "ok")
    assert isinstance(parsed.value, int) == (value is not None)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"score": null}', "field 'score' is null"),
        ('{"score": 11}', "not from 1 to 10: '11'"),
        ('{"score": true}', "not a whole number: 'True'"),
        ('{"grade": 7}', "no JSON object with a field 'score': '{\"grade\": 7}'"),
    ],
)
def test_a_malformed_field_has_a_reason_of_its_own(reply: str, reason: str) -> None:
    assert read_integer(reply, "score", 1, 10).reason == reason


def test_a_field_may_hold_anything_but_null() -> None:
    assert read_field('{"a": ["x", 1]}', "a").value == ["x", 1]
    assert read_field('{"a": false}', "a").value is False
    assert read_field('{"a": ""}', "a").value == ""
    assert read_field('{"a": null}', "a").status == "malformed"


PERSON = {
    "type": "object",
    "properties": {
        "why": {"type": "string", "maxLength": 20},
        "gender": {"enum": ["female", "male", "Unknown"]},
        "age": {"type": "integer", "minimum": 0},
    },
    "required": ["why", "gender"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"why": "a guess", "gender": "female", "age": 40}', None),
        ('I think {"gender": "Unknown", "why": ""}', None),
        ('{"why": "a", "gender": "other"}', "$.gender fails enum: 'other'"),
        ('{"why": "a", "gender": "male", "age": -1}', "$.age fails minimum: '-1'"),
        ('{"why": "a", "gender": "male", "age": true}', "$.age fails type: 'True'"),
        ('{"why": "a"}', "$ fails required: \"{'why': 'a'}\""),
        ("Unknown", "no JSON object: 'Unknown'"),
    ],
)
def test_an_object_satisfies_its_schema_or_is_malformed(reply: str, reason: str | None) -> None:
    parsed = read_object(reply, canonical_schema(PERSON))
    assert parsed.reason == reason
    assert (parsed.value is None) == (reason is not None)


def test_without_a_schema_the_last_object_is_returned() -> None:
    assert read_object('{"a": 1} {"b": 2}').value == {"b": 2}
    assert read_object('{"a": 1} {"b": ').value is None


def test_keywords_are_sorted_and_properties_are_not() -> None:
    one: dict[str, Any] = {
        "type": "object",
        "properties": {"why": {"type": "string"}, "answer": {"maximum": 5, "type": "integer"}},
    }
    other = {
        "properties": {"why": {"type": "string"}, "answer": {"type": "integer", "maximum": 5}},
        "type": "object",
    }
    assert canonical_schema(one) == canonical_schema(other)
    assert list(json.loads(canonical_schema(one))["properties"]) == ["why", "answer"]
    turned = {**one, "properties": dict(reversed(one["properties"].items()))}
    assert canonical_schema(turned) != canonical_schema(one)


def test_names_and_values_that_look_like_keywords_are_left_alone() -> None:
    schema = {
        "type": "object",
        "properties": {"properties": {"const": {"z": 1, "a": 2}}, "$ref": {"type": "string"}},
    }
    assert json.loads(canonical_schema(schema)) == schema
    assert '{"z":1,"a":2}' in canonical_schema(schema)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "strin"}, "JSON schema, \\$.type"),
        ({"properties": {"a": {"minimum": "1"}}}, "JSON schema, \\$.properties.a.minimum"),
        ({"$ref": "https://example.org/person.json"}, "write that part into it"),
        ({"const": float("nan")}, "not plain JSON"),
        ({"const": {1, 2}}, "not plain JSON"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused(schema: dict[str, Any], message: str) -> None:
    with pytest.raises(AnswerError, match=message):
        canonical_schema(schema)


def test_the_schema_of_an_integer_admits_the_scale_alone() -> None:
    schema = canonical_schema(schema_of_integer("score", 1, 10))
    assert read_object('{"score": 10}', schema).value == {"score": 10}
    for reply in ('{"score": 11}', '{"score": 0}', '{"score": 1, "why": ""}', "{}"):
        assert read_object(reply, schema).value is None
