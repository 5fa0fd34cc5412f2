"""The files of the recorded run that are compared: those that dvc.lock has below `data/`."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from isogloss.errors import RecordError
from isogloss.record.expected import Expected, expected_artifacts
from isogloss.record.hashing import hash_files
from isogloss.record.lock import Lock

FOLDER = "data/"
"""Where all tables of a run are."""


def recorded_files(lock: Lock, project: Path) -> tuple[Expected, ...]:
    """Return the recorded files below `data/`, in order.

    Raises `RecordError` when one of them is not there, or there are none.
    """
    found = [entry for entry in expected_artifacts(lock, project) if entry.path.startswith(FOLDER)]
    if not found:
        raise RecordError(f"{project}: dvc.lock records nothing below {FOLDER}, nothing to compare")
    missing = [entry.path for entry in found if not (project / entry.path).is_file()]
    if missing:
        more = f" and {len(missing) - 1} more files" if len(missing) > 1 else ""
        raise RecordError(
            f"{missing[0]}{more} of the recorded run are not here: `isogloss restore` brings them"
        )
    return tuple(sorted(found, key=lambda entry: entry.path))


def altered_files(files: Sequence[Expected], project: Path) -> tuple[str, ...]:
    """Return those files that have other bytes than dvc.lock records."""
    hashes = hash_files(project / entry.path for entry in files)
    return tuple(e.path for e in files if hashes[project / e.path].md5 != e.md5)


def written_files(outputs: Iterable[str], folder: Path) -> tuple[str, ...]:
    """Return the files below `data/` that stages have written; of a folder, each file in it."""
    found: set[str] = set()
    for path in outputs:
        if not path.startswith(FOLDER):
            continue
        place = folder / path
        inside = [file for file in place.rglob("*") if file.is_file()] if place.is_dir() else []
        found |= {file.relative_to(folder).as_posix() for file in inside}
        found |= {path} if place.is_file() else set()
    return tuple(sorted(found))
