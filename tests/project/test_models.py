"""What the answers of a model depend on, and what it may use."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.project.conftest import LOCAL, Open

from isogloss.project import Project


def test_a_model_depends_on_its_manifest_or_on_its_recorded_responses(opened: Project) -> None:
    assert opened.model_input(LOCAL) == f"data/models/{LOCAL}.json"
    assert opened.model_input("phi-4") == (
        "data/raw/hedging-interviews-phi-4/interview_scores_microsoft_phi-4.csv"
    )


def test_a_model_in_a_folder_depends_on_the_files_in_it(
    open_with: Open, shipped: dict[str, Any], tmp_path: Path
) -> None:
    shipped["models"][LOCAL] = {"backend": "transformers", "path": "weights"}
    opened = open_with(shipped)
    assert opened.model_files(LOCAL) == []
    (tmp_path / "weights").mkdir()
    for name in ("model.safetensors", "config.json"):
        (tmp_path / "weights" / name).touch()
    assert opened.model_files(LOCAL) == ["weights/config.json", "weights/model.safetensors"]
    assert opened.model_files("phi-4") == []


@pytest.mark.parametrize(
    ("configured", "cores", "threads"), [(None, 8, 8), (1, 8, 1), (4, 8, 4), (4, 2, 2)]
)
def test_a_model_that_runs_here_gets_the_cores_it_may_use(
    opened: Project, configured: int | None, cores: int, threads: int
) -> None:
    local = opened.config.models[LOCAL].model_copy(update={"threads": configured})
    models = {**opened.config.models, LOCAL: local}
    project = replace(opened, config=opened.config.model_copy(update={"models": models}))
    assert project.threads(LOCAL, cores) == threads


def test_a_recorded_model_gets_one_thread(opened: Project) -> None:
    assert opened.threads("phi-4", 8) == 1
