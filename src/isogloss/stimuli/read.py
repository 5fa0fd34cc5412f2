"""Read the items of a declared set into the one form that later stages use."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from pydantic import TypeAdapter, ValidationError

from isogloss.errors import ItemError
from isogloss.score.prompts import Message
from isogloss.stimuli.sets import Pivot, StimulusSet
from isogloss.validate.items import read_table

_TURNS = TypeAdapter(list[Message])


def read_stimuli(declared: StimulusSet, path: Path) -> pd.DataFrame:
    """Return the items of a set: `item_id`, then its columns, every cell as text.

    Columns are renamed, rows of one item put side by side, and ids numbered as the declaration
    says. Raises `ItemError` naming the file and the row or column.
    """
    read = _read_without_header if declared.header else read_table
    table = read(path, declared.header)
    gone = [column for column in declared.columns if column not in table.columns]
    if gone:
        raise ItemError(f"{path}: column missing: {', '.join(gone)}; add it to the header")
    table = table.rename(columns=declared.columns)
    if declared.pivot is not None:
        table = _side_by_side(table, declared.pivot, path)
    if declared.turns is not None:
        table["text"] = [_said(cell, path, n) for n, cell in enumerate(table[declared.turns], 1)]
    if declared.number is not None:
        ids = [f"{declared.number}-{n:03d}" for n in range(1, len(table) + 1)]
        table.insert(0, "item_id", ids)
    _check_columns(table, declared, path)
    return table.reset_index(drop=True)


def _read_without_header(path: Path, header: Sequence[str]) -> pd.DataFrame:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ItemError(
            f"{path}: the items cannot be read ({error.strerror}); check the path, or run the "
            "stage that writes the file"
        ) from error
    except UnicodeDecodeError as error:
        raise ItemError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter="\t") if row]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise ItemError(f"{path}: row {number} has {len(row)} cells, not {len(header)}")
    return pd.DataFrame(rows, columns=list(header), dtype=object)


def _said(cell: str, path: Path, row: int) -> str:
    """What the user says in a conversation."""
    try:
        return "\n".join(t.content for t in _TURNS.validate_json(cell) if t.role == "user")
    except ValidationError as error:
        raise ItemError(
            f"{path}: row {row}: turns must be a JSON list of objects with role and content"
        ) from error


def _side_by_side(table: pd.DataFrame, pivot: Pivot, path: Path) -> pd.DataFrame:
    """Put the rows of an item side by side; what they share is kept, what differs is not."""
    missing = [c for c in (pivot.item, pivot.column, pivot.text) if c not in table.columns]
    if missing:
        raise ItemError(f"{path}: column missing: {', '.join(missing)}; add it to the header")
    repeated = table.duplicated([pivot.item, pivot.column])
    if repeated.any():
        row = table.loc[repeated].iloc[0]
        raise ItemError(f"{path}: {pivot.item} {row[pivot.item]}: {row[pivot.column]} stands twice")
    wide = table.pivot(index=pivot.item, columns=pivot.column, values=pivot.text)
    wide = wide.loc[list(dict.fromkeys(table[pivot.item]))].fillna("")
    others = [c for c in table.columns if c not in (pivot.item, pivot.column, pivot.text)]
    groups = table.groupby(pivot.item, sort=False)
    shared = {c: groups[c].first() for c in others if (groups[c].nunique() == 1).all()}
    return pd.DataFrame(shared).join(wide, how="right").rename_axis(pivot.item).reset_index()


def _check_columns(table: pd.DataFrame, declared: StimulusSet, path: Path) -> None:
    context = () if declared.context is None else (declared.context,)
    compared = [c for one in declared.compare for c in (one.guise, one.reference, *one.where) if c]
    wanted = dict.fromkeys(["item_id", *context, *declared.also, *compared])
    missing = [column for column in wanted if column not in table.columns]
    if missing:
        raise ItemError(f"{path}: column missing: {', '.join(missing)}; add it to the header")
