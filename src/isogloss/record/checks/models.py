"""Check `models`: weights, settings, adapter, tokenizer and template against the manifests."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from isogloss.config.load import read_yaml
from isogloss.errors import IsoglossError, RecordError
from isogloss.fetch import Source, load_sources
from isogloss.models.identity import ModelIdentity
from isogloss.record.checks.base import Outcome
from isogloss.record.checks.sources import PINS
from isogloss.record.findings import Finding
from isogloss.record.lock import read_lock
from isogloss.record.manifests import manifest_paths, read_manifest
from isogloss.record.model_files import (
    ModelFiles,
    adapter_sha256,
    find_model_files,
    loaded_tokenizer_hashes,
    settings_sha256,
    tokenizer_hashes,
)


@dataclass(frozen=True)
class ModelsCheck:
    """Files of every model whose manifest is recorded.

    They are read where they are: nothing is downloaded, and a model is not loaded. A model behind
    a server has no files that anyone could compare, which the summary says.
    """

    config: Path = Path("config/config.yaml")
    """Configuration, read for the places of adapters only."""
    name: Literal["models"] = "models"

    def run(self, project: Path) -> Outcome:
        """Hash the files of each model and compare the hashes with its manifest."""
        paths = manifest_paths(read_lock(project / "dvc.lock"))
        outcomes = [self._of_model(path, project) for path in paths]
        local = sum(outcome.covered for outcome in outcomes)
        served = [outcome.summary for outcome in outcomes if outcome.summary]
        return Outcome(
            summary="; ".join((f"files of models: {local}", *served)),
            covered=local,
            findings=tuple(finding for outcome in outcomes for finding in outcome.findings),
            not_checked=tuple(reason for outcome in outcomes for reason in outcome.not_checked),
        )

    def _of_model(self, path: str, project: Path) -> Outcome:
        found: list[Finding] = []
        try:
            identity, digest = read_manifest(project / path)
            if not isinstance(identity, ModelIdentity):
                return Outcome(f"{identity.name} runs behind a server and has no files to compare")
            found += _differs(path, "digest of the manifest's own fields", digest, identity.digest)
            pins = _pins(identity, project)
            files = find_model_files(identity.origin, identity.transformers, pins, project)
            found += _of_files(path, identity, files)
            found += self._of_adapter(path, identity, project)
        except IsoglossError as error:
            return Outcome("", findings=tuple(found), not_checked=(f"{path}: {error}",))
        return Outcome("", covered=1, findings=tuple(found))

    def _of_adapter(self, path: str, identity: ModelIdentity, project: Path) -> list[Finding]:
        if identity.adapter_sha256 is None:
            return []
        place = _adapter_place(project / self.config, identity.name)
        found = adapter_sha256(project / place)
        return _differs(path, f"adapter {place}", identity.adapter_sha256, found)


def _pins(identity: ModelIdentity, project: Path) -> dict[str, Source]:
    return load_sources(project / PINS) if identity.origin.startswith("source ") else {}


def _of_files(path: str, identity: ModelIdentity, files: ModelFiles) -> Iterator[Finding]:
    weights = f"weights in {files.place}"
    yield from _differs(path, weights, identity.weights_sha256, files.weights_sha256)
    if files.folder is None:
        return
    if identity.settings_sha256 is not None:
        found = settings_sha256(files.folder)
        yield from _differs(path, f"settings in {files.place}", identity.settings_sha256, found)
    place = "the converted copy in the cache" if files.in_one_file else files.place
    yield from _of_tokenizer(path, identity, files.folder, place)


def _of_tokenizer(
    path: str, identity: ModelIdentity, folder: Path, place: str
) -> Iterator[Finding]:
    recorded = (identity.tokenizer_sha256, identity.chat_template_sha256)
    read = tokenizer_hashes(folder)
    if read == recorded:
        return
    loaded = loaded_tokenizer_hashes(folder)
    for index, what in enumerate((f"tokenizer in {place}", f"chat template in {place}")):
        if read[index] != recorded[index]:
            yield from _differs(path, what, recorded[index], loaded[index])


def _differs(path: str, what: str, recorded: str, found: str) -> list[Finding]:
    if recorded == found:
        return []
    return [Finding("model", path, note=what, recorded=recorded, found=found)]


def _adapter_place(config: Path, model: str) -> str:
    try:
        return str(read_yaml(config)["models"][model]["adapter"])
    except (KeyError, TypeError) as error:
        raise RecordError(
            f"{config.name} has no adapter for model {model}: name the configuration of the run "
            "with --config"
        ) from error
