"""A scratch DVC repository in which the artifacts of a project are hashed and stored."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from isogloss.errors import RecordError
from isogloss.record.commands import run_python
from isogloss.record.hashing import directory_files
from isogloss.record.repository import cache_folder

_CONFIGURATION = """\
[core]
    no_scm = true
    analytics = false
    autostage = false
    check_update = false
[cache]
    dir = {cache}
"""


@contextmanager
def scratch_repository(project: Path) -> Iterator[Path]:
    """An empty DVC repository below `.dvc/tmp` that stores in the project's cache.

    It knows no git, so the project need be no git repository, and nothing is written to a
    `.gitignore`. It is removed at the end; one that a killed process left is removed at the start.

    Raises:
        RecordError: another process uses it.
    """
    scratch = project / ".dvc" / "tmp" / "record"
    scratch.parent.mkdir(exist_ok=True)
    try:
        with FileLock(scratch.with_suffix(".lock"), timeout=0):
            _initialise(scratch, cache_folder(project))
            try:
                yield scratch
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
    except Timeout:
        raise RecordError(f"{project} is being recorded already: wait for that to end") from None


def _initialise(scratch: Path, cache: Path) -> None:
    shutil.rmtree(scratch, ignore_errors=True)
    (scratch / ".dvc").mkdir(parents=True)
    settings = _CONFIGURATION.format(cache=cache)
    (scratch / ".dvc" / "config").write_text(settings, encoding="utf-8")


def link_content(paths: Iterable[str], project: Path, scratch: Path) -> None:
    """Make files and directories of the project appear in the scratch repository.

    They are hard links (copies where the file system has none), so this takes no room.

    Raises:
        RecordError: a path does not exist, or is or holds something other than files.
    """
    for path in sorted(set(paths)):
        if (project / path).is_dir():
            (scratch / path).mkdir(parents=True, exist_ok=True)
            for name in directory_files(project / path):
                _link(project / path / name, scratch / path / name)
        else:
            _link(project / path, scratch / path)


def _link(source: Path, target: Path) -> None:
    if not source.exists():
        raise RecordError(f"{source} does not exist: no `temp()` output can be recorded")
    if not source.is_file():
        raise RecordError(f"{source} is no file (a link to a directory?) and cannot be recorded")
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        return
    try:
        os.link(source.resolve(), target)
    except OSError:
        shutil.copy2(source, target)


def commit(scratch: Path) -> None:
    """Let DVC hash the content of all stages of `scratch`, store the artifacts and write dvc.lock.

    `--no-relink` leaves the linked files alone, and the empty state database makes DVC read every
    file.

    Raises:
        RecordError: DVC failed.
    """
    run_python(
        ("-m", "dvc", "commit", "--force", "--no-relink", "--quiet"),
        folder=scratch,
        purpose="let DVC record the artifacts",
        environment={
            "DVC_NO_ANALYTICS": "true",
            "DVC_SITE_CACHE_DIR": str(scratch / ".dvc" / "site"),
        },
    )
