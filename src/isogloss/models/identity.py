"""What makes a model the model it is: hashes of its weights, tokenizer and chat template."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from isogloss.errors import ModelError
from isogloss.fetch.obtain import sha256_of
from isogloss.models.served import ServedIdentity


@dataclass(frozen=True)
class ModelIdentity:
    """Identity of a local model; two models with equal identities give the same responses."""

    name: str
    backend: str
    origin: str
    """Source id, path or hub id and revision."""
    weights_sha256: str
    """SHA-256 of the weights file, or of the list of names and hashes of several."""
    tokenizer_sha256: str
    """SHA-256 of the tokenizer's full serialisation."""
    chat_template_sha256: str
    """SHA-256 of the chat template's text."""
    default_system_message: str | None
    """System message that the chat template adds by itself, if any."""
    architecture: str
    n_parameters: int
    dtype: str
    transformers: str
    """Version of the library that ran it."""
    torch: str
    settings_sha256: str | None = None
    """SHA-256 over the configuration files; None where they are inside the weights file."""
    adapter_sha256: str | None = None
    """SHA-256 over an adapter's weights and configuration, if there is one."""
    date: str | None = None
    """Date that the chat template prints; None where it prints none."""
    device: str = "cpu"
    """Where it ran. In float32 the responses of all devices agree, in shorter formats not."""

    @property
    def digest(self) -> str:
        """SHA-256 of what decides the responses.

        Weights, settings, adapter, tokenizer, template and its date, dtype, and the device where
        the dtype is not float32.
        """
        decisive = [
            self.weights_sha256,
            self.tokenizer_sha256,
            self.chat_template_sha256,
            self.dtype,
            *([] if self.settings_sha256 is None else [self.settings_sha256]),
            *([] if self.adapter_sha256 is None else [f"adapter {self.adapter_sha256}"]),
            *([] if self.date is None else [f"date {self.date}"]),
            *([] if self.dtype == "float32" else [f"device {self.device}"]),
        ]
        return sha256_of_text("\n".join(decisive))


def sha256_of_text(text: str) -> str:
    """SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def sha256_of_files(files: Sequence[Path]) -> str:
    """SHA-256 over the names and hashes of files, in their order."""
    return sha256_of_text("".join(f"{file.name} {sha256_of(file)}\n" for file in files))


Identity = ModelIdentity | ServedIdentity
"""What tells one model from another, whichever way it is reached."""


def write_manifest(manifest: dict[str, Any], path: Path) -> None:
    """Write a model's identity as JSON with sorted keys."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(manifest, indent=2, sort_keys=True, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def manifest_of(identity: Identity) -> dict[str, Any]:
    """Return the JSON form of an identity, with its digest."""
    return {**asdict(identity), "digest": identity.digest}


def check_manifest(identity: Identity, path: Path) -> None:
    """Raise `ModelError` when the model at hand is not the one the manifest describes."""
    try:
        recorded = json.loads(path.read_text(encoding="utf-8"))["digest"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(
            f"{path}: not a readable model manifest; delete it and run again"
        ) from error
    if recorded != identity.digest:
        raise ModelError(
            f"model {identity.name} is not the one that {path} describes\n"
            f"  recorded digest {recorded}\n  found    digest {identity.digest}"
        )
