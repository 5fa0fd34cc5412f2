"""MD5 hashes of files and directories as DVC 3 defines them, always computed from the bytes.

MD5 is what DVC records. It reveals every accident and every edit, but not a file that somebody
constructed to collide with another.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from isogloss.errors import RecordError

IGNORED_NAMES = frozenset({".snakemake_timestamp", "__pycache__", ".DS_Store"})
"""Files and folders that are no content, wherever they stand; `.dvcignore` lists the same."""


@dataclass(frozen=True)
class ContentHash:
    """What a file or a directory holds."""

    md5: str
    """Hexadecimal MD5; that of a directory ends in `.dir`."""
    size: int
    """Bytes of content, summed over the files of a directory."""


def hash_file(path: Path) -> ContentHash:
    """MD5 and size of one file's bytes.

    Raises:
        RecordError: the file exists but cannot be read.
    """
    try:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False))
            return ContentHash(digest.hexdigest(), stream.tell())
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error


def hash_bytes(content: bytes) -> str:
    """MD5 of bytes in memory."""
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def hash_files(paths: Iterable[Path]) -> dict[Path, ContentHash]:
    """Hashes of those of `paths` that are files; a path that is none is left out."""
    present = [path for path in paths if path.is_file()]
    with ThreadPoolExecutor() as pool:
        return dict(zip(present, pool.map(hash_file, present), strict=True))


def directory_files(folder: Path) -> tuple[str, ...]:
    """Paths of all content below `folder`, relative to it, with `/`, sorted.

    A link to a directory counts as one entry and is not followed.
    """
    found: list[str] = []
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in IGNORED_NAMES]
        links = [name for name in folders if Path(parent, name).is_symlink()]
        found += [
            Path(parent, name).relative_to(folder).as_posix()
            for name in (*files, *links)
            if name not in IGNORED_NAMES
        ]
    return tuple(sorted(found))


def directory_md5(entries: Mapping[str, str]) -> str:
    """DVC's hash of a directory from the MD5 of each file by its relative path.

    It is the MD5 of the JSON list of `{"md5": ..., "relpath": ...}` in the order of the paths,
    followed by `.dir`.
    """
    listing = [{"md5": entries[path], "relpath": path} for path in sorted(entries)]
    return hash_bytes(json.dumps(listing, sort_keys=True).encode()) + ".dir"


def hash_directory(folder: Path) -> ContentHash:
    """DVC's hash of all content below `folder`, and the sum of the sizes."""
    hashes = hash_files(folder / path for path in directory_files(folder))
    entries = {path.relative_to(folder).as_posix(): found.md5 for path, found in hashes.items()}
    return ContentHash(directory_md5(entries), sum(found.size for found in hashes.values()))
