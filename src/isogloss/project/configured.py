"""What the configuration says of a run: studies, their settings and jobs, sources."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from isogloss.config import Config, StudySettings
from isogloss.errors import ConfigurationError
from isogloss.fetch import FileSource, Source, source_named
from isogloss.stimuli.sets import DeclaredSet
from isogloss.studies.base import Study
from isogloss.studies.registry import STUDIES

Section = Literal["scoring", "analysis"]


@dataclass(frozen=True)
class Job:
    """One model's answers about one item set of one study."""

    study: str
    items: str
    model: str


@dataclass(frozen=True)
class ConfiguredRun:
    """A folder, the configuration of a run in it, and everything declared that it may name.

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
        return canonical(getattr(self.settings(study), section))

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

    def weat_settings(self) -> str:
        """Return the settings of the stage weat as canonical JSON."""
        return canonical(self.config.weat)

    def encoder_settings(self) -> str:
        """Return the encoder's configuration as canonical JSON."""
        return canonical(self.config.encoder)

    def thresholds(self) -> str:
        """Return the thresholds of validation as canonical JSON."""
        return canonical(self.config.stimuli.thresholds)

    def pin(self, source: str) -> str:
        """Return a source's pin as canonical JSON."""
        return canonical(source_named(self.sources, source))

    def raw_path(self, source: str) -> str:
        """Path of a fetched source."""
        pin = source_named(self.sources, source)
        place = pin.mirror if isinstance(pin, FileSource) else pin.member
        return f"data/raw/{source}/{Path(place).name}"


def canonical(settings: BaseModel) -> str:
    """Return settings as canonical JSON: the same for the same values in any order."""
    return json.dumps(settings.model_dump(mode="json"), sort_keys=True)
