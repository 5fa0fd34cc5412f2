"""Hashes of the files of a record, in the form that `sha256sum -c` reads."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from isogloss.errors import RecordError

SUMS = "SHA256SUMS"
"""File with a line `<hash>  <path>` for every other file of the record."""

_LINE = re.compile(r"([0-9a-f]{64})  ([A-Za-z0-9][A-Za-z0-9._/-]*)")


def sums_of(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the SHA-256 of each file by its path, sorted."""
    return {path: hashlib.sha256(files[path]).hexdigest() for path in sorted(files)}


def written(sums: Mapping[str, str]) -> str:
    """Return the content of `SHA256SUMS`."""
    return "".join(f"{digest}  {path}\n" for path, digest in sums.items())


def verify(folder: Path) -> dict[str, str]:
    """Check every file of a record against `SHA256SUMS`, and return the hashes by path.

    Raises `RecordError` naming the first file that differs, is missing, or is not listed.
    """
    sums = _read(folder / SUMS)
    present = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()
    )
    for path in present:
        if path != SUMS and path not in sums:
            raise RecordError(f"{folder / path}: not a file of the record; move it elsewhere")
    for path, digest in sums.items():
        if _sha256(folder / path) != digest:
            raise RecordError(
                f"{folder / path}: differs from what {SUMS} says; use an unchanged copy of the "
                "record"
            )
    return sums


def _read(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(
            f"{path}: cannot be read; name the folder that an audit wrote ({error})"
        ) from error
    sums: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        found = _LINE.fullmatch(line)
        if found is None or ".." in PurePosixPath(found[2]).parts or found[2] in sums:
            raise RecordError(f"{path}, line {number}: not a hash and a path of the record")
        sums[found[2]] = found[1]
    return sums


def _sha256(path: Path) -> str:
    if path.is_symlink() or not path.is_file():
        raise RecordError(f"{path}: missing from the record; use a complete copy of it")
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror})") from error
