"""A sample of the default model's answers, asked again on the machine that gave them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.reproduce.conftest import CONFIG, RESPONSES, SEED, Toy, items, settings

from isogloss.config.schema import TransformersModel
from isogloss.fetch import load_sources
from isogloss.models.identity import manifest_of, write_manifest
from isogloss.reproduce.answering import Nothing
from isogloss.reproduce.progress import Silent
from isogloss.score.ask import Asker
from isogloss.score.responses import write_responses
from isogloss.score.stage import open_backend
from isogloss.studies.base import Origin
from isogloss.studies.hedging.study import Hedging

pytestmark = pytest.mark.slow

SOURCE = "smollm2-135m-instruct-q4_1"
MODEL = {"backend": "transformers", "source": SOURCE, "threads": 1}
COMMAND = "import typer; from isogloss.reproduce_cli import reproduce; typer.run(reproduce)"


@pytest.fixture
def real(toy: Toy, project: Path, monkeypatch: pytest.MonkeyPatch) -> Toy:
    """The small project with what the default model answers about its items."""
    monkeypatch.delenv("ISOGLOSS_CACHE")
    sources = (project / "data/sources.yaml").read_text(encoding="utf-8")
    toy.path("data/sources.yaml").write_text(sources, encoding="utf-8")
    toy.path("config/config.yaml").write_text(
        yaml.safe_dump({**CONFIG, "models": {"tiny": MODEL}}), encoding="utf-8"
    )
    config = TransformersModel.model_validate(MODEL)
    pins = load_sources(toy.path("data/sources.yaml"))
    opened = open_backend("tiny", config, pins, toy.folder)
    asker = Asker(opened.backend, Nothing(), progress=Silent)
    rows = Hedging().respond(items(), asker, settings(), Origin("tiny", SEED))
    for place in ("kept/tiny.parquet", RESPONSES):
        write_responses(rows, toy.path(place))
    for place in ("kept/tiny.json", "data/models/tiny.json"):
        write_manifest(manifest_of(opened.identity), toy.path(place))
    analysed = ["data/results/hedging/effects.csv", "data/results/hedging/plan.json"]
    command = [sys.executable, "kept/analyse.py", RESPONSES, *analysed]
    subprocess.run(command, cwd=toy.folder, check=True)
    toy.record()
    return toy


def reproduce(toy: Toy, *options: str) -> tuple[int, dict[str, Any]]:
    """Run the command in a process of its own, as a person does."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "--json", *options],
        cwd=toy.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def test_a_sample_is_reproduced_and_a_changed_answer_is_not(real: Toy, project: Path) -> None:
    rules = project / "config/tolerances.yaml"
    status, found = reproduce(real, "--sample", "30%", "--tolerances", str(rules))
    assert (status, found["status"]) == (0, "reproduced"), found
    [one] = found["rescored"]
    assert one["drawn"] == 19
    assert {table["result"] for table in found["tables"]} <= {
        "same bytes",
        "same values",
        "within tolerance",
    }

    real.change_answer(by=0.001)
    real.record()
    status, found = reproduce(real, "--sample", "100%", "--tolerances", str(rules))
    numbers = [number for table in found["tables"] for number in table["numbers"]]
    beyond = [(number["column"], number["beyond"]) for number in numbers if number["beyond"]]
    assert (status, beyond) == (1, [("expected", 1)])
