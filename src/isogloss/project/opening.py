"""Opening a project, which checks that its configuration, sources and stimuli fit each other."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from isogloss.config import load_config
from isogloss.errors import ConfigurationError
from isogloss.fetch import load_sources, source_named
from isogloss.guises.definition import load_guises
from isogloss.project.artifacts import ArtifactFiles
from isogloss.stimuli.sets import load_sets
from isogloss.studies.registry import STUDIES


@dataclass(frozen=True)
class Project(ArtifactFiles):
    """Everything a stage needs to know about the run, and the paths of its artifacts."""


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
