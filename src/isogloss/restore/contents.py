"""The recorded files one by one, with paths that lie inside the project."""

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from isogloss.errors import RecordError
from isogloss.record.expected import Expected
from isogloss.record.lock import RecordedPath, directory_listing
from isogloss.restore.objects import Wanted

_NOT_FOR_CONTENT = (".git", ".dvc", ".snakemake")


def wanted_lists(artifacts: Iterable[RecordedPath]) -> tuple[Wanted, ...]:
    """Lists of the recorded directories, of which DVC keeps one object each."""
    return tuple(Wanted(out.md5, None, out.path) for out in artifacts if out.is_directory)


def recorded_files(artifacts: Iterable[RecordedPath], cache: Path) -> tuple[Expected, ...]:
    """Every file of `artifacts`, those of directories from the lists in `cache`.

    Raises:
        RecordError: a path leads outside the project or into another recorded file, or a list does
            not have the recorded number of files.
    """
    files = tuple(file for out in artifacts for file in _files(out, cache))
    _require_inside(files)
    return files


def _files(out: RecordedPath, cache: Path) -> tuple[Expected, ...]:
    if not out.is_directory:
        return (Expected(out.path, out.md5, out.size),)
    listing = directory_listing(out.md5, cache)
    if listing is None:
        raise RecordError(f"the list of the files of {out.path} cannot be read in DVC's cache")
    _require_list(out, listing)
    return tuple(Expected(f"{out.path}/{path}", md5, None) for path, md5 in listing.items())


def _require_list(out: RecordedPath, listing: Mapping[str, str]) -> None:
    if len(listing) != out.nfiles:
        raise RecordError(
            f"dvc.lock records {out.nfiles} files in {out.path}, and their list names "
            f"{len(listing)} different ones: restore dvc.lock from git"
        )
    nested = sorted(path for path, md5 in listing.items() if md5.endswith(".dir"))
    if nested:
        raise RecordError(f"the list of the files of {out.path} has {nested[0]} as a directory")


def _require_inside(files: Iterable[Expected]) -> None:
    paths: set[str] = set()
    for file in files:
        if not _is_plain(file.path):
            raise RecordError(
                f"the record names {file.path!r}, which is no path inside the project: "
                "nothing was restored; find out who wrote dvc.lock"
            )
        if file.path in paths:
            raise RecordError(f"the record names {file.path} twice: nothing was restored")
        paths.add(file.path)
    for path in paths:
        within = next((str(up) for up in PurePosixPath(path).parents if str(up) in paths), None)
        if within:
            raise RecordError(f"the record has {path} inside of {within}, which is a file")


def _is_plain(path: str) -> bool:
    """Whether a path is a relative one in its shortest form, of characters that can be shown."""
    parts = path.split("/")
    inner = all(part not in ("", ".", "..") and "\\" not in part for part in parts)
    return inner and path.isprintable() and parts[0].lower() not in _NOT_FOR_CONTENT
