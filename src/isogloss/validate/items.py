"""The item table that validation reads, and the faults of form that stop it."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from isogloss.errors import ItemError

_LONGEST_CELL = 10_000_000
"""Longest cell that is read, in characters: too long for any use, and then the item's own fault."""


def read_items(path: Path, guises: Sequence[str], context: str | None = None) -> pd.DataFrame:
    """Read an item table (UTF-8 CSV) with every cell as text, and check its form.

    Raises `ItemError` naming the file, and the row or column, when the file cannot be read, is not
    UTF-8, has a row of another length than its header, or fails `check_items`.
    """
    items = read_table(path, [])
    check_items(items, guises, str(path), context)
    return items


def read_table(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    """Read a UTF-8 CSV file with every cell as text, and at least the given columns.

    Returns those columns in that order, or every column when none is given. Raises `ItemError`
    naming the file and the line, row or column when it is not such a file.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ItemError(
            f"{path}: the items cannot be read ({error.strerror}); check the path, or run the "
            "stage that writes the file"
        ) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ItemError(f"{path}: line {line} is not UTF-8; save the file as UTF-8") from error
    table = _parse(text, path)
    missing = [column for column in columns if column not in table.columns]
    if missing:
        raise ItemError(f"{path}: column missing: {', '.join(missing)}; add it to the header")
    return table[list(columns)] if columns else table


def check_items(
    items: pd.DataFrame, guises: Sequence[str], source: str, context: str | None = None
) -> None:
    """Check that a table has the columns it needs, one row an item, and text in every cell read.

    `item_id`, and the column named by `context`, must be filled in every row. An empty wording is
    no fault of form: the pair fails a check and the rest goes on. Raises `ItemError` naming
    `source` and the column or row (the first row under the header is row 1).
    """
    filled = ("item_id",) if context is None else ("item_id", context)
    wanted = list(dict.fromkeys([*filled, *guises]))
    missing = [column for column in wanted if column not in items.columns]
    if missing:
        raise ItemError(f"{source}: column missing: {', '.join(missing)}; add it to the header")
    if items.empty:
        raise ItemError(f"{source}: no items; the table has a header only")
    for column in wanted:
        _check_column(items, column, source, must_be_filled=column in filled)
    repeated = items["item_id"].duplicated()
    if repeated.any():
        row, item_id = _first(items, repeated)
        raise ItemError(f"{source}: row {row}: item_id {item_id!r} was used before; rename one")


def _check_column(items: pd.DataFrame, column: str, source: str, *, must_be_filled: bool) -> None:
    not_text = items[column].map(lambda cell: not isinstance(cell, str))
    if not_text.any():
        row, item_id = _first(items, not_text)
        raise ItemError(
            f"{source}: row {row} (item {item_id}), column {column}: no text; "
            "read the file with every cell as text"
        )
    blank = items[column].str.strip() == ""
    if must_be_filled and blank.any():
        row, _ = _first(items, blank)
        raise ItemError(f"{source}: row {row}, column {column}: empty; fill it or remove the row")


def _first(items: pd.DataFrame, at_fault: "pd.Series[bool]") -> tuple[int, str]:
    position = int(at_fault.to_numpy().argmax())
    return position + 1, str(items["item_id"].iloc[position])


def _parse(text: str, path: Path) -> pd.DataFrame:
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        rows = [row for row in reader if row]
    except csv.Error as error:
        raise ItemError(f"{path}: line {reader.line_num}: not CSV ({error})") from error
    if not rows:
        raise ItemError(f"{path}: the file is empty; it needs a header and items")
    header, *body = rows
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise ItemError(f"{path}: column {repeated[0]} is in the header twice; rename one")
    for number, row in enumerate(body, start=1):
        if len(row) != len(header):
            raise ItemError(
                f"{path}: row {number} has {len(row)} cells and the header {len(header)}; "
                "quote cells that hold commas"
            )
    return pd.DataFrame(body, columns=header, dtype=object)
