"""A small copy of this project in which the real workflow has run once."""

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

ITEMS = 6
POSTINGS = 3
KEPT = {
    "hedging/items.csv": ITEMS,
    "recruitment/gender.csv": POSTINGS,
    "recruitment/exclusion.csv": POSTINGS,
}
"""Items of the shipped sets that a small project has."""
MODEL = "smollm2-135m-instruct"
INTERRUPTIBLE = Path("data/responses/hedging/own") / f"{MODEL}.parquet"


@dataclass(frozen=True)
class Run:
    """A folder with the project, and how to run commands in it."""

    folder: Path
    environment: dict[str, str]

    def __call__(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the project's environment; standard error goes with standard output."""
        return subprocess.run(
            [sys.executable, "-m", *command],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def snakemake(self, *options: str) -> str:
        """Run the workflow and return what it says; fail the test when it fails."""
        done = self("snakemake", "--cores", "all", *options)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def isogloss(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the package."""
        return self("isogloss", *arguments)


def small_configuration(project: Path) -> dict[str, object]:
    """The shipped configuration, cut down to what a test can afford."""
    config = yaml.safe_load((project / "config/config.yaml").read_text(encoding="utf-8"))
    hedging = config["studies"]["hedging"]
    hedging["scoring"] = {
        "conditions": ["baseline", "antibias"],
        "reasoned": {"questions": 1, "conditions": ["baseline"], "max_new_tokens": 4},
        "interviews": {"count": 2, "questions": 2, "conditions": ["baseline"]},
    }
    hedging["analysis"]["bootstrap_draws"] = 100
    config["studies"]["recruitment"]["scoring"] = {
        "roles": ["recruiter"],
        "crossed": False,
        "ablations": {"conditions": [], "roles": []},
    }
    del config["weat"]["contrasts"]["published-agentic-communal"]
    config["weat"] |= {"classic": False, "n_permutations": 1000, "n_bootstrap": 100}
    made = {"set": "hedging/own", "reference": "confident", "guise": "hedged"}
    config["stimuli"] = {"sets": ["dialect/own"], "generate": {"hedged-by-rules": made}}
    config["models"][MODEL]["memory_mb"] = 64  # many small passes: something to interrupt
    return config


def make_small_project(project: Path, folder: Path) -> Run:
    """Copy the tracked files, keep a few items, and make it a repository of its own."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.split("\0"):
        source = project / name
        if source.is_file() and name not in ("dvc.yaml", "dvc.lock"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / name)
    for name, count in KEPT.items():
        items = folder / "data/stimuli" / name
        with items.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.reader(stream))
        with items.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows(rows[: count + 1])
    text = yaml.safe_dump(small_configuration(project), sort_keys=False)
    (folder / "config/config.yaml").write_text(text, encoding="utf-8")
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "start"]):
        git = ["git", "-c", "user.name=test", "-c", "user.email=test@example.org", *arguments]
        subprocess.run(git, cwd=folder, check=True)
    return Run(folder, _environment(project, folder))


def _environment(project: Path, folder: Path) -> dict[str, str]:
    mirror = os.environ.get("ISOGLOSS_MIRROR") or project.parent / "shared" / "upstream"
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "ISOGLOSS_MIRROR": str(mirror),
        "DVC_SITE_CACHE_DIR": str(folder.parent / "dvc-site"),
        "DVC_GLOBAL_CONFIG_DIR": str(folder.parent / "dvc-global"),
    }


@pytest.fixture(scope="session")
def finished(
    project: Path, mirror: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Run, str]:
    """The small project after one plain run, and what the run said. Do not change its files."""
    run = make_small_project(project, tmp_path_factory.mktemp("small") / "project")
    return run, run.snakemake()


@pytest.fixture
def copied(finished: tuple[Run, str], tmp_path: Path) -> Callable[[], Run]:
    """Return a function that makes a copy of the finished project for a test to change."""

    def copy() -> Run:
        folder = tmp_path / "project"
        shutil.copytree(finished[0].folder, folder, symlinks=True)
        return Run(folder, finished[0].environment)

    return copy
