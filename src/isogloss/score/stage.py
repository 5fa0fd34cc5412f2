"""Score one item set with one model: items and verdicts in, a response table out."""

from dataclasses import dataclass
from pathlib import Path

import torch

from isogloss.config.schema import StudySettings, TransformersModel
from isogloss.fetch import Source
from isogloss.models.identity import check_manifest
from isogloss.models.local import load_model
from isogloss.score.ask import Asker
from isogloss.score.progress import Progress
from isogloss.score.responses import Response
from isogloss.score.store import ResponseStore
from isogloss.studies.base import ItemTable, Origin, Study

STORE = Path(".isogloss") / "responses.sqlite"
"""Where answers are kept between runs, relative to the project."""


@dataclass(frozen=True)
class Scoring:
    """A study's settings for one item set and one model."""

    study: Study
    settings: StudySettings
    table: ItemTable
    origin: Origin


def score_local(
    scoring: Scoring,
    config: TransformersModel,
    sources: dict[str, Source],
    manifest: Path,
    project: Path,
) -> list[Response]:
    """Ask a local model, reusing every answer in the project's response store.

    Raises `ModelError` when the model is not the one its manifest describes.
    """
    if config.threads is not None:
        torch.set_num_threads(config.threads)
    local = load_model(scoring.origin.model, config, sources, project)
    check_manifest(local.identity, manifest)
    with ResponseStore(project / STORE) as store:
        asker = Asker(local, store, batch_tokens=config.batch_tokens, progress=Progress)
        return scoring.study.respond(scoring.table, asker, scoring.settings, scoring.origin)
