"""An open project: its folder, configuration and sources, and where each stage keeps its files."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from isogloss.analysis.files import RESULT_FILES
from isogloss.config import (
    Config,
    RecordedModel,
    StudySettings,
    TransformersModel,
    load_config,
)
from isogloss.errors import ConfigurationError
from isogloss.fetch import FileSource, Source, load_sources, source_named
from isogloss.mixed.files import MIXED_FILES
from isogloss.studies.base import Study
from isogloss.studies.registry import STUDIES

Section = Literal["validation", "scoring", "analysis"]

_CODE = {
    "fetch": ("fetch",),
    "identify": ("models",),
    "stimuli": ("stimuli", "studies", "validate"),
    "validate": ("validate", "models", "studies"),
    "score": ("score", "models", "studies", "validate"),
    "analysis": ("analysis", "score", "stats", "studies", "validate"),
    "glmm": ("mixed", "analysis", "score", "stats", "studies"),
    "report": ("analysis", "mixed", "report"),
}
"""Parts of the package whose change runs a stage again."""


@dataclass(frozen=True)
class Job:
    """One model's answers about one item set of one study."""

    study: str
    items: str
    model: str


@dataclass(frozen=True)
class Project:
    """Everything a stage needs to know about the run, and the paths of its artifacts.

    Paths are relative to `root`.
    """

    root: Path
    config: Config
    sources: dict[str, Source]

    @staticmethod
    def pattern(names: Iterable[str]) -> str:
        """Return a regular expression that matches the names and nothing else."""
        return "|".join(re.escape(name) for name in names)

    def study(self, name: str) -> Study:
        """Return a configured study; raise `ConfigurationError` for any other name."""
        if name not in self.config.studies:
            known = ", ".join(self.config.studies)
            raise ConfigurationError(f"study {name!r} is not configured; configured: {known}")
        return STUDIES[name]

    def settings(self, study: str) -> StudySettings:
        """Return a study's settings."""
        return self.config.studies[self.study(study).name]

    def section(self, study: str, section: Section) -> str:
        """Return one section of a study's settings as canonical JSON."""
        return _canonical(getattr(self.settings(study), section))

    def jobs(self, study: str | None = None) -> list[Job]:
        """Return every item set and model to score, in the order of the configuration."""
        return [
            Job(name, run.items, model)
            for name, settings in self.config.studies.items()
            for run in settings.runs
            for model in run.models
            if study in (None, name)
        ]

    def item_sets(self, study: str) -> list[str]:
        """Return the names of the item sets that a study uses."""
        return [run.items for run in self.settings(study).runs]

    def item_inputs(self, study: str, items: str) -> list[str]:
        """Files from which an item set is made: authored files, then fetched sources."""
        item_set = self.study(study).item_set(items)
        return [*item_set.files, *(self.raw_path(source) for source in item_set.sources)]

    def raw_path(self, source: str) -> str:
        """Path of a fetched source."""
        pin = source_named(self.sources, source)
        place = pin.mirror if isinstance(pin, FileSource) else pin.member
        return f"data/raw/{source}/{Path(place).name}"

    def items_folder(self, study: str, items: str) -> str:
        """Folder of an item set."""
        return f"data/items/{study}/{items}"

    def model_input(self, model: str) -> str:
        """File a model's answers depend on: its manifest, or the responses it replays."""
        config = self.config.models[model]
        if isinstance(config, RecordedModel):
            return self.raw_path(config.source)
        return f"data/models/{model}.json"

    def model_files(self, model: str) -> list[str]:
        """Files of a model that lies in a folder of the user's; a change makes it another model."""
        config = self.config.models.get(model)
        if not isinstance(config, TransformersModel):
            return []
        places = [self.root / place for place in (config.path, config.adapter) if place is not None]
        return [os.path.relpath(file, self.root) for path in places for file in _files(path)]

    def responses_path(self, job: Job) -> str:
        """Path of a response table."""
        return f"data/responses/{job.study}/{job.items}/{job.model}.parquet"

    def analysis_inputs(self, study: str) -> list[str]:
        """Files that a study's analysis reads: responses, checks and verdicts."""
        folders = [self.items_folder(study, items) for items in self.item_sets(study)]
        tables = [f"{f}/{name}.csv" for f in folders for name in ("checks", "verdicts")]
        return [*(self.responses_path(job) for job in self.jobs(study)), *tables]

    def results_folder(self, study: str) -> str:
        """Folder of a study's result tables."""
        return f"data/results/{study}"

    def result_paths(self, study: str) -> list[str]:
        """Files that a study's analysis writes: its tables, and the plan they follow."""
        return [f"{self.results_folder(study)}/{name}" for name in RESULT_FILES]

    def mixed_inputs(self, study: str) -> list[str]:
        """Files that a study's mixed models read: responses."""
        return [self.responses_path(job) for job in self.jobs(study)]

    def mixed_paths(self, study: str) -> list[str]:
        """Files that the stage glmm writes for a study."""
        return [f"{self.results_folder(study)}/{name}" for name in MIXED_FILES]

    def report_inputs(self) -> list[str]:
        """Files that the report's parts are made from: result tables and model manifests."""
        tables = [
            path
            for study in self.config.studies
            for path in (*self.result_paths(study), *self.mixed_paths(study))
        ]
        used = {job.model for job in self.jobs()}
        return [*tables, *(self.model_input(model) for model in sorted(used))]

    def pages(self) -> list[str]:
        """Sources of the report's pages."""
        return sorted(f"reports/{path.name}" for path in (self.root / "reports").glob("*.qmd"))

    def threads(self, model: str, cores: int) -> int:
        """Threads of a scoring job: as configured for a model that runs here, else all or one."""
        config = self.config.models[model]
        if isinstance(config, TransformersModel):
            return min(config.threads or cores, cores)
        return 1

    def pin(self, source: str) -> str:
        """Return a source's pin as canonical JSON."""
        return _canonical(source_named(self.sources, source))

    def model_settings(self, model: str) -> str:
        """Return a model's configuration as canonical JSON."""
        return _canonical(self.config.models[model])

    def encoder_settings(self) -> str:
        """Return the encoder's configuration as canonical JSON."""
        return _canonical(self.config.encoder)

    def code(self, stage: str) -> str:
        """SHA-256 over the package's code that a stage runs, file by file."""
        package = Path(__file__).parent
        digest = hashlib.sha256()
        for part in _CODE[stage]:
            for path in sorted((package / part).rglob("*.py")):
                digest.update(f"{path.relative_to(package).as_posix()}\n".encode())
                digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
        return digest.hexdigest()


def _files(path: Path) -> list[Path]:
    """Return a file itself, or the files of a folder."""
    return [path] if path.is_file() else [f for f in sorted(path.glob("*.*")) if f.is_file()]


def _canonical(settings: BaseModel) -> str:
    return json.dumps(settings.model_dump(mode="json"), sort_keys=True)


def open_project(config: Path, root: Path | None = None) -> Project:
    """Read configuration and sources and check that they fit each other.

    Raises `ConfigurationError` for a study, model, item set or source that does not exist, and
    for a source with hateful content that the configuration does not allow.
    """
    root = Path.cwd() if root is None else root
    loaded = load_config(
        root / config if not config.is_absolute() else config,
        {name: study.settings_model for name, study in STUDIES.items()},
    )
    project = Project(root, loaded, load_sources(root / "data" / "sources.yaml"))
    for source in used_sources(project):
        pin = source_named(project.sources, source)
        if pin.hateful and not loaded.allow_hateful_content:
            raise ConfigurationError(
                f"source {source} contains hateful content ({pin.title}); set "
                f"allow_hateful_content: true in {config} to use it"
            )
    return project


def used_sources(project: Project) -> Iterator[str]:
    """Yield the id of each source that the configuration refers to, some more than once."""
    for job in project.jobs():
        yield from STUDIES[job.study].item_set(job.items).sources
    for model in project.config.models.values():
        source = getattr(model, "source", None)
        if source is not None:
            yield source
