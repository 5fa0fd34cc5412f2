"""Tasks as requests."""

import json
from typing import Any

import pytest
from tests.score.api.conftest import openai_model, prompt

from isogloss.score.answers import AnswerSet, rating_scale
from isogloss.score.api.payload import (
    answer_schema,
    draw_seed,
    scored_request,
    written_request,
)
from isogloss.score.backend import Decoding, ScoreTask, WriteTask

HERE = "http://127.0.0.1:9/v1"
WORDS = AnswerSet(("yes", "no"), (("yes",), ("no",)), "", json_field="answer")
NUMBERS = AnswerSet(("1", "2"), (("1",), ("2",)), "", numeric=True, json_field="rating")


def scored(answers: AnswerSet, **settings: Any) -> dict[str, Any]:
    task = ScoreTask(prompt(0), answers)
    return scored_request(openai_model(HERE, **settings), 0, task).body


def test_a_scored_reply_is_the_most_probable_one_and_short() -> None:
    body = scored(rating_scale(1, 5, "Rating: "), max_tokens=6, top_logprobs=5)
    assert {key: body[key] for key in body if key not in ("messages", "model")} == {
        "temperature": 0,
        "max_tokens": 6,
        "logprobs": True,
        "top_logprobs": 5,
    }


def test_reasons_before_the_answer_have_room() -> None:
    task = ScoreTask(prompt(0), rating_scale(1, 5, "Rating: "), reasons_tokens=200)
    assert scored_request(openai_model(HERE, max_tokens=6), 0, task).body["max_tokens"] == 206


def test_log_probabilities_are_not_asked_of_a_server_without() -> None:
    assert set(scored(rating_scale(1, 5, ""), top_logprobs=None)) == {
        "model",
        "messages",
        "temperature",
        "max_tokens",
    }


@pytest.mark.parametrize(
    ("structured", "expected"),
    [
        ("none", None),
        ("json_object", {"type": "json_object"}),
        (
            "json_schema",
            {
                "type": "json_schema",
                "json_schema": {
                    "name": "answer",
                    "strict": True,
                    "schema": {
                        "type": "object",
                        "properties": {"rating": {"type": "integer", "enum": [1, 2]}},
                        "required": ["rating"],
                        "additionalProperties": False,
                    },
                },
            },
        ),
    ],
)
def test_a_json_answer_is_asked_for_as_the_server_can(structured: str, expected: Any) -> None:
    assert scored(NUMBERS, structured=structured).get("response_format") == expected


def test_labels_that_are_words_are_strings() -> None:
    schema = answer_schema(WORDS, "answer")
    assert schema["properties"] == {"answer": {"type": "string", "enum": ["yes", "no"]}}


@pytest.mark.parametrize("labels", [("1", "1.5"), ("01", "2"), ("+1", "2")])
def test_labels_that_are_no_whole_numbers_stay_as_they_are(labels: tuple[str, ...]) -> None:
    answers = AnswerSet(labels, tuple((label,) for label in labels), "", numeric=True)
    assert answer_schema(answers, "x")["properties"]["x"] == {
        "type": "string",
        "enum": list(labels),
    }


def test_a_schema_for_a_text_is_handed_on() -> None:
    schema = {"type": "object", "properties": {}, "additionalProperties": False}
    decoding = Decoding(max_new_tokens=5, json_schema=json.dumps(schema))
    body = written_request(openai_model(HERE), 0, WriteTask(prompt(0), decoding)).body
    assert body["response_format"]["json_schema"]["schema"] == schema
    assert "seed" not in body
    assert "stop" not in body


def test_every_draw_has_a_seed_of_its_own() -> None:
    seeds = {
        draw_seed(seed, sha, repeat)
        for seed in (0, 1)
        for sha in ("a", "b")
        for repeat in range(50)
    }
    assert len(seeds) == 200
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert max(seeds) > 2**30


def test_a_draw_has_the_same_seed_tomorrow() -> None:
    # sha256("7 abc 0") begins with 54 87 91 d6; half of that.
    assert draw_seed(7, "abc", 0) == 0x2A43C8EB
