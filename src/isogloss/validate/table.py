"""Tables of checks and verdicts, in memory and as CSV."""

from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pandas as pd

from isogloss.errors import ItemError
from isogloss.validate.records import CHECK_NAMES, Check, Verdict

CHECK_COLUMNS = [
    "item_id",
    "contrast",
    "check",
    "value",
    "threshold",
    "passed",
    "reason",
    "repaired",
]
"""Columns of the check table; the fields of `Check`."""

VERDICT_COLUMNS = [field.name for field in fields(Verdict)]
"""Columns of the verdict table; the fields of `Verdict`."""

_TRUTH = {"True": True, "False": False}


def rows_of(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table by column name."""
    return [{str(name): cell for name, cell in row.items()} for row in table.to_dict("records")]


def checks_table(checks: Sequence[Check]) -> pd.DataFrame:
    """Return checks as a table, one row each; a value that was not measured is NaN."""
    table = pd.DataFrame([asdict(check) for check in checks], columns=CHECK_COLUMNS)
    return table.astype({"value": float, "passed": bool, "repaired": bool})


def verdicts_table(verdicts: Sequence[Verdict]) -> pd.DataFrame:
    """Return verdicts as a table, one row each."""
    table = pd.DataFrame([asdict(verdict) for verdict in verdicts], columns=VERDICT_COLUMNS)
    return table.astype({"valid": bool})


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table of checks or verdicts as UTF-8 CSV, values with six significant digits."""
    path.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(path, index=False, float_format="%.6g", lineterminator="\n", encoding="utf-8")


def read_checks(path: Path) -> pd.DataFrame:
    """Read a table of checks.

    Raises `ItemError` naming the file and the column or row when it is not such a table.
    """
    table = _read(path, CHECK_COLUMNS)
    unknown = ~table["check"].isin(CHECK_NAMES)
    if unknown.any():
        raise ItemError(f"{path}: unknown check {table.loc[unknown, 'check'].iloc[0]!r}")
    value = pd.to_numeric(table["value"], errors="coerce")
    wrong = value.isna() & (table["value"] != "")
    if wrong.any():
        raise ItemError(f"{path}: value {table.loc[wrong, 'value'].iloc[0]!r} is not a number")
    flags = {column: _flags(table, column, path) for column in ("passed", "repaired")}
    return table.assign(value=value.astype(float), **flags)


def read_verdicts(path: Path) -> pd.DataFrame:
    """Read a table of verdicts.

    Raises `ItemError` naming the file and the column or row when it is not such a table.
    """
    table = _read(path, VERDICT_COLUMNS)
    repeated = table.duplicated(["item_id", "contrast"])
    if repeated.any():
        row = table.loc[repeated].iloc[0]
        raise ItemError(f"{path}: two verdicts for item {row['item_id']}, {row['contrast']}")
    return table.assign(valid=_flags(table, "valid", path))


def _read(path: Path, columns: list[str]) -> pd.DataFrame:
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ItemError(f"{path}: not a readable table; run validate again ({error})") from error
    missing = [column for column in columns if column not in table.columns]
    if missing:
        raise ItemError(f"{path}: column missing: {', '.join(missing)}; run validate again")
    return table[columns]


def _flags(table: pd.DataFrame, column: str, path: Path) -> "pd.Series[bool]":
    flags = table[column].map(_TRUTH)
    if flags.isna().any():
        wrong = table.loc[flags.isna(), column].iloc[0]
        raise ItemError(f"{path}: {column} is {wrong!r}; it must be True or False")
    return flags.astype(bool)
