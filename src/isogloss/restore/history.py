"""What changed in the project since dvc.lock was committed, according to git."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from isogloss.errors import RecordError
from isogloss.record.findings import Finding


def changes_since_record(project: Path, paths: Sequence[str]) -> tuple[Finding, ...]:
    """Findings for the files below `paths` that are not those of the commit that has dvc.lock.

    dvc.lock has the commands and the inputs of the stages, but neither the code behind a command
    nor its settings. These are taken to be those of the last commit that changed dvc.lock.

    Raises:
        RecordError: git cannot tell: there is no git repository, its history is cut off, or
            dvc.lock is not committed.
    """
    if _git(project, "rev-parse", "--is-shallow-repository") == "true":
        raise RecordError("the clone is a shallow one: run `git fetch --unshallow`")
    if _git(project, "status", "--porcelain", "--", "dvc.lock"):
        raise RecordError("dvc.lock is not committed as it stands there: commit or restore it")
    commit = _git(project, "log", "-1", "--format=%H", "--", "dvc.lock")
    if not commit:
        raise RecordError("dvc.lock is in no commit: commit it with the code that it records")
    changed = _git(project, "diff", "--name-only", "-z", "--relative", commit, "--", *paths)
    note = f"changed after the run that commit {commit[:12]} records"
    return tuple(Finding("stale", path, note=note) for path in changed.split("\0") if path)


def _git(project: Path, *arguments: str) -> str:
    git = shutil.which("git")
    if git is None:
        raise RecordError("there is no git: install it")
    done = subprocess.run(
        [git, *arguments], cwd=project, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode != 0:
        reason = " ".join(done.stderr.split())
        raise RecordError(f"git does not say since when {project} is recorded: {reason}")
    return done.stdout.strip("\n")
