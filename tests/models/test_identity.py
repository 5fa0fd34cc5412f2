import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import ModelError
from isogloss.models.identity import ModelIdentity, check_manifest, manifest_of, write_manifest

IDENTITY = ModelIdentity(
    name="tiny",
    backend="transformers",
    origin="source tiny",
    weights_sha256="aa",
    tokenizer_sha256="bb",
    chat_template_sha256="cc",
    default_system_message="Be kind — “always”.",
    architecture="LlamaForCausalLM",
    n_parameters=7,
    dtype="float32",
    transformers="1",
    torch="2",
)


@pytest.mark.parametrize(
    "change",
    [
        {"weights_sha256": "ab"},
        {"tokenizer_sha256": "ab"},
        {"chat_template_sha256": "ab"},
        {"dtype": "bfloat16"},
        {"settings_sha256": "dd"},
        {"adapter_sha256": "dd"},
        {"date": "2026-01-01"},
        {"weights_sha256": "bb", "tokenizer_sha256": "aa"},
    ],
)
def test_what_decides_the_answers_is_in_the_digest(change: dict[str, Any]) -> None:
    assert replace(IDENTITY, **change).digest != IDENTITY.digest


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_the_device_decides_the_answers_unless_numbers_are_long(dtype: str) -> None:
    here = replace(IDENTITY, dtype=dtype)
    there = replace(here, device="cuda")
    assert (here.digest == there.digest) == (dtype == "float32")


def test_what_is_decisive_is_not_mistaken_for_something_else() -> None:
    fields = ("settings_sha256", "adapter_sha256", "date")
    changes: list[dict[str, Any]] = [{field: "dd"} for field in fields]
    assert len({replace(IDENTITY, **change).digest for change in changes}) == len(fields)


def test_the_digest_of_a_model_without_novelties_is_the_recorded_one() -> None:
    """Answers that were stored before adapters, dates and devices were known stay good."""
    assert IDENTITY.digest.startswith("65f9d10b")


@pytest.mark.parametrize("field", ["name", "origin", "transformers", "torch"])
def test_what_a_model_is_called_is_not(field: str) -> None:
    renamed: dict[str, Any] = {field: "another"}
    assert replace(IDENTITY, **renamed).digest == IDENTITY.digest


def test_a_manifest_holds_every_field_and_the_digest(tmp_path: Path) -> None:
    path = tmp_path / "models" / "tiny.json"
    write_manifest(manifest_of(IDENTITY), path)
    text = path.read_text(encoding="utf-8")
    read = json.loads(text)
    assert read["digest"] == IDENTITY.digest
    assert {name: read[name] for name in read if name != "digest"} == {
        field.name: getattr(IDENTITY, field.name) for field in fields(IDENTITY)
    }
    assert "“always”" in text
    assert list(read) == sorted(read)
    assert text.endswith("}\n")


def test_the_described_model_passes(tmp_path: Path) -> None:
    path = tmp_path / "tiny.json"
    write_manifest(manifest_of(IDENTITY), path)
    renamed = replace(IDENTITY, name="renamed")
    assert renamed.digest == IDENTITY.digest
    check_manifest(renamed, path)


def test_another_model_than_described_is_refused_with_both_digests(tmp_path: Path) -> None:
    path = tmp_path / "tiny.json"
    write_manifest(manifest_of(IDENTITY), path)
    other = replace(IDENTITY, weights_sha256="ab")
    with pytest.raises(ModelError) as caught:
        check_manifest(other, path)
    for part in ("tiny", str(path), IDENTITY.digest, other.digest):
        assert part in str(caught.value)


@pytest.mark.parametrize("content", [None, "", "{", "[]", "null", "{}", '"digest"', "\udcff"])
def test_a_manifest_that_cannot_be_read_is_named(content: Any, tmp_path: Path) -> None:
    path = tmp_path / "tiny.json"
    if content is not None:
        path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(ModelError, match=r"tiny\.json: not a readable model manifest; delete it"):
        check_manifest(IDENTITY, path)
