"""The DVC repository of a project: where its cache is, and what git keeps."""

import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Committed:
    """The commit that is checked out, as far as it concerns a project."""

    commit: str
    """Its hash."""
    blobs: Mapping[str, str]
    """Git's hash of each file below the project by its relative path."""
    links: frozenset[str]
    """Those of the paths that are symbolic links."""


def committed(project: Path) -> Committed | None:
    """The commit that is checked out in `project`; none outside git and before a first commit.

    Raises:
        RecordError: as `tracked_files`.
    """
    if not _is_in_git(project):
        return None
    head = _run_git(project, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if head.returncode == 1:
        return None
    commit = _answer(head, project).strip()
    entries = [line.split("\t", 1) for line in _ask_git(project, "ls-tree", "-r", "-z", commit)]
    listed = {path: description.split() for description, path in entries}
    return Committed(
        commit,
        {path: blob for path, (_, kind, blob) in listed.items() if kind == "blob"},
        frozenset(path for path, (mode, _, _) in listed.items() if mode == "120000"),
    )


def git_hashes(project: Path, paths: Iterable[str]) -> dict[str, str]:
    """Git's hash of the content of each file, as committing it would give, read from the file.

    `git status` believes times and sizes instead.

    Raises:
        RecordError: as `tracked_files`.
    """
    asked = sorted(paths)
    if not asked:
        return {}
    if any("\n" in path for path in asked):
        raise RecordError(f"{project} has a file with a line break in its name: rename it")
    # `hash-object` reads these paths from the top of the repository.
    prefix = _answer(_run_git(project, "rev-parse", "--show-prefix"), project).rstrip("\n")
    lines = "".join(f"{prefix}{path}\n" for path in asked)
    done = _run_git(project, "hash-object", "--stdin-paths", stdin=lines)
    answer = _answer(done, project)
    return dict(zip(asked, answer.split(), strict=True))


def _is_in_git(project: Path) -> bool:
    folder = project.absolute()
    return any((place / ".git").exists() for place in (folder, *folder.parents))


def _ask_git(project: Path, *arguments: str, stdin: str = "") -> frozenset[str]:
    """The paths that git answers with; status 1 of `check-ignore` is an empty answer."""
    if not _is_in_git(project):
        return frozenset()
    answer = _answer(_run_git(project, *arguments, stdin=stdin), project)
    return frozenset(path for path in answer.split("\0") if path)


def _run_git(project: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    git = shutil.which("git")
    if git is None:
        raise RecordError(f"{project} is a git repository, but there is no git: install it")
    return subprocess.run(
        [git, *arguments],
        cwd=project,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        check=False,
    )


def _answer(done: subprocess.CompletedProcess[str], project: Path) -> str:
    if done.returncode > 1:
        raise RecordError(f"git cannot list the files of {project}: {done.stderr.strip()}")
    return done.stdout
