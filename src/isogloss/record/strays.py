"""Files that no stage wrote, in folders that hold artifacts only."""

from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath

from isogloss.record.findings import Finding
from isogloss.record.hashing import directory_files
from isogloss.record.lock import Lock

_FOR_GIT = frozenset({".gitignore", ".gitkeep"})


def artifact_folders(lock: Lock) -> tuple[str, ...]:
    """Folders that hold artifacts only, from where the artifacts are.

    These are the directories that a stage wrote and, for every other artifact at least three
    levels deep, the first two levels: `data/raw` for `data/raw/source/file.csv`.
    """
    written = {out.path for out in lock.artifacts if out.is_directory}
    paths = [PurePosixPath(out.path) for out in lock.artifacts if not out.is_directory]
    above = {str(PurePosixPath(*path.parts[:2])) for path in paths if len(path.parts) > 2}
    return tuple(sorted(written | above))


def stray_files(
    project: Path, folders: Iterable[str], *, artifacts: Collection[str], tracked: Collection[str]
) -> tuple[Finding, ...]:
    """Findings for all files below `folders` that are none of `artifacts` and not in git.

    What stands below a path of `artifacts` belongs to it: that is a directory known as a whole.
    """
    present = {
        f"{folder}/{path}" for folder in folders for path in directory_files(project / folder)
    }
    strays = (path for path in present - set(tracked) if not _belongs(path, artifacts))
    return tuple(Finding("extra", path, note="no stage wrote it") for path in sorted(strays))


def _belongs(path: str, artifacts: Collection[str]) -> bool:
    place = PurePosixPath(path)
    return place.name in _FOR_GIT or any(str(part) in artifacts for part in (place, *place.parents))
