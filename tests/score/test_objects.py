import json

import pytest

from isogloss.score.objects import MAX_BRACES, MAX_CHARACTERS, MAX_DEPTH, objects


def values(text: str) -> list[object]:
    return [found.value for found in objects(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', [{"a": 1}]),
        ('Sure! ```json\n{"a": 1}\n```\nDone.', [{"a": 1}]),
        ('{"a": 1} then {"a": 2}', [{"a": 1}, {"a": 2}]),
        ('[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}]),
        ('{"a": {"b": {"c": 1}}}', [{"a": {"b": {"c": 1}}}]),
        ('{"a": "}{"}', [{"a": "}{"}]),
        ('{"a": "one\ntwo"}', [{"a": "one\ntwo"}]),
        ('{"a": "\\ud83d\\ude00"}', [{"a": "😀"}]),
        ('{{"a": 1}}', [{"a": 1}]),
        ("{}", [{}]),
        ("no braces", []),
        ("", []),
        ("a set {x, y} and {1, 2}", []),
        ("{a: 1}", []),
        ('{result: {"a": 1}}', []),
        ('{"a": <1-10>}', []),
        ('{"a": <1-10>, "b": "..."} {"a": 7}', [{"a": 7}]),
        ('{"a": 7} {"a": ...}', [{"a": 7}]),
        ("it ends in a smile :}", []),
    ],
)
def test_objects_are_found_among_other_text(text: str, expected: list[object]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        # cut off at every kind of place
        ('{"a', "cut off"),
        ('{"a"', "cut off"),
        ('{"a":', "cut off"),
        ('{"a": 1', "cut off"),
        ('{"a": 1.', "cut off"),
        ('{"a": -', "cut off"),
        ('{"a": 1e', "cut off"),
        ('{"a": tr', "cut off"),
        ('{"a": "x', "cut off"),
        ('{"a": "x\\', "cut off"),
        ('{"a": "x\\u00', "cut off"),
        ('{"a": 1, ', "cut off"),
        ('{"a": [1, 2', "cut off"),
        ('{"a": {"b": 1}', "cut off"),
        ("{", "cut off"),
        # not JSON, though meant to be
        ('{"a": 1,}', "not valid JSON"),
        ('{"a": {"b": 2}, "c": 7,}', "not valid JSON"),
        ("{'a': 1}", "not valid JSON"),
        ('{"a": 01}', "not valid JSON"),
        ('{"a": seven}', "not valid JSON"),
        ('{"a" 1}', "not valid JSON"),
        # JSON without one value
        ('{"a": 1, "a": 2}', "'a' occurs twice"),
        ('{"a": 1, "a": 1}', "'a' occurs twice"),
        ('{"b": {"a": 1, "a": 2}}', "'a' occurs twice"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ('{"a": -Infinity}', "-Infinity is not a JSON number"),
        ('{"a": 1e999}', "too large"),
        ('{"a": ' + "9" * 5000 + "}", "too long"),
        ('{"a": "\\ud800"}', "surrogate"),
        # beyond the bounds
        ('{"a":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1), "deeper"),
        ('{"a":' + "[" * 100_000, "longer"),
        ('{"a":' + "[" * 50_000, "deeper"),
        ('{"a": "' + "x" * MAX_CHARACTERS + '"}', "longer"),
        ("{a} " * (MAX_BRACES + 1), "braces"),
    ],
)
def test_an_object_that_cannot_be_read_has_a_reason(text: str, reason: str) -> None:
    found = objects(text)
    assert len(found) == 1
    assert found[0].value is None
    assert found[0].status == "malformed"
    assert reason in str(found[0].reason)


def test_the_bounds_themselves_are_read() -> None:
    deep = '{"a":' * MAX_DEPTH + "1" + "}" * MAX_DEPTH
    assert values(deep) == [json.loads(deep)]
    assert values("{a} " * (MAX_BRACES - 1) + '{"a": 1}') == [{"a": 1}]
    assert len(values("{a} " * MAX_BRACES)) == 0


def test_what_comes_before_a_cut_object_is_still_found() -> None:
    first, second = objects('{"a": 1} and {"a": ')
    assert first.value == {"a": 1}
    assert second.value is None


@pytest.mark.parametrize("text", ['{"' * 5_000, "{a" * 5_000, '{"a": ["",' * 5_000, "{'" * 5_000])
def test_a_reply_of_nothing_but_beginnings_comes_to_an_end(text: str) -> None:
    assert all(found.value is None for found in objects(text))
