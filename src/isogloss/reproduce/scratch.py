"""The scratch folder: a copy of what git keeps of a project, in which everything is made anew."""

import logging
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from isogloss.errors import ConfigurationError, RecordError
from isogloss.record.hashing import directory_files
from isogloss.record.lock import Lock
from isogloss.record.repository import tracked_files

_logger = logging.getLogger("isogloss")
_PREFIX = "isogloss-reproduce-"


@contextmanager
def scratch_folder(project: Path, parent: Path | None = None, *, keep: bool) -> Iterator[Path]:
    """Make an empty folder, named in the log; remove it at the end unless `keep`.

    What ends early leaves it, and says so: its logs tell why. `parent` is the folder to make it
    in, by default that of the system. Raises `ConfigurationError` when `parent` is no folder or
    lies in the project.
    """
    if parent is not None:
        _check_parent(parent, project)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent)).resolve()
    _logger.info("scratch folder: %s", folder)
    try:
        with _ended_by_request():
            yield folder
    except BaseException:
        _logger.warning("ended early; what was made so far is left in %s", folder)
        raise
    if keep:
        _logger.info("kept: %s", folder)
    else:
        shutil.rmtree(folder)


def copy_project(project: Path, lock: Lock, config: Path, folder: Path) -> None:
    """Copy the files that git keeps, as they stand, and inputs of the recorded run beside them.

    The configuration is copied whether git keeps it or not, unless its path is absolute. What a
    stage wrote, the store of answers and Snakemake's memory are not copied. Raises `RecordError`
    outside a git repository.
    """
    tracked = tracked_files(project)
    if not tracked:
        raise RecordError(
            f"{project} is no git repository, so it is not known which files belong to the "
            "project: work in a clone"
        )
    inputs = [name for dep in lock.inputs for name in _files(project, dep.path)]
    own = [] if config.is_absolute() else [config.as_posix()]
    written = {out.path for out in lock.artifacts}
    copy_files(project, sorted({*tracked, *inputs, *own} - written), folder)


def copy_files(project: Path, names: Iterable[str], folder: Path) -> None:
    """Copy those files that exist, content and permissions, to the same places below `folder`.

    Raises `RecordError` for a name that leads out of the folder.
    """
    for name in names:
        place = inside(folder, name)
        if (project / name).is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(project / name, place)


def inside(folder: Path, name: str) -> Path:
    """Return a place below `folder`; raise `RecordError` for a name that leads out of it."""
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise RecordError(f"{name} leads out of the project, so it cannot be copied; correct it")
    return folder / name


def _files(project: Path, path: str) -> list[str]:
    place = project / path
    return [f"{path}/{name}" for name in directory_files(place)] if place.is_dir() else [path]


def _check_parent(parent: Path, project: Path) -> None:
    if not parent.is_dir():
        raise ConfigurationError(f"{parent} is no folder; name one that exists for the scratch")
    if parent.resolve().is_relative_to(project.resolve()):
        raise ConfigurationError(f"{parent} lies in the project; name a folder outside of it")


@contextmanager
def _ended_by_request() -> Iterator[None]:
    """Let a request to end (SIGTERM) take the way of Ctrl-C, so that no job is left running."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
