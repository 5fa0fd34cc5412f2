"""A store of what a model answered: one SQLite file, keyed by everything that decides an answer.

A key is the SHA-256 of the model's digest, the prompt's token ids, and the answer specification or
the decoding parameters. Killing the process loses at most the batch in flight: each
batch is one transaction. Several processes may write at once.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from isogloss.errors import ResponseError
from isogloss.score.answers import AnswerSet

_TIMEOUT_S = 60
_CREATE = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT"


def score_key(model_digest: str, tokens: tuple[int, ...], answers: AnswerSet) -> str:
    """Key of a distribution over an answer set."""
    return _key({"model": model_digest, "tokens": tokens, "score": asdict(answers)})


def continuation_key(
    model_digest: str, tokens: tuple[int, ...], max_new_tokens: int, stop: tuple[str, ...]
) -> str:
    """Key of a greedy continuation."""
    decoding = {"greedy": True, "max_new_tokens": max_new_tokens, "stop": stop}
    return _key({"model": model_digest, "tokens": tokens, "decoding": decoding})


def _key(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


class ResponseStore:
    """The store as a context manager; values are JSON."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=_TIMEOUT_S)
        except (OSError, sqlite3.Error) as error:
            raise ResponseError(f"{path}: the response store cannot be opened ({error})") from error
        try:
            with self._connection:
                self._connection.execute(_CREATE)
        except sqlite3.DatabaseError as error:
            self._connection.close()
            raise ResponseError(
                f"{path} is not a response store ({error}); move it away and run again"
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()

    def get(self, key: str) -> Any | None:
        """Return the stored value, or None. Raises `ResponseError` when the file is damaged."""
        select = "SELECT value FROM answers WHERE key = ?"
        try:
            with closing(self._connection.execute(select, (key,))) as cursor:
                row = cursor.fetchone()
            return None if row is None else json.loads(row[0])
        except (sqlite3.Error, ValueError) as error:
            raise ResponseError(
                f"{self._path}: cannot be read ({error}); move it away and run again"
            ) from error

    def put(self, entries: Iterable[tuple[str, Any]]) -> None:
        """Store entries in one transaction; an existing key keeps its first value.

        Raises `ResponseError` when they cannot be written, for instance on a full disk.
        """
        rows = [(key, json.dumps(value)) for key, value in entries]
        try:
            with self._connection:
                self._connection.executemany("INSERT OR IGNORE INTO answers VALUES (?, ?)", rows)
        except sqlite3.Error as error:
            raise ResponseError(f"{self._path}: cannot be written ({error})") from error
