"""A small project with a workflow of its own, whose model is a stand-in, after a recorded run."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from tests.studies.fake_model import FakeModel

from isogloss.models.identity import ModelIdentity, manifest_of, write_manifest
from isogloss.record.hashing import hash_file
from isogloss.record.stages import Stage
from isogloss.record.workflow import workflow_stages
from isogloss.reproduce import models
from isogloss.reproduce.workflow import Place
from isogloss.score.responses import Response, write_responses
from isogloss.score.stage import Opened
from isogloss.studies.base import ItemTable, Origin
from isogloss.studies.hedging.settings import HedgingSettings
from isogloss.studies.hedging.study import Hedging
from isogloss.validate.records import Verdict
from isogloss.validate.table import verdicts_table, write_table

ROOT = Path(__file__).resolve().parents[2]
RESPONSES = "data/responses/hedging/own/tiny.parquet"
EFFECTS = "data/results/hedging/effects.csv"
SEED = 3
WORKFLOW_STAGES = Place.stages
"""The way in which a copy's stages are listed, which takes seconds."""

SNAKEFILE = """\
import sys

configfile: "config/config.yaml"

rule all:
    input:
        "data/results/hedging/effects.csv",

rule fetch:
    output:
        "data/raw/words/words.txt",
    shell:
        "echo words > {output}"

rule identify:
    output:
        "data/models/tiny.json",
    shell:
        "cp kept/tiny.json {output}"

rule stimuli:
    input:
        "kept/items.csv",
        "kept/verdicts.csv",
        "data/raw/words/words.txt",
    output:
        "data/items/hedging/own/items.csv",
        "data/items/hedging/own/verdicts.csv",
    shell:
        "cp kept/items.csv {output[0]}; cp kept/verdicts.csv {output[1]}"

rule score:
    input:
        "kept/tiny.parquet",
        "data/items/hedging/own/items.csv",
        "data/items/hedging/own/verdicts.csv",
        "data/models/tiny.json",
    output:
        "data/responses/hedging/own/tiny.parquet",
    shell:
        "cp kept/tiny.parquet {output}"

rule analysis:
    input:
        "kept/analyse.py",
        "data/responses/hedging/own/tiny.parquet",
    output:
        "data/results/hedging/effects.csv",
        "data/results/hedging/plan.json",
    shell:
        "{sys.executable} {input} {output}"
"""

ANALYSE = """\
import json
import sys

import pandas as pd

responses = pd.read_parquet(sys.argv[1])
rated = responses[(responses["task"] == "rating") & (responses["mode"] == "direct")]
means = rated.groupby("guise")["expected"].mean()
rows = [(g, m, m / 50, "high" if m > 3 else "low") for g, m in means.items()]
table = pd.DataFrame(rows, columns=["guise", "estimate", "p_adjusted", "verdict"])
table.to_csv(sys.argv[2], index=False)
with open(sys.argv[3], "w") as stream:
    json.dump({"alpha": 0.05}, stream)
"""

CONFIG: Mapping[str, Any] = {
    "seed": SEED,
    "models": {"tiny": {"backend": "transformers", "path": "model"}},
    "studies": {
        "hedging": {
            "runs": [{"items": "own", "models": ["tiny"]}],
            "scoring": {
                "conditions": ["baseline", "antibias"],
                "reasoned": {"questions": 2, "conditions": ["baseline"], "max_new_tokens": 9},
                "interviews": {"count": 3, "questions": 4, "conditions": ["baseline"]},
            },
        }
    },
}

TOLERANCES = """\
default: {relative: 1.0e-9, reason: strict}
tables:
  data/responses/*:
    probabilities: {absolute: 1.0e-5, reason: p}
    expected: {absolute: 1.0e-4, reason: e}
  data/results/*:
    estimate: {absolute: 1.0e-4, reason: m}
    p_*: {absolute: 1.0e-4, reason: p}
"""

IDENTITY = ModelIdentity(
    name="tiny", backend="transformers", origin="model", weights_sha256="w" * 64,
    tokenizer_sha256="t" * 64, chat_template_sha256="c" * 64, default_system_message=None,
    architecture="Fake", n_parameters=1, dtype="float32", transformers="5", torch="2",
)  # fmt: skip


@dataclass(frozen=True)
class Toy:
    """The folder of the project, and what can be done to it."""

    folder: Path
    stages: tuple[Stage, ...]
    """Those of its workflow."""

    def path(self, name: str) -> Path:
        """Return a path in it."""
        return self.folder / name

    def hashes(self) -> dict[str, str]:
        """Return the hash of every file in it, those of git included."""
        return {
            path.relative_to(self.folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }

    def change_answer(self, name: str = RESPONSES, by: float = 0.25, row: int = 0) -> str:
        """Change one expected rating; return the prompt it belongs to."""
        frame = pd.read_parquet(self.path(name))
        frame.loc[row, "expected"] += by
        frame.to_parquet(self.path(name), index=False)
        return str(frame.loc[row, "prompt_sha256"])

    def record(self) -> None:
        """Write dvc.lock from the files as they stand."""
        write_lock(self.folder, self.stages)


def settings() -> HedgingSettings:
    """Settings of the project's only study."""
    return HedgingSettings.model_validate(CONFIG["studies"]["hedging"])


def items() -> ItemTable:
    """Eight items, one of them without a valid hedged answer."""
    rows = [
        {
            "item_id": f"i{n:02d}", "category": "Teamwork", "guiding_question": "Why?",
            "question": f"Question {n:02d}?", "confident": f"Plain answer {n:02d}.",
            "hedged": f"Careful answer {n:02d}.", "accent": f"Bare answer {n:02d}.",
        }
        for n in range(1, 9)
    ]  # fmt: skip
    names = [contrast.name for contrast in Hedging.contrasts]
    valid = {(row["item_id"], name): True for row in rows for name in names}
    valid["i03", names[0]] = False
    return ItemTable("own", pd.DataFrame(rows), valid)


def answered(table: ItemTable) -> list[Response]:
    """Return what the stand-in answers to all questions about a table."""
    return Hedging().respond(table, FakeModel().asker, settings(), Origin("tiny", SEED))


def asked_model() -> FakeModel:
    """A stand-in that answers outside of its own asker."""
    return FakeModel(announced=["again"])


def write_lock(folder: Path, stages: tuple[Stage, ...]) -> None:
    """Write dvc.lock as `isogloss record` does, without DVC."""
    entry = {
        stage.name: {
            "cmd": stage.command,
            "deps": [_hashed(folder, path) for path in stage.deps],
            "outs": [_hashed(folder, path) for path in stage.outs],
        }
        for stage in stages
    }
    text = yaml.safe_dump({"schema": "2.0", "stages": entry})
    (folder / "dvc.lock").write_text(text, encoding="utf-8")


def _hashed(folder: Path, path: str) -> dict[str, object]:
    found = hash_file(folder / path)
    return {"path": path, "hash": "md5", "md5": found.md5, "size": found.size}


def _write_project(folder: Path) -> None:
    for name in ("config", "kept", "data"):
        (folder / name).mkdir(parents=True)
    table = items()
    table.items.to_csv(folder / "kept/items.csv", index=False)
    verdicts = [Verdict(item, contrast, ok, "") for (item, contrast), ok in table.valid.items()]
    write_table(verdicts_table(verdicts), folder / "kept/verdicts.csv")
    write_responses(answered(table), folder / "kept/tiny.parquet")
    write_manifest(manifest_of(IDENTITY), folder / "kept/tiny.json")
    (folder / "kept/analyse.py").write_text(ANALYSE)
    (folder / "Snakefile").write_text(SNAKEFILE)
    (folder / "config/config.yaml").write_text(yaml.safe_dump(dict(CONFIG)))
    (folder / "config/tolerances.yaml").write_text(TOLERANCES)
    (folder / "data/sources.yaml").write_text("{}\n")
    (folder / ".gitignore").write_text(
        "".join(f"/data/{name}/\n" for name in ("raw", "items", "models", "responses", "results"))
        + "/.snakemake/\n/.isogloss/\n"
    )
    declared = folder / "data/stimuli/hedging/own.yaml"
    declared.parent.mkdir(parents=True)
    content = yaml.safe_load((ROOT / "data/stimuli/hedging/own.yaml").read_text(encoding="utf-8"))
    declared.write_text(yaml.safe_dump({**content, "related": []}), encoding="utf-8")
    for name in ("data/guises", "data/lexicons"):
        shutil.copytree(ROOT / name, folder / name)


@pytest.fixture(scope="module", autouse=True)
def _isolated() -> Iterator[None]:
    with isolated():
        yield


@contextmanager
def isolated() -> Iterator[None]:
    """Keep settings of git, and the mirror, of the person who runs the tests away."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.delenv("ISOGLOSS_MIRROR", raising=False)
        yield


@pytest.fixture(scope="session")
def recorded_toy(tmp_path_factory: pytest.TempPathFactory) -> Toy:
    """The project after a run of its workflow; not to be changed."""
    folder = tmp_path_factory.mktemp("toy") / "project"
    _write_project(folder)
    with isolated():
        for command in (
            ["git", "init", "--quiet"],
            ["git", "add", "--all"],
            [sys.executable, "-m", "snakemake", "--cores", "1", "--quiet", "all"],
        ):
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        stages = workflow_stages(folder)
    write_lock(folder, stages)
    shutil.rmtree(folder / ".snakemake")
    return Toy(folder, stages)


@pytest.fixture
def toy(recorded_toy: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toy:
    """A copy of the recorded project, which is the current folder; its model is the stand-in."""
    shutil.copytree(recorded_toy.folder, tmp_path / "toy")
    monkeypatch.chdir(tmp_path / "toy")
    monkeypatch.setenv("ISOGLOSS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(models, "open_backend", lambda *_: Opened(asked_model(), IDENTITY))
    monkeypatch.setattr(Place, "stages", lambda _: recorded_toy.stages)
    return Toy(tmp_path / "toy", recorded_toy.stages)


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """An empty folder outside of the project."""
    (tmp_path / "scratch").mkdir()
    return tmp_path / "scratch"
