"""Tables of any of the project's forms as cells of text, each number as it is written."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

SUFFIXES = (".csv", ".json", ".parquet")
"""Endings of the files that are tables."""


class UnreadableError(Exception):
    """A file that should be a table and is none; the message says why."""


def is_table(path: str) -> bool:
    """Whether a file is compared as a table, by its name."""
    return path.endswith(SUFFIXES)


def read_cells(path: Path) -> pd.DataFrame:
    """Read a CSV, Parquet or JSON file as cells of text; a missing value is the empty text.

    Numbers of Parquet and JSON are in the shortest form that reads back exactly. A JSON file is
    one row whose columns are the places of its values, such as `contrasts[0].name`.

    Raises `UnreadableError`.
    """
    try:
        return _READERS[path.suffix](path)
    except (OSError, ValueError, RecursionError, pa.ArrowException) as error:
        raise UnreadableError(" ".join(str(error).split())[:200]) from error


def cells_of(table: pa.Table) -> pd.DataFrame:
    """Return an Arrow table as cells of text; lists become JSON."""
    columns = {name: [_text(v) for v in table[name].to_pylist()] for name in table.column_names}
    return pd.DataFrame(columns, columns=table.column_names, dtype=object)


def _read_csv(path: Path) -> pd.DataFrame:
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
    return frame.astype(object)


def _read_parquet(path: Path) -> pd.DataFrame:
    return cells_of(pq.read_table(path))


def _read_json(path: Path) -> pd.DataFrame:
    places = dict(_places(json.loads(path.read_text(encoding="utf-8")), ""))
    return pd.DataFrame({place: [_text(value)] for place, value in places.items()}, dtype=object)


_READERS = {".csv": _read_csv, ".parquet": _read_parquet, ".json": _read_json}


def _places(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Every value that holds no other, with its place."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _places(inner, f"{place}.{name}" if place else str(name))
    elif isinstance(value, list) and value:
        for number, inner in enumerate(value):
            yield from _places(inner, f"{place}[{number}]")
    else:
        yield place, value


def _text(value: Any) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, list | dict) else repr(value)
