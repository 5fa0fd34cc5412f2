"""Bring the answers of one response store into another."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isogloss.errors import ConfigurationError, ResponseError
from isogloss.score.database import (
    check,
    kind_of,
    not_a_store,
    open_existing,
    open_store,
    told,
    transaction,
)
from isogloss.score.store import Key, Row, insert, parse, read_values, value_check

TOLERANCE = 1e-5
"""Absolute; the same model's probabilities on two processors differ by up to 6e-6."""
_DELIVERY = frozenset({"answered_at", "request_id"})
LISTED = 10
"""Conflicts that are told one by one."""

_BATCH = 2000
_ROWS = """
    SELECT responses.sha256, models.digest, prompt_sha256, specs.json, repeat, value, value_check,
        written_at
    FROM responses
    LEFT JOIN models ON models.id = responses.model
    LEFT JOIN specs ON specs.id = responses.spec
    ORDER BY responses.rowid
"""
_DESCRIBE = """
    INSERT INTO models (digest, manifest) VALUES (?, ?)
    ON CONFLICT (digest) DO UPDATE SET manifest = coalesce(manifest, excluded.manifest)
"""


@dataclass(frozen=True)
class Conflict:
    """Two answers to one key."""

    key: Key
    difference: str
    """Where they differ first: the answer kept, and the other."""


@dataclass(frozen=True)
class Merged:
    """What became of the answers of one store."""

    added: int
    present: int
    """Answers that were there already, to within `TOLERANCE`."""
    conflicts: int
    """Answers that were there and say something else; what was there is kept."""
    listed: tuple[Conflict, ...]
    """The first `LISTED` conflicts."""


def check_paths(into: Path, source: Path) -> None:
    """Raise `ConfigurationError` when a path is no response store, or both are the same one."""
    open_existing(source, "ro").close()
    if into.exists() and kind_of(into, "rw") == "other":
        raise not_a_store(into)
    if into.exists() and source.samefile(into):
        raise ConfigurationError(f"{source} is the store to merge into; name another one")


def merge(into: Path, source: Path) -> Merged:
    """Copy to `into` the answers of `source` that it lacks, all or none; `source` stays as it is.

    Raises:
        ConfigurationError: a path is no response store, or both are the same one.
        ResponseError: a store is damaged, or a row of `source` is not what its hash says. `into`
            is then as it was.
    """
    check_paths(into, source)
    with (
        closing(open_existing(source, "ro")) as theirs,
        closing(open_store(into)) as ours,
        told(into, "written"),
    ):
        with told(source, "read"):
            theirs.execute("BEGIN")  # one state of it from here on
        check(theirs, source)
        check(ours, into)
        with transaction(ours):
            _copy_manifests(theirs, source, ours)
            return _sum(_merge_rows(rows, ours, into) for rows in _read_rows(theirs, source))


def difference(kept: Any, other: Any, place: str = "") -> str | None:
    """Say where two JSON values differ first; None where no number differs by over `TOLERANCE`.

    What says when and under which number a server answered may differ.
    """
    if _is_number(kept) and _is_number(other):
        same = kept == other or abs(kept - other) <= TOLERANCE
    elif isinstance(kept, dict) and isinstance(other, dict) and _named(kept) == _named(other):
        names = {key: f"{place}.{key}" if place else key for key in sorted(_named(kept))}
        return _first(difference(kept[key], other[key], name) for key, name in names.items())
    elif isinstance(kept, list) and isinstance(other, list) and len(kept) == len(other):
        pairs = enumerate(zip(kept, other, strict=True))
        return _first(difference(a, b, f"{place}[{i}]") for i, (a, b) in pairs)
    else:
        same = type(kept) is type(other) and kept == other
    if same:
        return None
    return f"{place or 'the answer'} is {_short(kept)} here and {_short(other)} there"


def _named(value: dict[str, Any]) -> set[str]:
    return set(value) - _DELIVERY


def _merge_rows(rows: list[Row], ours: sqlite3.Connection, into: Path) -> Merged:
    by_address = {row.address: row for row in rows}
    stored = read_values(ours, into, sorted(by_address))
    new = [row for address, row in by_address.items() if address not in stored]
    insert(ours, new)
    conflicts = []
    for address in (address for address in by_address if address in stored):
        row, kept = by_address[address], parse(stored[address], f"{into}: answer {address.hex()}")
        found = difference(kept, parse(row.value, "an answer"))
        if found is not None:
            conflicts.append(Conflict(row.key, found))
    present = len(stored) - len(conflicts)
    return Merged(len(new), present, len(conflicts), tuple(conflicts[:LISTED]))


def _read_rows(connection: sqlite3.Connection, path: Path) -> Iterator[list[Row]]:
    """Batches of rows whose hashes are right."""
    with told(path, "read"):
        cursor = connection.execute(_ROWS)
    while True:
        with told(path, "read"):
            batch = cursor.fetchmany(_BATCH)
        if not batch:
            return
        yield [_verified(columns, path) for columns in batch]


def _verified(columns: tuple[Any, ...], path: Path) -> Row:
    address, model, prompt, spec, repeat, value, stored_check, written_at = columns
    try:
        row = Row(Key(model, prompt.hex(), spec, repeat), value, written_at)
        if row.address != address:
            raise ResponseError(f"its content has the key {row.key.sha256}")
        if stored_check != value_check(address, value):
            raise ResponseError("it is not the answer that was written")
        parse(value, "it")
    except ResponseError as error:
        raise ResponseError(
            f"{path}: row with key {address.hex()}: {error}; the file was damaged or edited, and "
            "nothing of it was merged"
        ) from error
    return row


def _copy_manifests(theirs: sqlite3.Connection, source: Path, ours: sqlite3.Connection) -> None:
    with told(source, "read"):
        models = theirs.execute("SELECT digest, manifest FROM models ORDER BY id").fetchall()
    for digest, manifest in models:
        if manifest is not None:
            parse(manifest, f"{source}: manifest of model {digest}")
    ours.executemany(_DESCRIBE, models)


def _sum(parts: Iterator[Merged]) -> Merged:
    added = present = conflicts = 0
    listed: tuple[Conflict, ...] = ()
    for part in parts:
        added, present = added + part.added, present + part.present
        conflicts, listed = conflicts + part.conflicts, (listed + part.listed)[:LISTED]
    return Merged(added, present, conflicts, listed)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _first(differences: Iterator[str | None]) -> str | None:
    return next((found for found in differences if found is not None), None)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
