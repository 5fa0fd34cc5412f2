"""Objects of the local cache: brought from a remote, and hashed before they are believed."""

import os
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from isogloss.record.findings import Finding
from isogloss.record.hashing import ContentHash, hash_file, hash_files
from isogloss.restore.remote import Remote
from isogloss.terminal import shows_bars

_AT_A_TIME = 8

Elsewhere = Callable[[str, Path], str]
"""Writes what is recorded as a path to a file, from somewhere else than the remote, and says from
where; the empty string when it can be had from nowhere else. What it writes is hashed like all."""


def nowhere(_path: str, _target: Path) -> str:
    """The `Elsewhere` that has nothing."""
    return ""


@dataclass(frozen=True)
class Wanted:
    """Content that is to be in the cache."""

    md5: str
    """Its hash; ends in `.dir` for the list of a directory's files."""
    size: int | None
    """Its bytes, where they are recorded: not for lists and files of directories."""
    path: str
    """A path that is recorded with it, to name it by."""


def object_path(cache: Path, md5: str) -> Path:
    """Where DVC's cache has an object."""
    return cache / "files" / "md5" / md5[:2] / md5[2:]


def bring(
    wanted: Iterable[Wanted],
    cache: Path,
    scratch: Path,
    open_remote: Callable[[], Remote],
    elsewhere: Elsewhere = nowhere,
) -> tuple[int, tuple[Finding, ...]]:
    """Have every object in the cache with its own bytes.

    What the cache has is hashed, too, and brought again where it is not what its name says. The
    remote is opened only when something is to be brought; what it lacks is looked for `elsewhere`.
    An object goes into the cache when its bytes are those of its hash, until then it is in
    `scratch`.

    Returns:
        The number of objects brought, and a finding for each path whose object the remote lacks
        or has with other bytes.

    Raises:
        RecordError: the remote cannot be read.
    """
    lacking = _lacking(wanted, cache)
    if not lacking:
        return 0, ()
    remote = open_remote()
    scratch.mkdir(parents=True, exist_ok=True)
    pool = ThreadPoolExecutor(_AT_A_TIME)
    try:
        tasks = pool.map(lambda same: _bring_one(same, cache, scratch, remote, elsewhere), lacking)
        found = list(_shown(tasks, len(lacking), remote))
    finally:
        pool.shutdown(cancel_futures=True)
    findings = (finding for of_one in found for finding in of_one)
    brought = sum(not of_one for of_one in found)
    return brought, tuple(sorted(findings, key=lambda finding: finding.path))


def _shown(tasks: Iterable[list[Finding]], total: int, remote: Remote) -> Iterable[list[Finding]]:
    what = f"from {remote.name}"
    return tqdm(tasks, what, total, unit="file", disable=not shows_bars(), file=sys.stderr)


def _lacking(wanted: Iterable[Wanted], cache: Path) -> list[list[Wanted]]:
    """What is wanted and not in the cache; paths with the same content together."""
    same: dict[str, list[Wanted]] = defaultdict(list)
    for one in wanted:
        same[one.md5].append(one)
    paths = {md5: object_path(cache, md5) for md5 in same}
    hashes = hash_files(paths.values())
    return [same[md5] for md5, path in paths.items() if not _is(md5, hashes.get(path))]


def _is(md5: str, found: ContentHash | None) -> bool:
    return found is not None and found.md5 == md5.removesuffix(".dir")


def _bring_one(
    same: Sequence[Wanted], cache: Path, scratch: Path, remote: Remote, elsewhere: Elsewhere
) -> list[Finding]:
    """Bring one object, which is recorded for all paths of `same`."""
    md5 = same[0].md5
    staged = scratch / md5
    place = f"in remote {remote.name}"
    size = remote.size(md5)
    if size is None:
        place = _bring_from_elsewhere(same, staged, elsewhere)
        if not place:
            note = f"remote {remote.name} lacks it: run `dvc push` where the run was made"
            return [Finding("missing", w.path, md5, None, w.size, None, note) for w in same]
    elif any(one.size not in (None, size) for one in same):
        return [Finding("differs", w.path, md5, None, w.size, size, place) for w in same]
    else:
        remote.download(md5, staged)
    found = hash_file(staged)
    if not _is(md5, found):
        staged.unlink()
        return [Finding("differs", w.path, md5, found.md5, w.size, found.size, place) for w in same]
    _store(staged, object_path(cache, md5))
    return []


def _bring_from_elsewhere(same: Iterable[Wanted], staged: Path, elsewhere: Elsewhere) -> str:
    places = (elsewhere(one.path, staged) for one in same)
    return next((f"in {place}" for place in places if place), "")


def _store(staged: Path, target: Path) -> None:
    """Move a file to its place in the cache, write-protected as DVC's own objects are."""
    target.parent.mkdir(parents=True, exist_ok=True)
    staged.chmod(0o444)
    try:
        staged.replace(target)
    except OSError:  # The cache may be on another file system.
        beside = target.with_name(f"{target.name}.{os.getpid()}")
        shutil.copy(staged, beside)
        beside.replace(target)
        staged.unlink()
