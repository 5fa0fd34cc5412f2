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

from isogloss.analysis.files import result_files
from isogloss.config import (
    Config,
    OpenAIModel,
    RecordedModel,
    StudySettings,
    TransformersModel,
    load_config,
)
from isogloss.errors import ConfigurationError, ModelError
from isogloss.fetch import FileSource, Source, load_sources, mirror_dir, source_named
from isogloss.guises.definition import load_guises
from isogloss.inventory.files import CALIBRATION_FILES, INVENTORY_FILES
from isogloss.mixed.files import MIXED_FILES
from isogloss.stimuli.sets import DeclaredSet, load_sets, set_named
from isogloss.studies.base import Study
from isogloss.studies.registry import STUDIES
from isogloss.weat.files import TABLE_NAMES as WEAT_TABLE_NAMES

Section = Literal["scoring", "analysis"]

_CODE = {
    "fetch": ("fetch",),
    "identify": ("models",),
    "stimuli": ("stimuli", "studies", "validate"),
    "validate": ("validate", "guises", "models", "stimuli"),
    "generate": ("stimuli", "validate", "guises", "models", "score"),
    "calibrate": ("validate", "guises", "models", "stats"),
    "inventory": ("inventory", "analysis", "review", "stats", "stimuli", "validate"),
    "score": ("score", "models", "postings", "studies", "validate"),
    "analysis": ("analysis", "postings", "score", "stats", "studies", "validate"),
    "weat": ("weat", "analysis", "models", "stats", "validate"),
    "glmm": ("mixed", "analysis", "postings", "score", "stats", "studies"),
    "report": ("analysis", "crate", "inventory", "mixed", "report", "studies", "weat"),
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
    declared: dict[str, DeclaredSet]
    """Every item set declared in `data/stimuli`, by folder and name."""

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

    def sets(self) -> list[str]:
        """Names of the item sets to validate: those of the runs, then those configured beside.

        A set whose file can be had from nowhere is not among them; see `sets_out_of_reach`.
        """
        of_runs = [f"{job.study}/{job.items}" for job in self.jobs()]
        out_of_reach = self.sets_out_of_reach()
        wanted = dict.fromkeys((*of_runs, *self._sets_beside()))
        return [name for name in wanted if name not in out_of_reach]

    def folders(self) -> list[str]:
        """Studies that are configured, and folders of the item sets to validate."""
        of_sets = (name.partition("/")[0] for name in self.sets())
        return list(dict.fromkeys((*self.config.studies, *of_sets)))

    def sets_out_of_reach(self) -> dict[str, str]:
        """Configured item sets that cannot be had here, with the reason."""
        mirror = mirror_dir(self.root)
        found = {}
        for name in self._sets_beside():
            source = self.declared[name].content.source
            pin = None if source is None else self.sources[source]
            if not isinstance(pin, FileSource) or pin.url is not None:
                continue
            if (self.root / self.raw_path(str(source))).is_file():
                continue
            if mirror is None or not (mirror / pin.mirror).is_file():
                found[name] = f"{pin.mirror} has no public address and is in no sources mirror here"
        return found

    def _sets_beside(self) -> list[str]:
        """Item sets that are configured beside those of the runs."""
        tested = (contrast.set for contrast in self.config.weat.contrasts.values())
        return list(dict.fromkeys((*self.config.stimuli.sets, *tested)))

    def declared_set(self, study: str, items: str) -> DeclaredSet:
        """Return an item set's declaration; raise `ConfigurationError` when there is none."""
        return set_named(self.declared, study, items)

    def item_inputs(self, study: str, items: str) -> list[str]:
        """Files from which an item set is made: authored files, then fetched sources."""
        if study in STUDIES and items in STUDIES[study].item_sets:
            item_set = STUDIES[study].item_set(items)
            if not item_set.as_declared:
                return [*item_set.files, *(self.raw_path(source) for source in item_set.sources)]
        content = self.declared_set(study, items).content
        return [content.file] if content.file else [self.raw_path(str(content.source))]

    def validation_inputs(self, study: str, items: str) -> list[str]:
        """Files that the validation of an item set reads beside its items.

        These are its declaration, every guise with its lexicon, what the checks count, the items
        of other sets, of which no text may stand here again, and the manifest of the judge.
        """
        declaration = f"data/stimuli/{study}/{items}.yaml"
        judge = self.config.stimuli.judge
        model = [] if judge is None else [self.model_input(judge)]
        return [declaration, *self.guise_files(), *self.other_items(f"{study}/{items}"), *model]

    def other_items(self, name: str) -> list[str]:
        """Items of the sets whose texts must not stand in a set again.

        These are published sets and, for an authored one, those authored sets that are listed
        before it; never those that share texts with it on purpose. So an edit of one set does not
        validate all the others again. A set that is not among them stands behind them all.
        """
        ordered = sorted(self.sets(), key=lambda other: self.declared[other].content.source is None)
        earlier = ordered[: ordered.index(name)] if name in ordered else ordered
        related = self.declared[name].content.related
        return [f"data/items/{other}/items.csv" for other in earlier if other not in related]

    def guise_files(self) -> list[str]:
        """Definitions of guises, and everything that is counted in texts."""
        folders = ("data/guises", "data/lexicons")
        paths = [path for f in folders for path in sorted((self.root / f).glob("*.yaml"))]
        return [path.relative_to(self.root).as_posix() for path in paths]

    def set_tables(self) -> list[str]:
        """Tables that validation wrote for every item set."""
        names = ("items", "checks", "verdicts")
        return [f"data/items/{name}/{table}.csv" for name in self.sets() for table in names]

    def generated_folder(self, name: str) -> str:
        """Folder of generated texts."""
        return f"data/generated/{name}"

    def generated_paths(self) -> list[str]:
        """Tables of everything that is generated."""
        names = self.config.stimuli.generate
        return [
            f"{self.generated_folder(name)}/{table}.csv"
            for name in names
            for table in ("candidates", "chosen")
        ]

    def generated_inputs(self, name: str) -> list[str]:
        """Files that generation reads: items, their declaration, guises, a model's manifest."""
        made = self.config.stimuli.generate[name]
        model = [] if made.by == "rules" else [self.model_input(made.by)]
        items = f"data/items/{made.set}/items.csv"
        return [items, f"data/stimuli/{made.set}.yaml", *self.guise_files(), *model]

    def generate_options(self, name: str) -> str:
        """Options of `isogloss generate` for generated texts of the configuration."""
        made = self.config.stimuli.generate[name]
        study, _, item_set = made.set.partition("/")
        options = [
            f"{study} --set {item_set}",
            f"--guise {made.guise} --reference {made.reference}",
            f"--from data/items/{made.set}/items.csv",
        ]
        if made.by == "rules":
            options.append("--by rules")
        else:
            options.append(f"--model {made.by} --candidates {made.candidates}")
            options.append(f"--max-new-tokens {made.max_new_tokens}")
            model = self.asked_model(made.by)
            if not (isinstance(model, OpenAIModel) and model.reasoning):
                options.append(f"--temperature {made.temperature:g}")
        if made.items is not None:
            options.append(f"--items {made.items}")
        return " ".join(options)

    def review_files(self) -> list[str]:
        """Decisions of human reviewers that are kept in the project."""
        paths = sorted((self.root / "data" / "reviews").rglob("*.csv"))
        return [path.relative_to(self.root).as_posix() for path in paths]

    def calibration_paths(self) -> list[str]:
        """Files that say how well the checks do on labelled pairs."""
        return [f"data/results/calibration/{name}" for name in CALIBRATION_FILES]

    def inventory_paths(self) -> list[str]:
        """Files that sum up all item sets, generated texts and reviews."""
        return [f"data/results/stimuli/{name}" for name in INVENTORY_FILES]

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

    def known_model(self, model: str) -> str:
        """Return the name of a configured model; raise `ConfigurationError` for any other."""
        if model not in self.config.models:
            known = ", ".join(self.config.models)
            raise ConfigurationError(f"model {model!r} is not configured; configured: {known}")
        return model

    def asked_model(self, model: str) -> TransformersModel | OpenAIModel:
        """Return the configuration of a model that can be asked.

        Raises `ConfigurationError` where there is none, and `ModelError` for a recorded one.
        """
        found = self.config.models[self.known_model(model)]
        if isinstance(found, RecordedModel):
            raise ModelError(
                f"model {model} is recorded; it cannot be asked: name one that runs here or "
                "behind a server"
            )
        return found

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

    def weat_inputs(self) -> list[str]:
        """Files that the stage weat reads: word lists, items, and vectors that are no package."""
        settings = self.config.weat
        within_reach = self.sets()
        sets = dict.fromkeys(contrast.set for contrast in settings.contrasts.values())
        files = [
            str(getattr(embedding, field))
            for embedding in settings.embeddings.values()
            if embedding.kind in ("text", "npy")
            for field in ("path", "words")
            if hasattr(embedding, field)
        ]
        items = [f"data/items/{name}/items.csv" for name in sets if name in within_reach]
        return [settings.lists, *items, *files]

    def weat_paths(self) -> list[str]:
        """Files that the stage weat writes."""
        return [f"data/results/weat/{name}.csv" for name in WEAT_TABLE_NAMES]

    def weat_settings(self) -> str:
        """Return the settings of the stage weat as canonical JSON."""
        return _canonical(self.config.weat)

    def results_folder(self, study: str) -> str:
        """Folder of a study's result tables."""
        return f"data/results/{study}"

    def result_paths(self, study: str) -> list[str]:
        """Files that a study's analysis writes: its tables, and the plan they follow."""
        names = result_files(self.study(study).design)
        return [f"{self.results_folder(study)}/{name}" for name in names]

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
        return [
            *tables,
            *self.weat_paths(),
            *self.calibration_paths(),
            *self.inventory_paths(),
            *(self.model_input(model) for model in sorted(used)),
        ]

    def parts_inputs(self) -> list[str]:
        """Files outside the report's folder that its parts are made from."""
        return [*self.report_inputs(), *self.guise_files(), "data/sources.yaml"]

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

    def thresholds(self) -> str:
        """Return the thresholds of validation as canonical JSON."""
        return _canonical(self.config.stimuli.thresholds)

    def code(self, stage: str) -> str:
        """SHA-256 over the package's code that a stage runs, file by file."""
        package = Path(__file__).parent
        digest = hashlib.sha256()
        for part in _CODE[stage]:
            for path in sorted((package / part).rglob("*.py")):
                digest.update(f"{path.relative_to(package).as_posix()}\n".encode())
                digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
        return digest.hexdigest()


def code_folders() -> list[str]:
    """Return the folders of the package whose code decides the artifacts of some stage."""
    return [f"src/isogloss/{part}" for part in sorted({p for ps in _CODE.values() for p in ps})]


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
    project = Project(
        root,
        loaded,
        load_sources(root / "data" / "sources.yaml"),
        load_sets(root / "data" / "stimuli"),
    )
    _check_stimuli(project)
    for source in used_sources(project):
        pin = source_named(project.sources, source)
        if pin.hateful and not loaded.allow_hateful_content:
            raise ConfigurationError(
                f"source {source} contains hateful content ({pin.title}); set "
                f"allow_hateful_content: true in {config} to use it"
            )
    return project


def _check_stimuli(project: Project) -> None:
    """Raise `ConfigurationError` for a set, guise or model of the stimuli that does not exist."""
    settings = project.config.stimuli
    of_runs = [f"{job.study}/{job.items}" for job in project.jobs()]
    generated = [(f"stimuli.generate.{n}.set", made.set) for n, made in settings.generate.items()]
    wanted = [
        *(("studies", name) for name in of_runs),
        *(("stimuli.sets", name) for name in settings.sets),
        *((f"weat.contrasts.{n}.set", c.set) for n, c in project.config.weat.contrasts.items()),
        *generated,
    ]
    for place, name in wanted:
        if name not in project.declared:
            known = ", ".join(project.declared) or "none"
            raise ConfigurationError(f"{place}: no item set {name!r} in data/stimuli; use {known}")
    if settings.judge is not None:
        project.asked_model(settings.judge)
    guises = load_guises(project.root / "data" / "guises")
    for name, made in settings.generate.items():
        if made.guise not in guises:
            known = ", ".join(guises) or "none"
            raise ConfigurationError(
                f"stimuli.generate.{name}.guise: no guise {made.guise!r} in data/guises; "
                f"there are {known}"
            )
        if made.by != "rules" and made.by not in project.config.models:
            raise ConfigurationError(
                f"stimuli.generate.{name}.by: {made.by!r} is neither rules nor a configured model"
            )


def used_sources(project: Project) -> Iterator[str]:
    """Yield the id of each source that the configuration refers to, some more than once."""
    for job in project.jobs():
        yield from STUDIES[job.study].item_set(job.items).sources
    for name in project.sets():
        source = project.declared[name].content.source
        if source is not None:
            yield source
    for model in project.config.models.values():
        source = getattr(model, "source", None)
        if source is not None:
            yield source
