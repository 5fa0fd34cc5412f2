"""The project with its shipped configuration, and with others."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from isogloss.project import Project, open_project

CONFIG = Path("config/config.yaml")
LOCAL = "smollm2-135m-instruct"

Open = Callable[[dict[str, Any]], Project]


@pytest.fixture(scope="module")
def opened(project: Path) -> Project:
    """The project with its shipped configuration."""
    return open_project(CONFIG, project)


@pytest.fixture
def shipped(project: Path) -> dict[str, Any]:
    """The shipped configuration as data, to be changed."""
    content: dict[str, Any] = yaml.safe_load((project / CONFIG).read_text(encoding="utf-8"))
    return content


@pytest.fixture
def open_with(tmp_path: Path, project: Path) -> Open:
    """Open a project elsewhere, with another configuration and the same sources."""

    def read(content: dict[str, Any]) -> Project:
        (tmp_path / "data").mkdir(exist_ok=True)
        shutil.copy(project / "data" / "sources.yaml", tmp_path / "data")
        for name in ("stimuli", "guises", "lexicons"):
            if not (tmp_path / "data" / name).exists():
                (tmp_path / "data" / name).symlink_to(project / "data" / name)
        (tmp_path / "config.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return open_project(Path("config.yaml"), tmp_path)

    return read
