"""Find the files of a configured model and say which they are."""

from dataclasses import dataclass
from pathlib import Path

from isogloss.config.schema import TransformersModel
from isogloss.errors import ModelError
from isogloss.fetch import Source, locate, source_named
from isogloss.fetch.obtain import sha256_of
from isogloss.models.gguf import converted
from isogloss.models.identity import sha256_of_files
from isogloss.terminal import shows_bars


@dataclass(frozen=True)
class Weights:
    """The files of a model."""

    folder: Path
    """Folder with safetensors, configuration and tokenizer."""
    origin: str
    """Where they come from, in the words of the configuration."""
    sha256: str
    settings_sha256: str | None
    """None where the settings are inside the weights' file."""


def find_weights(
    name: str, config: TransformersModel, sources: dict[str, Source], project: Path
) -> Weights:
    """Return the files of a model, downloaded or converted when need be.

    Raises `ModelError` naming the model and the remedy when there are none.
    """
    if config.source is not None:
        located = locate(config.source, source_named(sources, config.source), project)
        return _from_gguf(name, located.path, f"source {config.source}")
    if config.path is not None:
        path = project / config.path
        if path.is_file() and path.suffix == ".gguf":
            return _from_gguf(name, path, config.path)
        if not path.is_dir():
            raise ModelError(f"model {name}: no folder or GGUF file at {config.path}")
        return _from_folder(name, path, config.path)
    return _from_hub(name, str(config.hub), str(config.revision))


def _from_hub(name: str, repository: str, revision: str) -> Weights:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    from huggingface_hub.utils.tqdm import disable_progress_bars

    if not shows_bars():
        disable_progress_bars()
    wanted = ["*.json", "*.safetensors", "*.model", "*.txt", "*.jinja"]
    try:
        folder = snapshot_download(repository, revision=revision, allow_patterns=wanted)
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError, ValueError) as error:
        raise ModelError(
            f"model {name}: {repository} at {revision} cannot be had from the hub ({error}); "
            "connect to the network, or download it and give its folder as path"
        ) from error
    return _from_folder(name, Path(folder), f"{repository}@{revision}")


def _from_folder(name: str, folder: Path, origin: str) -> Weights:
    settings = [folder / file for file in ("config.json", "generation_config.json")]
    listed = sha256_of_files([file for file in settings if file.is_file()])
    return Weights(folder, origin, _sha256_of_folder(name, folder), listed)


def _sha256_of_folder(name: str, folder: Path) -> str:
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ModelError(
            f"model {name}: no safetensors file in {folder.name}; pickles are not read"
        )
    return sha256_of(files[0]) if len(files) == 1 else sha256_of_files(files)


def _from_gguf(name: str, path: Path, origin: str) -> Weights:
    """The converted file; the identity stays the GGUF file's hash."""
    digest = sha256_of(path)
    return Weights(converted(name, path, origin, digest), origin, digest, None)
