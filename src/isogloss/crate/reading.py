"""Opens a package from anywhere: names of entries are checked before a byte is read.

Nothing is unpacked. An entry is read no further than the size that its description states, so a
file that unfolds to more than that costs no more.
"""

import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from isogloss.crate.findings import CrateFinding
from isogloss.errors import RecordError

ENTRIES = 200_000
"""Entries beyond which a package is not read."""
UNFOLDS = 500
"""Times its size in the package to which an entry may unfold, once it is larger than `SMALL`."""
SMALL = 10_000_000
"""Bytes to which any entry may unfold."""

READ_ERRORS = (OSError, ValueError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error)
"""What reading an entry raises when the archive is damaged."""


@dataclass(frozen=True)
class OpenPackage:
    """The entries of a package that may be read, and what is wrong with the others."""

    entries: Mapping[str, Callable[[], IO[bytes]]]
    """What opens each plain file, by its path in the package."""
    unsafe: tuple[CrateFinding, ...]
    """Entries that are not read."""


@contextmanager
def opened(place: Path) -> Iterator[OpenPackage]:
    """Open a package that is a folder or a ZIP file.

    Raises:
        RecordError: it is neither, cannot be read, or has more than `ENTRIES` entries.
    """
    if place.is_dir():
        yield _folder(place)
        return
    try:
        archive = zipfile.ZipFile(place)
    except FileNotFoundError:
        raise RecordError(f"{place} does not exist; check the path") from None
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise RecordError(f"{place} is no folder and no ZIP file: {error}") from error
    with archive:
        yield _zip(archive, place)


def _folder(place: Path) -> OpenPackage:
    found = sorted(path for path in place.rglob("*") if path.is_symlink() or not path.is_dir())
    _require_few(place, len(found))
    plain = {path.relative_to(place).as_posix(): path for path in found if _is_plain(path)}
    odd = [path.relative_to(place).as_posix() for path in found if not _is_plain(path)]
    return OpenPackage(
        {name: lambda path=path: path.open("rb") for name, path in plain.items()},  # type: ignore[misc]
        tuple(CrateFinding("unsafe", name, "a link, or no plain file") for name in odd),
    )


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _zip(archive: zipfile.ZipFile, place: Path) -> OpenPackage:
    every = archive.infolist()
    _require_few(place, len(every))
    taken = Counter(member.filename for member in every)
    wrong = {member.filename: _wrong(member, taken) for member in every}
    return OpenPackage(
        {
            member.filename: lambda member=member: archive.open(member)  # type: ignore[misc]
            for member in every
            if not (member.is_dir() or wrong[member.filename])
        },
        tuple(CrateFinding("unsafe", name, why) for name, why in wrong.items() if why),
    )


def _wrong(member: zipfile.ZipInfo, taken: Mapping[str, int]) -> str:
    """Why an entry of a ZIP file is not read; empty where it may be."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    if leads_outside(member.filename):
        return "its name leads outside the package"
    if kind not in (0, stat.S_IFDIR if member.is_dir() else stat.S_IFREG):
        return "a link, or no plain file"
    if taken[member.filename] > 1:
        return "it stands in the package more than once"
    if member.flag_bits & 0x1:
        return "it is encrypted"
    if member.file_size > max(SMALL, UNFOLDS * member.compress_size):
        return f"it unfolds to more than {UNFOLDS} times its size"
    return ""


def leads_outside(name: str) -> bool:
    """Whether a path in a package is one that leads out of it, on any system."""
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name or not name


def _require_few(place: Path, number: int) -> None:
    if number > ENTRIES:
        raise RecordError(f"{place} has {number} entries, more than {ENTRIES}: it is not read")
