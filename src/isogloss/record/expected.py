"""Every path that dvc.lock records, with the files of recorded directories one by one."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from isogloss.record.lock import Lock, RecordedPath, directory_listing
from isogloss.record.repository import cache_folder

_Listings = Mapping[str, Mapping[str, str] | None]


@dataclass(frozen=True)
class Expected:
    """Recorded content of one file, or of a directory that is known as a whole only."""

    path: str
    """Relative to the project's folder, with `/`."""
    md5: str
    """Recorded hash."""
    size: int | None
    """Recorded bytes; none for a file of a directory."""
    note: str = ""
    """Why a directory is known as a whole only."""


def expected_artifacts(lock: Lock, project: Path) -> tuple[Expected, ...]:
    """What the stages wrote.

    The files of a directory are in a list in DVC's cache. It is looked for in `.dvc/cache`, and
    then where DVC's configuration has the cache.

    Raises:
        RecordError: a list is not in `.dvc/cache`, and DVC does not say where its cache is.
    """
    listings = _listings(lock, project)
    return tuple(entry for out in lock.artifacts for entry in _files(out, listings))


def expected_inputs(lock: Lock) -> tuple[Expected, ...]:
    """What the stages read and none of them wrote; a directory as a whole."""
    return tuple(Expected(dep.path, dep.md5, dep.size) for dep in lock.inputs)


def _listings(lock: Lock, project: Path) -> _Listings:
    hashes = {out.md5 for out in lock.artifacts if out.is_directory}
    found = {md5: directory_listing(md5, project / ".dvc" / "cache") for md5 in hashes}
    lacking = [md5 for md5, listing in found.items() if listing is None]
    if lacking:
        cache = cache_folder(project)
        found |= {md5: directory_listing(md5, cache) for md5 in lacking}
    return found


def _files(out: RecordedPath, listings: _Listings) -> tuple[Expected, ...]:
    if not out.is_directory:
        return (Expected(out.path, out.md5, out.size),)
    listing = listings[out.md5]
    if listing is None:
        note = "DVC's cache lacks the list of its files: `dvc fetch` brings it"
        return (Expected(out.path, out.md5, out.size, note),)
    return tuple(Expected(f"{out.path}/{path}", md5, None) for path, md5 in listing.items())
