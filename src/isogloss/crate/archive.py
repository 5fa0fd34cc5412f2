"""Writes a package as a folder or as a ZIP file, with the same bytes for the same content."""

import hashlib
import io
import shutil
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

from isogloss.crate.contents import PackagedFile
from isogloss.crate.entities import DESCRIPTOR
from isogloss.errors import RecordError

_CHUNK = 1 << 20
_UNIX = 3
_PLAIN_FILE = 0o100644 << 16
_FOLDER = (0o040755 << 16) | 0x10
_FIRST_YEAR = 1980


def is_zip(out: Path) -> bool:
    """Whether a package of this name is a ZIP file; any other name is a folder's."""
    return out.suffix.lower() == ".zip"


def require_free(*paths: Path) -> None:
    """Check that nothing stands at any of `paths` yet.

    Raises:
        RecordError: something does.
    """
    for path in paths:
        if path.exists() or path.is_symlink():
            raise RecordError(f"{path} exists already: remove it, or write to another place")


@contextmanager
def written(
    out: Path,
    metadata: bytes,
    files: Iterable[PackagedFile],
    folders: Iterable[str],
    date: datetime,
) -> Iterator[Path]:
    """Write the package beside `out` and give its place; it becomes `out` at the end.

    `folders` are those that are described, which stand there even if nothing is in them.

    Nothing is compressed, so the bytes depend on no library. The times of a ZIP file's entries
    are `date`. An error leaves nothing behind.

    Raises:
        RecordError: a file has other bytes than when it was hashed.
    """
    part = out.with_name(f".{out.name}.part")
    _remove(part)
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        if is_zip(out):
            _write_zip(part, metadata, files, folders, date)
        else:
            _write_folder(part, metadata, files, folders)
        yield part
        require_free(out)
        part.rename(out)
    finally:
        _remove(part)


def _write_zip(
    part: Path,
    metadata: bytes,
    files: Iterable[PackagedFile],
    folders: Iterable[str],
    date: datetime,
) -> None:
    with zipfile.ZipFile(part, "x", zipfile.ZIP_STORED) as archive:
        archive.writestr(_entry(DESCRIPTOR, len(metadata), date), metadata)
        for folder in folders:
            archive.writestr(_entry(f"{folder}/", 0, date), b"")
        for file in files:
            with archive.open(_entry(file.path, file.size, date), "w") as target:
                _copy(file, target)


def _entry(path: str, size: int, date: datetime) -> zipfile.ZipInfo:
    when = date.timetuple()[:6] if date.year >= _FIRST_YEAR else (_FIRST_YEAR, 1, 1, 0, 0, 0)
    entry = zipfile.ZipInfo(path, when)
    entry.create_system = _UNIX
    entry.external_attr = _FOLDER if path.endswith("/") else _PLAIN_FILE
    entry.file_size = size
    return entry


def _write_folder(
    part: Path, metadata: bytes, files: Iterable[PackagedFile], folders: Iterable[str]
) -> None:
    part.mkdir()
    (part / DESCRIPTOR).write_bytes(metadata)
    for folder in folders:
        (part / folder).mkdir(parents=True, exist_ok=True)
    for file in files:
        place = part / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as target:
            _copy(file, target)


def _copy(file: PackagedFile, target: IO[bytes]) -> None:
    digest = hashlib.sha256()
    with _open(file.content) as source:
        while chunk := source.read(_CHUNK):
            digest.update(chunk)
            target.write(chunk)
    if digest.hexdigest() != file.sha256:
        raise RecordError(f"{file.path} changed while it was being packaged: start again")


def _open(content: Path | bytes) -> IO[bytes]:
    return io.BytesIO(content) if isinstance(content, bytes) else content.open("rb")


def _remove(part: Path) -> None:
    if part.is_dir() and not part.is_symlink():
        shutil.rmtree(part)
    else:
        part.unlink(missing_ok=True)
