"""The files of a recorded model, where they are at hand: nothing is downloaded or converted.

torch is not loaded. The hashes are those that `isogloss.models.weights` and
`isogloss.models.local` compute when a model is loaded.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isogloss.errors import RecordError
from isogloss.fetch import PackageSource, Source, mirror_dir, source_named
from isogloss.fetch.obtain import cache_dir, sha256_of
from isogloss.fetch.package import find_installed
from isogloss.models.identity import sha256_of_files, sha256_of_text

_HUB = re.compile(r"(?P<repository>.+)@(?P<revision>[0-9a-f]{40})")
_INDEX = "model.safetensors.index.json"


@dataclass(frozen=True)
class ModelFiles:
    """A model's files."""

    place: str
    """Where they were found, in words."""
    weights_sha256: str
    """Hash of the weights as a manifest has it."""
    folder: Path | None
    """Folder with the tokenizer; none for a GGUF file that was not converted here."""
    in_one_file: bool
    """Whether settings and tokenizer are inside the weights' file."""


def find_model_files(
    origin: str, transformers: str, sources: dict[str, Source], project: Path
) -> ModelFiles:
    """Find the files of a model by the `origin` of its manifest.

    `transformers` is the version that ran it, under which a converted GGUF file is kept.

    Raises:
        RecordError: the files, or some of them, are not at hand; says how to have them.
        ConfigurationError: data/sources.yaml does not have the source.
    """
    if origin.startswith("source "):
        name = origin.removeprefix("source ")
        path, place = _source_file(name, source_named(sources, name), project)
        return _gguf(path, place, transformers)
    path = project / origin
    if path.is_file():
        return _gguf(path, origin, transformers)
    if path.is_dir():
        return _folder(path, origin)
    on_hub = _HUB.fullmatch(origin)
    if on_hub is None:
        raise RecordError(f"there is no folder or GGUF file {origin}: put it back")
    return _folder(_snapshot(on_hub["repository"], on_hub["revision"]), origin)


def _source_file(name: str, pin: Source, project: Path) -> tuple[Path, str]:
    """The file of a source in the places where `locate` looks, the network left out."""
    mirror = mirror_dir(project)
    cached = cache_dir() / "sources" / pin.sha256
    if isinstance(pin, PackageSource):
        found, place = find_installed(pin), f"{pin.member} of the installed {pin.package}"
    else:
        found, place = mirror and mirror / pin.mirror, f"{pin.mirror} of the sources mirror"
    if found is not None and found.is_file():
        return found, place
    if cached.is_file():
        return cached, f"sources/{pin.sha256} of the cache"
    raise RecordError(
        f"source {name} is neither installed nor in the cache: "
        f"`isogloss fetch {name} --out FILE` brings it into the cache"
    )


def _gguf(path: Path, place: str, transformers: str) -> ModelFiles:
    digest = sha256_of(path)
    converted = cache_dir() / "converted" / f"{digest}-transformers-{transformers}"
    return ModelFiles(place, digest, converted if converted.is_dir() else None, in_one_file=True)


def _folder(folder: Path, origin: str) -> ModelFiles:
    files = sorted(folder.glob("*.safetensors"))
    lacking = _listed(folder) - {file.name for file in files}
    if lacking or not files:
        named = ", ".join(sorted(lacking)) or "every safetensors file"
        raise RecordError(f"of {origin}, {named} is not here: bring the model here again")
    digest = sha256_of(files[0]) if len(files) == 1 else sha256_of_files(files)
    return ModelFiles(origin, digest, folder, in_one_file=False)


def _listed(folder: Path) -> set[str]:
    """Files of weights that a folder's index names, if there is one."""
    try:
        index = json.loads((folder / _INDEX).read_text(encoding="utf-8"))
        return set(index["weight_map"].values())
    except FileNotFoundError:
        return set()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"{folder.name}/{_INDEX} cannot be read ({error})") from error


def _snapshot(repository: str, revision: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(repository, revision=revision, local_files_only=True))
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError, ValueError) as error:
        raise RecordError(
            f"{repository} at {revision} is not in the hub's cache: download it"
        ) from error


def settings_sha256(folder: Path) -> str:
    """Hash over a model folder's configuration files, as a manifest has it."""
    files = (folder / name for name in ("config.json", "generation_config.json"))
    return sha256_of_files([file for file in files if file.is_file()])


def adapter_sha256(folder: Path) -> str:
    """Hash over a LoRA adapter's settings and weights, as a manifest has it.

    Raises:
        RecordError: one of the two files is not there.
    """
    files = [folder / name for name in ("adapter_config.json", "adapter_model.safetensors")]
    for file in files:
        if not file.is_file():
            raise RecordError(f"adapter {folder.name} has no {file.name}: put it back")
    return sha256_of_files(files)


def tokenizer_hashes(folder: Path) -> tuple[str | None, str | None]:
    """Hashes of a tokenizer's serialisation and of its chat template, read from its files.

    transformers may change either while it loads them, so a hash that is not the recorded one
    proves nothing; see `loaded_tokenizer_hashes`. None where there is no such file.
    """
    return _tokenizer_sha256(folder), _template_sha256(folder)


def _tokenizer_sha256(folder: Path) -> str | None:
    from tokenizers import Tokenizer

    file = folder / "tokenizer.json"
    if not file.is_file():
        return None
    try:
        return sha256_of_text(Tokenizer.from_file(str(file)).to_str())
    except Exception:  # the library raises `Exception` itself for a file that it cannot read
        return None


def _template_sha256(folder: Path) -> str | None:
    try:
        return sha256_of_text((folder / "chat_template.jinja").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        pass
    try:
        settings: Any = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
        template = settings["chat_template"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return sha256_of_text(template) if isinstance(template, str) else None


def loaded_tokenizer_hashes(folder: Path) -> tuple[str, str]:
    """The same two hashes of the tokenizer as transformers loads it, which takes seconds.

    Raises:
        RecordError: it cannot be loaded.
    """
    from transformers import AutoTokenizer

    from isogloss.models.local import serialised

    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    except Exception as error:  # each kind of file raises an error class of its own
        raise RecordError(f"its tokenizer cannot be loaded: {error}") from error
    template = sha256_of_text(str(tokenizer.chat_template))
    return sha256_of_text(serialised(tokenizer, folder)), template
