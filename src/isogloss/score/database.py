"""The SQLite file of the response store: its tables, how it is opened, and what its errors mean.

The journal is a rollback journal: while nobody writes, the store is one file, which can be copied.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal

from isogloss.errors import ConfigurationError, ResponseError

APPLICATION_ID = 0x49534F47
"""`ISOG`, in the file's header."""
VERSION = 2
"""Version of the tables (`user_version`). The first version left it and the id above at 0."""

_TABLES = (
    "CREATE TABLE models (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, manifest TEXT)",
    "CREATE TABLE specs (id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, json TEXT NOT NULL)",
    """CREATE TABLE responses (
        sha256 BLOB NOT NULL PRIMARY KEY,
        model INTEGER NOT NULL REFERENCES models,
        prompt_sha256 BLOB NOT NULL,
        spec INTEGER NOT NULL REFERENCES specs,
        repeat INTEGER NOT NULL,
        value TEXT NOT NULL,
        value_check BLOB NOT NULL,
        written_at INTEGER NOT NULL
    )""",
)
_FIRST_VERSION = [("answers", "key"), ("answers", "value")]
"""Table and columns of the first version of the store."""
_TIMEOUT_S = 60
"""How long to wait for another process that writes."""
_CACHE_KIB = 64 * 1024
"""Holds the index of 800,000 answers."""

_REMEDIES = {
    sqlite3.SQLITE_BUSY: "another process keeps it locked; wait until it ends and run again",
    sqlite3.SQLITE_FULL: "make room on the disk and run again; every earlier answer is kept",
    sqlite3.SQLITE_IOERR: (
        "see whether the disk is full or failing and run again; every earlier answer is kept"
    ),
    sqlite3.SQLITE_READONLY: "see that the file and its folder may be written",
    sqlite3.SQLITE_CANTOPEN: "see that the file and its folder may be read and written",
}
_MOVE_AWAY = "move it away, or put a sound copy in its place, and run again"

Kind = Literal["store", "earlier", "empty", "other"]


def open_store(path: Path) -> sqlite3.Connection:
    """Open a store for reading and writing; make it, and its folder, where there is none.

    Tables of the first version are left as they are. Raises `ResponseError` when the file is no
    store, is one of another version, is damaged or cannot be opened.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ResponseError(f"{path}: the response store cannot be opened ({error})") from error
    connection = _connect(path, "rwc")
    try:
        with told(path, "opened"):
            kind = _kind_at_once(connection, path)
            if kind == "other":
                raise ResponseError(
                    f"{path} is the database of another program, not a response store; "
                    "move it away and run again"
                )
            if kind != "store":
                _make_tables(connection, path)
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    except BaseException:
        connection.close()
        raise
    return connection


def open_existing(path: Path, mode: Literal["ro", "rw"]) -> sqlite3.Connection:
    """Open a store that is there already and make nothing.

    Only `rw` can undo what a killed writer had begun. Raises `ConfigurationError` when `path` is
    not the file of a response store, `ResponseError` when it is one that cannot be read.
    """
    if not path.exists():
        raise ConfigurationError(f"{path}: no such file; name a response store")
    kind = kind_of(path, mode)
    if kind == "earlier":
        raise ConfigurationError(
            f"{path} holds answers of an earlier version of isogloss only, which cannot be used"
        )
    if kind != "store":
        raise not_a_store(path)
    return _connect(path, mode)


def kind_of(path: Path, mode: Literal["ro", "rw"]) -> Kind:
    """Say what a file, or a folder, is.

    Raises `ResponseError` when it cannot be read, or is a store of a version not known here.
    """
    if path.is_dir():
        return "other"
    with told(path, "opened"), closing(_connect(path, mode)) as connection:
        try:
            return _kind_at_once(connection, path)
        except sqlite3.DatabaseError as error:
            if _code(error) == sqlite3.SQLITE_NOTADB:
                return "other"
            raise


def not_a_store(path: Path) -> ConfigurationError:
    """Return the error for a path that was named and is something else."""
    return ConfigurationError(f"{path} is not a response store; name another file")


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `ResponseError` when SQLite finds the file damaged."""
    with told(path, "checked"):
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        dangling = connection.execute("PRAGMA foreign_key_check").fetchone()
    if found != "ok":
        raise ResponseError(f"{path} is damaged ({' '.join(found.split())}); {_MOVE_AWAY}")
    if dangling is not None:
        table, row, parent, _ = dangling
        raise ResponseError(
            f"{path} is damaged (row {row} of {table} names a row that {parent} lacks); "
            f"{_MOVE_AWAY}"
        )


@contextmanager
def told(path: Path, done: str) -> Iterator[None]:
    """Turn an error of SQLite into a `ResponseError` with the file, the cause and the remedy."""
    try:
        yield
    except sqlite3.Error as error:
        raise ResponseError(
            f"{path}: the response store cannot be {done} ({error}); {_remedy(error, path)}"
        ) from error


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all or nothing; waits for other writers before anything is read."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # After some errors SQLite has rolled back by itself, or leaves it to the next that opens.
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    if sqlite3.sqlite_version_info < (3, 37):
        raise ResponseError(
            f"the response store needs SQLite 3.37 or newer, this Python has "
            f"{sqlite3.sqlite_version}; use another build of Python"
        )
    address = f"{path.absolute().as_uri()}?mode={mode}"
    with told(path, "opened"):
        return sqlite3.connect(address, _TIMEOUT_S, isolation_level=None, uri=True)


def _make_tables(connection: sqlite3.Connection, path: Path) -> None:
    with transaction(connection):
        if _kind(connection, path) == "store":  # another process was faster
            return
        for table in _TABLES:
            connection.execute(f"{table} STRICT")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _kind_at_once(connection: sqlite3.Connection, path: Path) -> Kind:
    """What the file is at one moment, while another process may be making its tables."""
    connection.execute("BEGIN")
    try:
        return _kind(connection, path)
    finally:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")


def _kind(connection: sqlite3.Connection, path: Path) -> Kind:
    """What the file is, within a transaction.

    Raises `ResponseError` for a store of a version not known here.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application == APPLICATION_ID:
        if version != VERSION:
            raise ResponseError(
                f"{path} is a response store of version {version}, this isogloss knows version "
                f"{VERSION}; use the isogloss that wrote it, or move the file away"
            )
        return "store"
    columns = connection.execute(
        "SELECT tables.name, columns.name FROM sqlite_schema AS tables "
        "LEFT JOIN pragma_table_info(tables.name) AS columns WHERE tables.type != 'index'"
    ).fetchall()
    if application or version:
        return "other"
    if not columns:
        return "empty"
    return "earlier" if columns == _FIRST_VERSION else "other"


def _remedy(error: sqlite3.Error, path: Path) -> str:
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY_ROLLBACK:
        return f"a writer was killed here; `isogloss responses show {path}` undoes its last write"
    return _REMEDIES.get(_code(error), _MOVE_AWAY)


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary error code; 0 for an error of Python's own."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
