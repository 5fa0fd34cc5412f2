"""Every file that belongs to a recorded run, with its hashes: what goes in and what stays out."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal

from isogloss.crate.history import Commit, code_of
from isogloss.crate.terms import Terms
from isogloss.crate.withholding import Handling, handlings
from isogloss.errors import RecordError
from isogloss.record.expected import expected_artifacts
from isogloss.record.hashing import directory_files
from isogloss.record.lock import Lock
from isogloss.record.stages import RECORD_FILES

DESCRIPTION = ("CITATION.cff", "LICENSE", "README.md")
"""What says what this is, taken as it stands now."""

AS_IT_IS = Handling()
"""What is done with a file that comes from no source."""

Role = Literal["artifact", "input", "code", "record", "description"]


@dataclass(frozen=True)
class PackagedFile:
    """One file of the run."""

    path: str
    """Relative to the project's folder and to the package, with `/`."""
    role: Role
    """What it is to the run."""
    content: Path | bytes
    """Where its bytes are, or the bytes."""
    md5: str
    sha256: str
    size: int
    handling: Handling = AS_IT_IS
    """Whether it is withheld, and its licence."""

    @property
    def withheld(self) -> bool:
        """Whether its bytes stay out of the package."""
        return bool(self.handling.reason)


def gather(
    project: Path, lock: Lock, commit: Commit, terms: Mapping[str, Terms]
) -> tuple[PackagedFile, ...]:
    """All files of the recorded run, sorted by path.

    Artifacts and inputs are those of `lock`, which has to be verified before; code is that of
    `commit`; the rest is as it stands in `project`.

    Raises:
        RecordError: a file cannot be read, or a directory is known as a whole only.
    """
    artifacts = [entry.path for entry in expected_artifacts(lock, project)]
    handled = handlings(lock.stages, artifacts, project, terms)
    found = {path: _of_bytes(path, "code", data) for path, data in code_of(project, commit).items()}
    for role, paths in _paths(project, lock, artifacts):
        found |= {path: _of_file(project, path, role) for path in paths}
    for path, handling in handled.items():
        found[path] = replace(found[path], handling=handling)
    return tuple(found[path] for path in sorted(found))


def _paths(
    project: Path, lock: Lock, artifacts: Iterable[str]
) -> Iterator[tuple[Role, Iterable[str]]]:
    yield "description", (name for name in DESCRIPTION if (project / name).is_file())
    yield "input", (path for dep in lock.inputs for path in _files(project, dep.path))
    yield "artifact", artifacts
    yield "record", RECORD_FILES


def _files(project: Path, path: str) -> Iterable[str]:
    place = project / path
    if not place.is_dir():
        return (path,)
    return (f"{path}/{below}" for below in directory_files(place))


def _of_bytes(path: str, role: Role, data: bytes) -> PackagedFile:
    md5 = hashlib.md5(data, usedforsecurity=False).hexdigest()
    return PackagedFile(path, role, data, md5, hashlib.sha256(data).hexdigest(), len(data))


def _of_file(project: Path, path: str, role: Role) -> PackagedFile:
    if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
        raise RecordError(f"dvc.lock names {path}, which lies outside {project}")
    place = project / path
    if not place.is_file():
        raise RecordError(
            f"{place} is no file: if it is a directory that a stage wrote, `dvc fetch` brings the "
            "list of its files"
        )
    md5, sha256, size = hashlib.md5(usedforsecurity=False), hashlib.sha256(), 0
    try:
        with place.open("rb") as stream:
            while chunk := stream.read(1 << 20):
                md5.update(chunk)
                sha256.update(chunk)
                size += len(chunk)
    except OSError as error:
        raise RecordError(f"{place} cannot be read: {error.strerror}") from error
    return PackagedFile(path, role, place, md5.hexdigest(), sha256.hexdigest(), size)


def configurations(lock: Lock) -> tuple[str, ...]:
    """Configuration files that the stages' commands name with `--config`."""
    named = {path for s in lock.stages.values() for path in re.findall(r"--config[ =](\S+)", s.cmd)}
    return tuple(sorted(str(PurePosixPath(path)) for path in named))
