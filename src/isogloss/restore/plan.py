"""What is to be written into the working tree, and what stands in the way."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from isogloss.record.expected import Expected
from isogloss.record.findings import Finding
from isogloss.record.hashing import ContentHash, hash_files
from isogloss.record.lock import Lock
from isogloss.record.strays import artifact_folders, stray_files

_FORCE = "stands in the way; --force replaces it"


@dataclass(frozen=True)
class Plan:
    """How the working tree becomes the recorded one."""

    needed: tuple[Expected, ...]
    """Files to write."""
    removed: tuple[str, ...]
    """Files to remove: what `force` gives up in recorded directories."""
    kept: int
    """Files that are there with recorded bytes."""
    obstacles: tuple[Finding, ...]
    """What must be settled first; nothing is to be written while there is one."""


def make_plan(
    lock: Lock,
    files: Iterable[Expected],
    project: Path,
    tracked: Collection[str],
    *,
    force: bool,
) -> Plan:
    """Compare `files` (of `lock`) with the working tree.

    A file with other bytes, or one that nothing wrote and git does not keep (`tracked`), is an
    obstacle. With `force`, a file is replaced, and one that is too many in a recorded directory is
    removed; others are not.

    Raises:
        RecordError: a file cannot be read.
    """
    every = tuple(files)
    found = hash_files(project / file.path for file in every)
    current = {file for file in every if _has(file, found, project)}
    wrong = tuple(file for file in every if file not in current)
    obstacles = {file: _obstacle(file, found, project, force=force) for file in wrong}
    strays = _strays(lock, every, project, tracked)
    directories = tuple(f"{out.path}/" for out in lock.artifacts if out.is_directory)
    removed = tuple(s.path for s in strays if force and s.path.startswith(directories))
    return Plan(
        needed=tuple(file for file in wrong if obstacles[file] is None),
        removed=removed,
        kept=len(current),
        obstacles=(
            *(obstacle for obstacle in obstacles.values() if obstacle),
            *(stray for stray in strays if stray.path not in removed),
        ),
    )


def _has(file: Expected, found: Mapping[Path, ContentHash], project: Path) -> bool:
    content = found.get(project / file.path)
    return content is not None and content.md5 == file.md5


def _obstacle(
    file: Expected,
    found: Mapping[Path, ContentHash],
    project: Path,
    *,
    force: bool,
) -> Finding | None:
    path = project / file.path
    blocked = _blocked(path, project)
    if blocked:
        return _finding(file, None, blocked)
    if (path in found or path.is_symlink()) and not force:
        return _finding(file, found.get(path), _FORCE)
    return None


def _finding(file: Expected, content: ContentHash | None, note: str) -> Finding:
    md5, size = (content.md5, content.size) if content else (None, None)
    return Finding(
        "differs" if content else "missing", file.path, file.md5, md5, file.size, size, note
    )


def _blocked(path: Path, project: Path) -> str:
    """Why no file can be written at `path`, whatever is forced."""
    if path.is_dir():
        return "a folder stands in its place: move it away"
    try:
        inside = path.parent.resolve().is_relative_to(project)
    except (OSError, RuntimeError) as error:
        return f"its folder cannot be looked at ({error})"
    if not inside:
        return "a link leads its folder outside the project: replace the link by a folder"
    above = next(up for up in path.parents if up.exists())
    return "" if above.is_dir() else f"{above.relative_to(project)} is no folder: move it away"


def _strays(
    lock: Lock, files: Iterable[Expected], project: Path, tracked: Collection[str]
) -> tuple[Finding, ...]:
    paths = {file.path for file in files}
    return stray_files(project, artifact_folders(lock), artifacts=paths, tracked=tracked)
