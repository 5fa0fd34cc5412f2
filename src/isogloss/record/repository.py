"""The DVC repository of a project: where its cache is, and what git keeps."""

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from isogloss.errors import RecordError
from isogloss.record.commands import run_python


def require_repository(project: Path) -> None:
    """Check that `project` has the DVC configuration that comes with it.

    Raises:
        RecordError: `.dvc` is missing.
    """
    if not (project / ".dvc").is_dir():
        raise RecordError(
            f"{project} has no .dvc folder, so there is no place to record artifacts: restore "
            "it from git, or run `dvc init` (`dvc init --no-scm` outside git)"
        )


def cache_folder(project: Path) -> Path:
    """Folder of DVC's cache, which the configuration may have moved.

    Raises:
        RecordError: `project` is no DVC repository or its configuration is wrong.
    """
    answer = run_python(
        ("-m", "dvc", "cache", "dir"), folder=project, purpose="ask DVC where its cache is"
    )
    return project / answer.strip()


def tracked_files(project: Path) -> frozenset[str]:
    """Files below `project` that git keeps, relative to it; none outside a git repository.

    Raises:
        RecordError: the folder is a git repository that git does not want to read.
    """
    return _ask_git(project, "ls-files", "-z")


def ignored_paths(project: Path, paths: Iterable[str]) -> frozenset[str]:
    """Those of `paths` that git is told to ignore, so no clone has them; none outside git.

    Raises:
        RecordError: as `tracked_files`.
    """
    return _ask_git(project, "check-ignore", "-z", "--stdin", stdin="\0".join(paths))


def _ask_git(project: Path, *arguments: str, stdin: str = "") -> frozenset[str]:
    """The paths that git answers with; status 1 of `check-ignore` is an empty answer."""
    if not any((folder / ".git").exists() for folder in (project, *project.parents)):
        return frozenset()
    git = shutil.which("git")
    if git is None:
        raise RecordError(f"{project} is a git repository, but there is no git: install it")
    done = subprocess.run(
        [git, *arguments],
        cwd=project,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode > 1:
        raise RecordError(f"git cannot list the files of {project}: {done.stderr.strip()}")
    return frozenset(path for path in done.stdout.split("\0") if path)
