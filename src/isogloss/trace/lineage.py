"""Stages behind a file, as dvc.lock records them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from isogloss.errors import IsoglossError
from isogloss.fetch import load_sources
from isogloss.record.lock import Lock
from isogloss.record.manifests import FOLDER as MODELS
from isogloss.record.manifests import read_manifest

_FETCHED = "data/raw"


@dataclass(frozen=True)
class File:
    """A file or folder with its recorded hash."""

    path: str
    md5: str
    note: str = ""
    """What else identifies it: the digest of a model, the SHA-256 of a source."""


@dataclass(frozen=True)
class Step:
    """A stage, and what it read."""

    stage: str
    command: str
    outs: tuple[File, ...]
    made: tuple[File, ...]
    """Inputs that other stages wrote."""
    given: tuple[File, ...]
    """Inputs that stand in the project."""
    depth: int
    """Number of stages between it and the file that was asked for."""


def steps_behind(
    files: Iterable[str],
    lock: Lock,
    project: Path,
    followed: Callable[[str], bool] = lambda _: True,
) -> tuple[Step, ...]:
    """Return every stage that had a part in some files, nearest first, each once.

    What a stage read is followed further where `followed` says so.
    """
    writer = {out.path: name for name, stage in lock.stages.items() for out in stage.outs}
    found: dict[str, int] = {}
    waiting = [(name, 0) for name in _writers(files, writer)]
    while waiting:
        name, depth = waiting.pop(0)
        if name in found:
            continue
        found[name] = depth
        deps = (dep.path for dep in lock.stages[name].deps if followed(dep.path))
        waiting += [(before, depth + 1) for before in _writers(deps, writer)]
    return tuple(_step(name, depth, lock, writer, project) for name, depth in found.items())


def _step(name: str, depth: int, lock: Lock, writer: dict[str, str], project: Path) -> Step:
    stage = lock.stages[name]
    deps = [File(dep.path, dep.md5) for dep in stage.deps]
    made = {path for path in (dep.path for dep in stage.deps) if list(_writers([path], writer))}
    return Step(
        name,
        stage.cmd,
        tuple(File(out.path, out.md5, _note(out.path, project)) for out in stage.outs),
        tuple(dep for dep in deps if dep.path in made),
        tuple(dep for dep in deps if dep.path not in made),
        depth,
    )


def _writers(files: Iterable[str], writer: dict[str, str]) -> Iterator[str]:
    """Yield the stage that wrote each file, or a folder around it."""
    for file in files:
        around = (file, *map(str, PurePosixPath(file).parents))
        yield from (writer[path] for path in around if path in writer)


def _note(path: str, project: Path) -> str:
    """Return what identifies a model or a source besides the MD5 of its file."""
    place = PurePosixPath(path)
    try:
        if str(place.parent) == MODELS:
            return f"model digest {read_manifest(project / path)[1]}"
        if place.is_relative_to(_FETCHED):
            pin = load_sources(project / "data" / "sources.yaml")[place.parts[2]]
            return f"source {place.parts[2]}, sha256 {pin.sha256}"
    except (IsoglossError, KeyError, IndexError):
        return ""
    return ""
