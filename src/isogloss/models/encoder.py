"""Load a sentence encoder as a function of texts."""

from collections.abc import Sequence
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isogloss.config.schema import EncoderConfig
from isogloss.errors import ModelError
from isogloss.fetch.obtain import sha256_of
from isogloss.validate.similarity import Encode


def encoder_folder(config: EncoderConfig, project: Path) -> Path:
    """Folder of the sentence-transformers model that a configuration names.

    Raises `ModelError` when there is none.
    """
    if config.path is not None:
        folder = project / config.path
    else:
        folder = _package_folder(str(config.package)) / "model"
    if not (folder / "modules.json").is_file():
        raise ModelError(f"encoder: {_place(config)} holds no sentence-transformers model")
    return folder


def _place(config: EncoderConfig) -> str:
    return f"package {config.package}" if config.path is None else config.path


def _package_folder(package: str) -> Path:
    try:
        spec = find_spec(package.replace("-", "_"))
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None:
        raise ModelError(f"encoder: package {package} is not installed; install it with pip")
    return Path(spec.origin).parent


def _weights(config: EncoderConfig, folder: Path) -> Path:
    found = sorted(folder.glob("*.safetensors"))
    if not found:
        raise ModelError(f"encoder {_place(config)}: no safetensors file; pickles are not read")
    return found[0]


def load_encoder(config: EncoderConfig, project: Path) -> Encode:
    """Return a function from texts to embeddings of shape (texts, dimension), float32, on CPU."""
    from isogloss.models.quiet import quiet  # imports transformers, which an identity needs not

    sentence_transformers = import_module("sentence_transformers")
    folder = encoder_folder(config, project)
    _weights(config, folder)
    try:
        with quiet():
            model: Any = sentence_transformers.SentenceTransformer(
                str(folder),
                device="cpu",
                trust_remote_code=False,
                local_files_only=True,
                model_kwargs={"use_safetensors": True},
            )
    except Exception as error:  # each kind of file raises an error class of its own
        raise ModelError(f"encoder {_place(config)} cannot be loaded: {error}") from error

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = model.encode(
            list(texts), convert_to_numpy=True, show_progress_bar=False, batch_size=32
        )
        return np.asarray(vectors, dtype=np.float32)

    return encode


def encoder_identity(config: EncoderConfig, project: Path) -> dict[str, str]:
    """What makes the encoder the encoder it is: its origin and the hash of its weights."""
    weights = _weights(config, encoder_folder(config, project))
    if config.path is None:
        origin = f"{config.package} {metadata.version(str(config.package))}"
    else:
        origin = config.path
    return {"backend": "sentence-transformers", "origin": origin, "sha256": sha256_of(weights)}
