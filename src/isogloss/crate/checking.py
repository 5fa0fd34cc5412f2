"""Checks a package: every file against its description, and that against its own dvc.lock."""

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO

from isogloss.crate.description import Described, Description, read_description
from isogloss.crate.entities import DESCRIPTOR
from isogloss.crate.findings import CrateCheck, CrateFinding
from isogloss.crate.identifier import recorded_identifier
from isogloss.crate.reading import READ_ERRORS, OpenPackage, leads_outside, opened
from isogloss.crate.signing import verify_signature
from isogloss.errors import RecordError
from isogloss.record.hashing import directory_md5
from isogloss.record.lock import Lock, RecordedPath, read_lock

_METADATA_LIMIT = 64_000_000
_CHUNK = 1 << 20
_LOCK = "dvc.lock"


def check_package(
    place: Path, *, signature: Path | None = None, keys: Path | None = None
) -> CrateCheck:
    """Check a package, a ZIP file or a folder, without unpacking it.

    Every file is hashed and compared with its description, what is not described is named, and
    the hashes of the description are compared with those in the package's own dvc.lock. Without a
    signature this finds accidents; whoever changes a package can change its description too.

    Args:
        place: the package.
        signature: detached signature of the ZIP file, or of a folder's `ro-crate-metadata.json`.
        keys: file of public keys for the signature (`verify_signature`).

    Raises:
        RecordError: the check is not possible: `place` is no package, or the signature cannot be
            checked.
    """
    with opened(place) as package:
        description = read_description(_metadata(place, package))
        check = CrateCheck(
            identifier=description.identifier,
            files=len(description.files),
            size=sum(file.size for file in description.files),
            withheld=len(description.withheld),
            findings=(
                *package.unsafe,
                *_content(description, package),
                *_against_record(description, package),
            ),
        )
    if signature is None:
        return check
    signed = verify_signature(place / DESCRIPTOR if place.is_dir() else place, signature, keys)
    if signed.ok:
        return replace(check, signature=signed)
    found = CrateFinding("signature", str(signature), f"{signed.reason}; key {signed.fingerprint}")
    return replace(check, signature=signed, findings=(*check.findings, found))


def _metadata(place: Path, package: OpenPackage) -> bytes:
    if DESCRIPTOR not in package.entries:
        raise RecordError(f"{place} has no {DESCRIPTOR} at its top, so it is no package of a run")
    try:
        with package.entries[DESCRIPTOR]() as stream:
            content = stream.read(_METADATA_LIMIT + 1)
    except READ_ERRORS as error:
        raise RecordError(f"{place}: {DESCRIPTOR} cannot be read: {error}") from error
    if len(content) > _METADATA_LIMIT:
        raise RecordError(f"{place}: {DESCRIPTOR} is larger than {_METADATA_LIMIT} bytes")
    return content


def _content(description: Description, package: OpenPackage) -> Iterator[CrateFinding]:
    unsafe = {found.path for found in package.unsafe}
    for file in description.files:
        if leads_outside(file.path):
            yield CrateFinding("unsafe", file.path, "its path leads outside the package")
        elif file.path not in package.entries:
            if file.path not in unsafe:
                yield CrateFinding("missing", file.path, "it is described and not there")
        else:
            yield from _compared(file, package.entries[file.path])
    described = {DESCRIPTOR, *(file.path for file in description.files)}
    for path in sorted(package.entries.keys() - described):
        yield CrateFinding("extra", path, "nothing describes it")


def _compared(file: Described, open_entry: Callable[[], IO[bytes]]) -> Iterator[CrateFinding]:
    sha256, md5 = hashlib.sha256(), hashlib.md5(usedforsecurity=False)
    left = file.size
    try:
        with open_entry() as stream:
            while chunk := stream.read(min(_CHUNK, left + 1)):
                left -= len(chunk)
                if left < 0:
                    note = f"it goes on after the {file.size} bytes of its description"
                    yield CrateFinding("unsafe", file.path, note)
                    return
                sha256.update(chunk)
                md5.update(chunk)
    except READ_ERRORS as error:
        yield CrateFinding("differs", file.path, f"it cannot be read: {error}")
        return
    if (sha256.hexdigest(), md5.hexdigest()) != (file.sha256, file.md5):
        note = f"described sha256 {file.sha256}, found {sha256.hexdigest()}"
        yield CrateFinding("differs", file.path, note)


def _against_record(description: Description, package: OpenPackage) -> Iterator[CrateFinding]:
    lock = _lock(description, package)
    if lock is None:
        note = "it cannot be read, so the description is not compared with a record"
        yield CrateFinding("contradicts", _LOCK, note)
        return
    if recorded_identifier(lock) != description.identifier:
        note = f"the identifier that follows from {_LOCK} is {recorded_identifier(lock)}"
        yield CrateFinding("contradicts", DESCRIPTOR, note)
    known = {file.path: file.md5 for file in (*description.files, *description.withheld)}
    for entry in sorted({*lock.artifacts, *lock.inputs}, key=lambda entry: entry.path):
        found = _known(entry, known)
        if found != entry.md5:
            note = f"{_LOCK} has {entry.md5}, the description {found or 'no such path'}"
            yield CrateFinding("contradicts", entry.path, note)


def _lock(description: Description, package: OpenPackage) -> Lock | None:
    """The package's own dvc.lock; none when it is not there or has another form."""
    size = next((file.size for file in description.files if file.path == _LOCK), None)
    if size is None or _LOCK not in package.entries:
        return None
    try:
        with package.entries[_LOCK]() as stream:
            content = stream.read(min(size, _METADATA_LIMIT))
        with tempfile.TemporaryDirectory(prefix="isogloss-crate-") as scratch:
            place = Path(scratch, _LOCK)
            place.write_bytes(content)
            return read_lock(place)
    except (*READ_ERRORS, RecordError, RecursionError):
        return None


def _known(entry: RecordedPath, known: Mapping[str, str]) -> str | None:
    """Hash of a recorded path as the description has it; of a directory, over its files."""
    if not entry.is_directory:
        return known.get(entry.path)
    prefix = f"{entry.path}/"
    below = {p.removeprefix(prefix): md5 for p, md5 in known.items() if p.startswith(prefix)}
    return directory_md5(below) if below else None
