"""Read a filled-in spreadsheet, whatever program saved it."""

import io
import warnings
import zipfile
from collections.abc import Iterable
from datetime import date, datetime
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from isogloss.errors import ItemError
from isogloss.review.filled import FilledRow
from isogloss.review.workbook import ABOUT, COLUMNS, FORMAT, MACHINE_COLUMNS, SHEET

LARGEST_UNPACKED = 500_000_000
"""Most bytes that a workbook may unpack to."""
_NEEDED = tuple(name for name in COLUMNS if name not in ("nr", *MACHINE_COLUMNS))
_TEXTS = ("context", "reference_text", "guise_text")


def read_workbook(path: Path, content: bytes) -> tuple[str, tuple[FilledRow, ...]]:
    """Return whose a workbook is, and its rows.

    Rows may be in another order, and columns too. Raises `ItemError` naming the sheet or column
    that is not there.
    """
    sheets = _sheets(path, content)
    about = {_text(row[0]): _text(row[1]) for row in sheets[ABOUT] if len(row) > 1}
    if about.get("format") != FORMAT:
        raise ItemError(f"{path}: sheet {ABOUT}: not {FORMAT!r}; fill in a file as exported")
    rows = sheets[SHEET]
    header = [_text(cell) for cell in rows[0]] if rows else []
    for name in _NEEDED:
        if header.count(name) != 1:
            raise ItemError(
                f"{path}: sheet {SHEET}: column {name!r} must be there once; fill in a file as "
                "exported"
            )
    numbered = enumerate(rows[1:], start=2)
    filled = (_row(number, header, row, about.get("blind") == "yes") for number, row in numbered)
    return about.get("reviewer", ""), tuple(row for row in filled if row is not None)


def _sheets(path: Path, content: bytes) -> dict[str, list[tuple[Any, ...]]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
        if unpacked > LARGEST_UNPACKED:
            raise ItemError(f"{path}: unpacks to {unpacked:,} bytes; give the file as exported")
        # openpyxl warns of parts that it does not know, such as other programs' extensions.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _read(path, content)
    except ItemError:
        raise
    # A damaged workbook fails in whatever way its damaged part does.
    except Exception as error:
        raise ItemError(f"{path}: not a readable workbook ({error}); save it as .xlsx") from error


def _read(path: Path, content: bytes) -> dict[str, list[tuple[Any, ...]]]:
    book = load_workbook(io.BytesIO(content), data_only=True, read_only=True)
    for name in (ABOUT, SHEET):
        if name not in book.sheetnames:
            raise ItemError(f"{path}: no sheet {name!r}; fill in a file as exported")
    return {name: list(book[name].iter_rows(values_only=True)) for name in (ABOUT, SHEET)}


def _row(number: int, header: list[str], cells: Iterable[Any], blind: bool) -> FilledRow | None:
    named = dict(zip(header, (_text(cell) for cell in cells), strict=False))
    row = {name: named.get(name, "") for name in _NEEDED}
    if not any(row.values()):
        return None
    return FilledRow(
        place=f"row {number}",
        item_set=row["item_set"].strip(),
        item_id=row["item_id"].strip(),
        contrast=row["contrast"].strip(),
        text_sha256=row["text_sha256"].strip(),
        verdict=row["verdict"],
        comment=row["comment"],
        blind=blind,
        texts={name: row[name] for name in _TEXTS},
    )


def _text(cell: Any) -> str:
    """Return a cell as text; a spreadsheet may have made a number or a date of what was typed."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime | date):
        return cell.isoformat()
    return str(cell)
