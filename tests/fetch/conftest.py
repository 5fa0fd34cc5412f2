"""A server on the loopback interface, an empty cache and no mirror."""

import gzip
import hashlib
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Literal

import pytest

from isogloss.fetch import FileSource

CONTENT = b"question,answer\nWhy?,Because.\n" * 400
SHA256 = hashlib.sha256(CONTENT).hexdigest()

Behaviour = Literal["right", "wrong", "missing", "half", "more", "gzip", "moved", "page"]


class _Handler(BaseHTTPRequestHandler):
    """Serve what the path asks for: `/<behaviour>`."""

    server: "_Server"

    def do_GET(self) -> None:
        behaviour = self.path.strip("/")
        self.server.asked.append(behaviour)
        getattr(self, f"_{behaviour}")()

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _send(self, body: bytes, *, status: int = 200, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def _right(self) -> None:
        self._send(CONTENT)

    def _wrong(self) -> None:
        self._send(CONTENT.replace(b"Because", b"Whereas"))

    def _missing(self) -> None:
        self._send(b"not here", status=404)

    def _page(self) -> None:
        self._send(b"<html>sign in first</html>")

    def _half(self) -> None:
        self._send(CONTENT[: len(CONTENT) // 2], length=len(CONTENT))

    def _more(self) -> None:
        self._send(CONTENT + b"one more line\n")

    def _moved(self) -> None:
        self.send_response(302)
        self.send_header("Location", "/right")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _gzip(self) -> None:
        body = gzip.compress(CONTENT)
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    asked: list[str]


@dataclass(frozen=True)
class Loopback:
    """A running server."""

    address: str
    asked: list[str]
    """Behaviours asked for so far."""

    def source(self, behaviour: Behaviour, **other: object) -> FileSource:
        """Return a pin of `CONTENT` at the address that behaves so."""
        return pinned(f"{self.address}/{behaviour}", **other)


def pinned(url: str, **other: object) -> FileSource:
    """Return a pin of `CONTENT` at an address."""
    given = {
        "kind": "file",
        "title": "Lines for a test",
        "url": url,
        "mirror": "lines/lines.csv",
        "sha256": SHA256,
        "bytes": len(CONTENT),
        "licence": "CC0-1.0",
        "citation": "nobody2026",
    }
    return FileSource.model_validate({**given, **other})


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    """A server on a free port of the loopback interface."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.asked = []
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield Loopback(f"http://127.0.0.1:{server.server_address[1]}", server.asked)
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def nobody() -> FileSource:
    """A pin at an address where the connection is refused, as it is without a network."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return pinned(f"http://127.0.0.1:{port}/right")


@dataclass(frozen=True)
class Places:
    """Folders of one test: nothing else is searched or written."""

    project: Path
    cache: Path
    mirror: Path
    """Not there until a test makes it."""

    def files(self) -> list[str]:
        """Every file and partial folder below project and cache."""
        return sorted(
            path.relative_to(self.project.parent).as_posix()
            for folder in (self.project, self.cache)
            for path in folder.rglob("*")
            if path.is_file() or path.name.startswith(".")
        )

    @property
    def cached(self) -> Path:
        """Where the cache keeps `CONTENT`."""
        return self.cache / "sources" / SHA256


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """An empty project two folders down, an empty cache, and no mirror."""
    found = Places(tmp_path / "work" / "project", tmp_path / "work" / "cache", tmp_path / "mirror")
    found.project.mkdir(parents=True)
    monkeypatch.setenv("ISOGLOSS_CACHE", str(found.cache))
    monkeypatch.delenv("ISOGLOSS_MIRROR", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return found


@pytest.fixture
def content() -> bytes:
    """The bytes that the pins of these tests pin."""
    return CONTENT


@pytest.fixture
def pin_at() -> Callable[..., FileSource]:
    """Return the maker of pins at any address."""
    return pinned
