"""The files of a model are found and hashed as when it is loaded, without loading it."""

import json
from pathlib import Path

import pytest

from isogloss.config.schema import TransformersModel
from isogloss.errors import RecordError
from isogloss.fetch import FileSource
from isogloss.models.adapter import AdapterFolder
from isogloss.models.identity import sha256_of_text
from isogloss.models.weights import find_weights
from isogloss.record.model_files import adapter_sha256, find_model_files, settings_sha256

REVISION = "0123456789" * 4


def _folder(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True)
    for number, name in enumerate(names):
        (folder / name).write_bytes(bytes([number]) * 9)
    (folder / "config.json").write_text("{}")
    return folder


def _pin(content: bytes) -> FileSource:
    return FileSource(
        kind="file",
        title="A model",
        url=None,
        mirror="models/m.gguf",
        sha256=sha256_of_text(content.decode()),
        bytes=len(content),
        licence="none",
        citation="nobody",
    )


@pytest.mark.parametrize("names", [["a.safetensors"], ["b.safetensors", "a.safetensors"]])
@pytest.mark.parametrize("generation", [True, False])
def test_hashes_are_those_of_a_loaded_model(
    tmp_path: Path, names: list[str], generation: bool
) -> None:
    folder = _folder(tmp_path / "m", *names)
    if generation:
        (folder / "generation_config.json").write_text('{"a": 1}')
    config = TransformersModel(backend="transformers", path="m")
    loaded = find_weights("m", config, {}, tmp_path)
    files = find_model_files(loaded.origin, "5.0.0", {}, tmp_path)
    assert files.weights_sha256 == loaded.sha256
    assert files.folder is not None
    assert settings_sha256(files.folder) == loaded.settings_sha256


def test_an_adapter_has_the_hash_of_a_loaded_one(tmp_path: Path) -> None:
    (tmp_path / "adapter_config.json").write_text('{"peft_type": "LORA", "r": 1}')
    with pytest.raises(RecordError, match=r"has no adapter_model\.safetensors"):
        adapter_sha256(tmp_path)
    (tmp_path / "adapter_model.safetensors").write_bytes(b"weights")
    assert adapter_sha256(tmp_path) == AdapterFolder("m", "a", tmp_path).sha256


@pytest.mark.parametrize("place", ["cache", "mirror"])
def test_a_source_is_found_without_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    content = b"GGUF of a test"
    pin = _pin(content)
    monkeypatch.setenv("ISOGLOSS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ISOGLOSS_MIRROR", str(tmp_path))
    with pytest.raises(RecordError, match="isogloss fetch m --out FILE"):
        find_model_files("source m", "5.0.0", {"m": pin}, tmp_path)
    file = tmp_path / {"cache": f"cache/sources/{pin.sha256}", "mirror": pin.mirror}[place]
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    files = find_model_files("source m", "5.0.0", {"m": pin}, tmp_path)
    assert (files.weights_sha256, files.folder) == (pin.sha256, None)
    converted = tmp_path / "cache/converted" / f"{pin.sha256}-transformers-5.0.0"
    converted.mkdir(parents=True)
    assert find_model_files("source m", "5.0.0", {"m": pin}, tmp_path).folder == converted


def test_a_model_of_the_hub_is_found_in_its_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    origin = f"org/model@{REVISION}"
    with pytest.raises(RecordError, match="is not in the hub's cache"):
        find_model_files(origin, "5.0.0", {}, tmp_path)
    snapshot = tmp_path / "models--org--model/snapshots" / REVISION
    _folder(snapshot, "model.safetensors")
    assert find_model_files(origin, "5.0.0", {}, tmp_path).folder == snapshot


def test_half_a_model_is_not_at_hand(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "m", "a.safetensors")
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"x": "a.safetensors", "y": "b.safetensors"}}))
    with pytest.raises(RecordError, match=r"of m, b\.safetensors is not here"):
        find_model_files("m", "5.0.0", {}, tmp_path)
    index.write_text("[]")
    with pytest.raises(RecordError, match="cannot be read"):
        find_model_files("m", "5.0.0", {}, tmp_path)
    index.unlink()
    (folder / "a.safetensors").unlink()
    with pytest.raises(RecordError, match="every safetensors file is not here"):
        find_model_files("m", "5.0.0", {}, tmp_path)
    with pytest.raises(RecordError, match="no folder or GGUF file gone"):
        find_model_files("gone", "5.0.0", {}, tmp_path)
