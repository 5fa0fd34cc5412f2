"""What the files say at the places that a number was taken from."""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from isogloss.errors import RecordError
from isogloss.report.provenance import Source

KEYS = (
    *("study", "item_set", "item_id", "model", "embedding", "list", "test", "fit", "quantity"),
    *("condition", "mode", "role", "task", "subset", "subgroup", "contrast", "part", "source"),
    *("decision", "measure", "check", "comparison", "analysis", "persona_family", "persona"),
    *("reference_persona", "baseline_kind", "baseline", "guise", "reference", "difference"),
    *("outer", "level", "split", "name", "by"),
)
"""Columns that say what a row of a table is about."""


@dataclass(frozen=True)
class Row:
    """A row of a table, as its file has it."""

    number: int
    """Counted from 1, without the header."""
    keys: Mapping[str, str]
    """What it is about."""
    values: Mapping[str, str]
    """The columns that the number was taken from."""
    whole: Mapping[str, str]


@dataclass(frozen=True)
class Place:
    """What stands at a source."""

    source: Source
    rows: tuple[Row, ...] = ()
    """Rows of a table."""
    values: Mapping[str, Any] | None = None
    """Values of a file that is no table, by key."""


def read_place(source: Source, project: Path) -> Place:
    """Read a source; raises `RecordError` when its file does not have that place."""
    path = project / source.file
    if not path.is_relative_to(project) or ".." in path.parts:
        raise RecordError(f"{source.file} lies outside the project: render the report again")
    try:
        if path.suffix == ".csv":
            return Place(source, _rows(source, path))
        return Place(source, values=_values(source, path) if source.columns else None)
    except (OSError, ValueError, yaml.YAMLError, csv.Error) as error:
        raise RecordError(
            f"{source.file} cannot be read: `isogloss restore` or a run brings it"
        ) from error


def _rows(source: Source, path: Path) -> tuple[Row, ...]:
    with path.open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream))
    if any(number > len(table) for number in source.rows):
        raise RecordError(
            f"{source.file} has {len(table)} rows and not row {max(source.rows)}: it is not the "
            "file that the report was made from; run `isogloss verify`"
        )
    return tuple(_row(number, table[number - 1], source) for number in source.rows)


def _row(number: int, cells: Mapping[str, str], source: Source) -> Row:
    keys = {name: cells[name] for name in KEYS if cells.get(name) and name not in source.columns}
    values = {name: cells[name] for name in source.columns if name in cells}
    return Row(number, keys, values, dict(cells))


def _values(source: Source, path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    content = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    if source.entry:
        content = content.get(source.entry, {}) if isinstance(content, dict) else {}
    if not isinstance(content, dict):
        return {}
    return {name: content[name] for name in source.columns if name in content}
