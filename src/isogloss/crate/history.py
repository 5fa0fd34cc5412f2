"""What git knows of a record: the commit it stands in, its date, and the code of that commit."""

import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from isogloss.errors import RecordError
from isogloss.record.stages import RECORD_FILES

CODE = (
    "Snakefile",
    "config",
    "constraints.txt",
    "data/sources.yaml",
    "profiles",
    "pyproject.toml",
    "src",
    "workflow",
)
"""Files and folders that decide what a run does, beside the inputs of its stages."""

_FILE_MODES = ("100644", "100755")


@dataclass(frozen=True)
class Commit:
    """The last commit that wrote dvc.lock."""

    id: str
    """Hash of the commit."""
    date: datetime
    """Committer's date, in UTC."""


def record_commit(project: Path) -> Commit:
    """The commit that dvc.yaml and dvc.lock stand in as they are now.

    Raises:
        RecordError: there is no git or no repository, the two files are not committed as they
            stand, or the clone is too shallow to know.
    """
    if _git(project, "rev-parse", "--is-shallow-repository").strip() == b"true":
        raise RecordError(
            f"{project} is a shallow clone, which does not know the commit of its record: run "
            "`git fetch --unshallow`"
        )
    if _git(project, "status", "--porcelain", "--", *RECORD_FILES).strip():
        raise RecordError(
            "dvc.yaml or dvc.lock differs from the last commit: commit the record first (`git "
            "commit dvc.yaml dvc.lock`), because the package names the commit and takes its date"
        )
    line = _git(project, "log", "-1", "--format=%H %ct", "--", "dvc.lock").decode()
    if not line.strip():
        raise RecordError(
            "git does not have dvc.lock: commit dvc.yaml and dvc.lock first, because the package "
            "names the commit and takes its date"
        )
    name, seconds = line.split()
    return Commit(name, datetime.fromtimestamp(int(seconds), UTC))


def code_of(project: Path, commit: Commit, paths: Iterable[str] = CODE) -> dict[str, bytes]:
    """Content of all files that `commit` has at or below `paths`; links are left out.

    Raises:
        RecordError: git does not answer.
    """
    listing = _git(project, "ls-tree", "-r", "-z", commit.id, "--", *paths).decode()
    entries = [line.split("\t", 1) for line in listing.split("\0") if line]
    return {
        path: _git(project, "cat-file", "blob", described.split()[2])
        for described, path in entries
        if described.split()[0] in _FILE_MODES
    }


def _git(project: Path, *arguments: str) -> bytes:
    git = shutil.which("git")
    if git is None:
        raise RecordError("there is no git, so the commit of the record is not known: install it")
    done = subprocess.run(
        [git, *arguments], cwd=project, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise RecordError(
            f"git does not know the commit of the record in {project}: "
            f"{said[-1] if said else 'it gave no reason'}"
        )
    return done.stdout
