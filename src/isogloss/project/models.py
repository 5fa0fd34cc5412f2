"""The models of a run: which can be asked, and the files that their answers depend on."""

import os
from dataclasses import dataclass
from pathlib import Path

from isogloss.config import OpenAIModel, RecordedModel, TransformersModel
from isogloss.errors import ConfigurationError, ModelError
from isogloss.project.configured import ConfiguredRun, canonical


@dataclass(frozen=True)
class ModelFiles(ConfiguredRun):
    """Models by their names in the configuration."""

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

    def model_settings(self, model: str) -> str:
        """Return a model's configuration as canonical JSON."""
        return canonical(self.config.models[model])

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

    def threads(self, model: str, cores: int) -> int:
        """Threads of a scoring job: as configured for a model that runs here, else all or one."""
        config = self.config.models[model]
        if isinstance(config, TransformersModel):
            return min(config.threads or cores, cores)
        return 1


def _files(path: Path) -> list[Path]:
    """Return a file itself, or the files of a folder."""
    return [path] if path.is_file() else [f for f in sorted(path.glob("*.*")) if f.is_file()]
