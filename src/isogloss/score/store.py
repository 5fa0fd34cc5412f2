"""A store of what models answered: one SQLite file, addressed by all that decides an answer.

Each batch is one transaction: killing a process loses at most the batch in flight. Several
processes may read and write at once.
"""

import hashlib
import json
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from isogloss.errors import ResponseError
from isogloss.score.database import open_store, told, transaction

DEFAULT_STORE = Path(".isogloss") / "responses.sqlite"
"""Where a project keeps its store."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_CHUNK = 500
"""Addresses in one query; every build of SQLite takes as many."""
_CHECK_BYTES = 8
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)

_SELECT = "SELECT sha256, value, value_check FROM responses WHERE sha256 IN ({})"
_INSERT = """
    INSERT INTO responses VALUES (
        ?, (SELECT id FROM models WHERE digest = ?), ?, (SELECT id FROM specs WHERE sha256 = ?),
        ?, ?, ?, ?
    ) ON CONFLICT (sha256) DO NOTHING
"""
_SUMMARY = """
    WITH kinds AS (
        SELECT model, written_at, CASE
            WHEN json_type(value, '$.text') = 'text' THEN 'text'
            WHEN json_type(value, '$.probabilities') = 'array' THEN 'distribution'
            ELSE 'other' END AS kind
        FROM responses
    )
    SELECT digest, manifest, count(*) FILTER (WHERE kind = 'distribution'),
        count(*) FILTER (WHERE kind = 'text'), count(*) FILTER (WHERE kind = 'other'),
        min(written_at), max(written_at)
    FROM models LEFT JOIN kinds ON kinds.model = models.id GROUP BY models.id ORDER BY models.id
"""


def canonical(content: Mapping[str, Any]) -> str:
    """Return JSON with sorted keys, without spaces, in ASCII; the same content, the same text.

    Raises `ResponseError` for what JSON cannot hold, a number that is not finite included.
    """
    try:
        return _ENCODER.encode(content)
    except (TypeError, ValueError) as error:
        raise ResponseError(f"cannot be stored as JSON ({error}): {str(content)[:200]}") from error


@dataclass(frozen=True)
class Key:
    """All that decides an answer."""

    model: str
    """Digest of the model: weights, tokenizer, chat template, dtype, settings."""
    prompt_sha256: str
    """SHA-256 of the prompt's token ids, or of its messages; 64 hexadecimal digits."""
    spec: str
    """What is asked for, an answer set or the decoding, as canonical JSON."""
    repeat: int = 0
    """Which draw."""

    def __post_init__(self) -> None:
        if not _SHA256.fullmatch(self.prompt_sha256):
            raise ResponseError(
                f"prompt_sha256 of a key is {self.prompt_sha256!r}; it must be 64 hexadecimal "
                "digits in lower case"
            )

    @property
    def sha256(self) -> str:
        """Address of the answer: SHA-256 of the four fields as canonical JSON."""
        return hashlib.sha256(canonical(vars(self)).encode()).hexdigest()


@dataclass(frozen=True)
class StoredModel:
    """What the store holds of one model."""

    digest: str
    name: str | None
    """Name in the model's manifest; None where it was never described."""
    distributions: int
    """Answers with `probabilities` and without `text`."""
    texts: int
    """Answers with `text`."""
    others: int
    """Answers with neither."""
    first_written_at: datetime | None
    """In UTC, to the second; None without answers."""
    last_written_at: datetime | None


@dataclass(frozen=True)
class Row:
    """An answer as it stands in the table."""

    key: Key
    value: str
    """JSON object."""
    written_at: int
    """Seconds since 1970 in UTC."""

    @cached_property
    def address(self) -> bytes:
        """The key's SHA-256."""
        return bytes.fromhex(self.key.sha256)


class ResponseStore:
    """The store as a context manager; answers are JSON objects.

    Raises `ResponseError` when the file is no store of this version, is damaged, or cannot be
    opened. A store of the first version is taken over: its answers are not read, nor removed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = open_store(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()

    def get(self, keys: Iterable[Key]) -> dict[Key, dict[str, Any]]:
        """Return the answers to those keys that have one, in the order of the keys.

        Raises `ResponseError` when the file, or an answer asked for, is damaged.
        """
        by_address = {bytes.fromhex(key.sha256): key for key in keys}
        found = read_values(self._connection, self._path, sorted(by_address))
        return {
            key: parse(found[address], f"{self._path}: answer {address.hex()}")
            for address, key in by_address.items()
            if address in found
        }

    def put(self, entries: Iterable[tuple[Key, dict[str, Any]]]) -> None:
        """Store answers in one transaction; a key that has an answer keeps it.

        Raises `ResponseError` when an answer has a number that is not finite, or when they cannot
        be written, for instance on a full disk. Nothing of the batch is stored then.
        """
        now = int(time.time())
        rows = [Row(key, canonical(value), now) for key, value in entries]
        if not rows:
            return
        with told(self._path, "written"), transaction(self._connection):
            insert(self._connection, rows)

    def describe_model(self, digest: str, manifest: Mapping[str, Any]) -> None:
        """Remember what a digest stands for; `name` in the manifest is shown in summaries.

        The last description of a digest is the one that is kept. Raises `ResponseError` when it
        cannot be written.
        """
        text = canonical(manifest)
        same = "SELECT 1 FROM models WHERE digest = ? AND manifest = ?"
        with told(self._path, "written"):
            if self._connection.execute(same, (digest, text)).fetchall():
                return
            with transaction(self._connection):
                self._connection.execute(
                    "INSERT INTO models (digest, manifest) VALUES (?, ?) "
                    "ON CONFLICT (digest) DO UPDATE SET manifest = excluded.manifest",
                    (digest, text),
                )

    def summary(self) -> list[StoredModel]:
        """Return what is stored of each model, in the order in which they came.

        Raises `ResponseError` when the file is damaged.
        """
        return summarise(self._connection, self._path)


def summarise(connection: sqlite3.Connection, path: Path) -> list[StoredModel]:
    """Return what an open store holds of each model. Raises `ResponseError` when it is damaged."""
    with told(path, "read"):
        rows = connection.execute(_SUMMARY).fetchall()
    return [
        StoredModel(
            digest, _name(manifest, path), known, texts, rest, _moment(since), _moment(last)
        )
        for digest, manifest, known, texts, rest, since, last in rows
    ]


def read_values(
    connection: sqlite3.Connection, path: Path, addresses: Sequence[bytes]
) -> dict[bytes, str]:
    """Return the JSON stored at those addresses that hold any.

    Raises `ResponseError` when one is not what was written there, or the file is damaged.
    """
    found = {}
    with told(path, "read"):
        for start in range(0, len(addresses), _CHUNK):
            chunk = addresses[start : start + _CHUNK]
            query = _SELECT.format(",".join("?" * len(chunk)))
            for address, value, stored_check in connection.execute(query, chunk).fetchall():
                if stored_check != value_check(address, value):
                    raise ResponseError(
                        f"{path} is damaged: answer {address.hex()} is not the one that was "
                        "written; put a sound copy of the store in its place, or move it away"
                    )
                found[address] = value
    return found


def insert(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Add rows within a transaction of the caller; an address that is taken stays as it is."""
    connection.executemany(
        "INSERT INTO models (digest) VALUES (?) ON CONFLICT (digest) DO NOTHING",
        ((digest,) for digest in dict.fromkeys(row.key.model for row in rows)),
    )
    specs = {spec: _spec_sha256(spec) for spec in dict.fromkeys(row.key.spec for row in rows)}
    connection.executemany(
        "INSERT INTO specs (sha256, json) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING",
        ((sha256, spec) for spec, sha256 in specs.items()),
    )
    connection.executemany(_INSERT, _columns(rows, specs))


def value_check(address: bytes, value: str) -> bytes:
    """Bytes that show a change of a stored answer, or that it stands at another address.

    The first 8 of SHA-256(address + value). SQLite itself does not notice a changed byte in a row.
    """
    return hashlib.sha256(address + value.encode()).digest()[:_CHECK_BYTES]


def parse(text: str, what: str) -> dict[str, Any]:
    """Parse a stored JSON object. Raises `ResponseError`, which names `what`, for anything else."""
    try:
        value = _DECODER.decode(text)
    except ValueError as error:
        raise ResponseError(f"{what} is not JSON ({error})") from error
    if not isinstance(value, dict):
        raise ResponseError(f"{what} is not a JSON object")
    return value


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _columns(rows: Iterable[Row], specs: Mapping[str, bytes]) -> Iterator[tuple[Any, ...]]:
    for row in rows:
        key, check = row.key, value_check(row.address, row.value)
        prompt, spec = bytes.fromhex(key.prompt_sha256), specs[key.spec]
        yield (row.address, key.model, prompt, spec, key.repeat, row.value, check, row.written_at)


def _spec_sha256(spec: str) -> bytes:
    return hashlib.sha256(spec.encode()).digest()


def _name(manifest: str | None, path: Path) -> str | None:
    if manifest is None:
        return None
    name = parse(manifest, f"{path}: a model's manifest").get("name")
    return name if isinstance(name, str) else None


def _moment(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
