"""A configuration for two made-up studies, to be changed and read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import Field

from isogloss.config import Config, StudySettings, load_config
from isogloss.config.schema import Strict
from isogloss.errors import ConfigurationError


class Thresholds(Strict):
    """Settings two levels down."""

    highest: float = 1.0


class Marking(Strict):
    """Settings one level down."""

    thresholds: Thresholds = Thresholds()
    words: tuple[str, ...] = Field(default=("so",), strict=False)


class Colours(StudySettings):
    """Settings of a study with a section of its own."""

    scoring: Marking = Marking()


SETTINGS: dict[str, type[StudySettings]] = {"colours": Colours, "shapes": StudySettings}


def configuration() -> dict[str, Any]:
    """Return a configuration with nothing wrong."""
    return {
        "seed": 7,
        "models": {
            "small": {"backend": "transformers", "source": "weights"},
            "heard": {"backend": "recorded", "source": "answers"},
        },
        "studies": {
            "colours": {"runs": [{"items": "own", "models": ["small", "heard"]}]},
            "shapes": {"runs": [{"items": "own", "models": ["heard"]}]},
        },
    }


@pytest.fixture
def good() -> dict[str, Any]:
    """A configuration with nothing wrong."""
    return configuration()


@pytest.fixture
def load(tmp_path: Path) -> Callable[[Any], Config]:
    """Write a configuration, given as text, bytes or data, and read it."""

    def read(given: Any) -> Config:
        path = tmp_path / "config.yaml"
        text = given if isinstance(given, str | bytes) else yaml.safe_dump(given, sort_keys=False)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_config(path, SETTINGS)

    return read


@pytest.fixture
def faults(load: Callable[[Any], Config], tmp_path: Path) -> Callable[[Any], list[str]]:
    """Read a configuration that cannot be used and return its faults, one a line."""

    def listed(given: Any) -> list[str]:
        with pytest.raises(ConfigurationError) as refusal:
            load(given)
        first, *rest = str(refusal.value).splitlines()
        assert first == f"{tmp_path / 'config.yaml'} cannot be used:"
        assert all(line.startswith("  ") for line in rest)
        return [line.strip() for line in rest]

    return listed
