"""Score one item set with one model: items and verdicts in, a response table out."""

from dataclasses import dataclass
from pathlib import Path

from isogloss.config.schema import OpenAIModel, StudySettings, TransformersModel
from isogloss.fetch import Source
from isogloss.models.identity import Identity, check_manifest, manifest_of
from isogloss.score.ask import Asker
from isogloss.score.backend import Backend, Estimate
from isogloss.score.dry_run import DryRun, UnchangedStore
from isogloss.score.progress import Progress
from isogloss.score.responses import Response
from isogloss.score.store import DEFAULT_STORE, ResponseStore
from isogloss.studies.base import ItemTable, Origin, Study

AskedModel = TransformersModel | OpenAIModel
"""Configuration of a model that can be asked."""


@dataclass(frozen=True)
class Scoring:
    """A study's settings for one item set and one model."""

    study: Study
    settings: StudySettings
    table: ItemTable
    origin: Origin


@dataclass(frozen=True)
class Opened:
    """A backend, and what its model is."""

    backend: Backend
    identity: Identity


def open_backend(
    name: str, config: AskedModel, sources: dict[str, Source], project: Path
) -> Opened:
    """Load a local model, or prepare to ask a server; a server is not spoken to yet."""
    if isinstance(config, OpenAIModel):
        from isogloss.models.served import served_identity
        from isogloss.score.api import ApiBackend

        return Opened(ApiBackend(name, config), served_identity(name, config))
    import torch

    from isogloss.models.local import load_model
    from isogloss.score.local.backend import LocalBackend

    if config.threads is not None:
        torch.set_num_threads(config.threads)
    local = load_model(name, config, sources, project)
    backend = LocalBackend(local, memory_mb=config.memory_mb)
    return Opened(backend, local.identity)


def score_items(scoring: Scoring, opened: Opened, manifest: Path, project: Path) -> list[Response]:
    """Ask a model, reusing every answer in the project's response store.

    Raises `ModelError` when the model is not the one its manifest describes.
    """
    check_manifest(opened.identity, manifest)
    with ResponseStore(project / DEFAULT_STORE) as store:
        store.describe_model(opened.backend.digest, manifest_of(opened.identity))
        asker = Asker(opened.backend, store, progress=Progress)
        return scoring.study.respond(scoring.table, asker, scoring.settings, scoring.origin)


def estimate_items(scoring: Scoring, opened: Opened, project: Path) -> Estimate:
    """Estimate what `score_items` would still have to ask; nothing is asked or stored."""
    dry = DryRun(opened.backend)
    with ResponseStore(project / DEFAULT_STORE) as store:
        asker = Asker(dry, UnchangedStore(store), progress=Progress)
        scoring.study.respond(scoring.table, asker, scoring.settings, scoring.origin)
    return dry.total
