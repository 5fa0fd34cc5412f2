"""The how-tos, command by command: one works and hands on, another restores and checks."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.documents import block_with, fences, shown, text_of
from tests.workflow.conftest import Run

pytestmark = [pytest.mark.slow, pytest.mark.mirror]

HOW_TO = "docs/how-to"
NOT_HERE = {
    "make run": "installs; what it runs is what has run",
    ". .venv/bin/activate": "the environment is that of the tests",
    "make publish-check": "installs; `isogloss publish-check` is run",
    "isogloss reproduce": "as long as a run; on a smaller project in tests/reproduce",
}
"""Commands of the how-tos that other tests run."""
COMMIT = {
    f"GIT_{who}_{what}": "someone@example.org"
    for who in ("AUTHOR", "COMMITTER")
    for what in ("NAME", "EMAIL")
}
SAID = {
    "isogloss verify": "\nverified: ",
    "isogloss verify --commit": "\nverified: ",
    "isogloss restore": "restored: ",
    "isogloss trace hedging#-0.390": "data/results/hedging/effects.csv, row ",
    "isogloss package --out run.zip": "run.zip: ",
    "isogloss package --verify run.zip": "verified",
    "isogloss publish-check --no-browser reports/_site": "nothing found that speaks against",
    "isogloss reproduce --sample 5%": "Asked again: smollm2-135m-instruct",
    "snakemake --cores all": "Nothing to be done",
    "snakemake --dry-run": "Nothing to be done",
}
"""What the documents promise that a command says."""


def test_one_works_and_another_checks(copied: Callable[[], Run], tmp_path: Path) -> None:
    mine = copied()
    for command in (*here("newcomer"), *here("researcher"), *here("publisher")):
        said = shell(mine, command)
        assert SAID.get(command, "") in said, f"{command}\n{said}"
    assert (mine.folder / "drafts/rules/chosen.csv").is_file()
    example = shell(mine, f"python -c '{python_of(f'{HOW_TO}/researcher.md')}'")
    assert "hedged - confident" in example

    share(mine)
    shell(mine, f"git clone --quiet . {tmp_path / 'theirs'}")
    theirs = Run(tmp_path / "theirs", mine.environment)
    shutil.copy(mine.folder / "run.zip", theirs.folder)
    restoring = block_with(text_of("docs/restore.md"), "isogloss restore")
    for command in (*restoring, *here("auditor")):
        said = shell(theirs, command)
        assert SAID[command] in said, f"{command}\n{said}"


def here(name: str) -> Iterator[str]:
    """Yield the commands of a how-to that are run here, in its order."""
    return (one for one in shown(f"{HOW_TO}/{name}.md") if one not in NOT_HERE)


def share(mine: Run) -> None:
    """Share the run as the README says."""
    for command in block_with(text_of("README.md"), "dvc push"):
        shell(mine, command)
    shell(mine, "git add .dvc/config && git commit --quiet --message 'Name a remote'")


def shell(run: Run, command: str) -> str:
    """Run a command line in a project; it must end well."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=run.folder,
        env={**run.environment, **COMMIT},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}"
    return done.stdout


def python_of(name: str) -> str:
    """Return the one example in Python of a document, without apostrophes."""
    (example,) = fences(text_of(name), "python")
    assert "'" not in example
    return example
