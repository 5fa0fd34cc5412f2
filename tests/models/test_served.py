"""What a served model's identity consists of."""

import json
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from isogloss.config import OpenAIModel
from isogloss.models.identity import manifest_of, write_manifest
from isogloss.models.served import ServedIdentity, served_identity

URL = "https://api.example.org/v1"


def identity(base_url: str = URL, name: str = "served", **settings: Any) -> ServedIdentity:
    given = {"model": "tiny", "version": "may", **settings}
    config = OpenAIModel.model_validate({"backend": "openai", "base_url": base_url, **given})
    return served_identity(name, config)


@pytest.mark.parametrize(
    "change",
    [
        {"base_url": "https://api.example.com/v1"},
        {"base_url": "https://api.example.org/v2"},
        {"base_url": "https://api.example.org:8443/v1"},
        {"model": "large"},
        {"version": "june"},
        {"version": None},
        {"structured": "none"},
        {"top_logprobs": None},
        {"max_tokens": 5},
        {"reasoning": True},
    ],
)
def test_what_decides_the_replies_is_in_the_digest(change: dict[str, Any]) -> None:
    assert identity(**change).digest != identity().digest


@pytest.mark.parametrize(
    "change",
    [
        {"base_url": "https://API.example.org:443/v1/"},
        {"name": "renamed"},
        {"api_key_env": "OTHER_KEY"},
        {"concurrency": 9},
        {"timeout_s": 5.0},
        {"max_attempts": 2},
    ],
)
def test_how_a_server_is_reached_is_not(change: dict[str, Any]) -> None:
    assert identity(**change).digest == identity().digest


def test_room_for_thoughts_is_in_the_digest_of_a_model_that_thinks() -> None:
    few, many = (identity(reasoning=True, reasoning_tokens=tokens) for tokens in (500, 2000))
    assert few.digest != many.digest
    assert (few.reasoning_tokens, few.top_logprobs) == (500, None)
    unlisted = identity(top_logprobs=None)
    assert unlisted.digest not in (few.digest, many.digest)


def test_the_scheme_is_not_in_the_digest() -> None:
    plain = identity("http://127.0.0.1/v1")
    assert plain.digest == identity("https://127.0.0.1/v1").digest


def test_a_manifest_says_all_and_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    path = tmp_path / "served.json"
    write_manifest(manifest_of(identity(URL + "/")), path)
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "name": "served",
        "backend": "openai",
        "base_url": URL,
        "model": "tiny",
        "version": "may",
        "structured": "json_schema",
        "top_logprobs": 20,
        "max_tokens": 32,
        "reasoning_tokens": None,
        "client": metadata.version("openai"),
        "digest": identity().digest,
    }
