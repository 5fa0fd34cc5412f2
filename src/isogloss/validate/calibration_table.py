"""Tables of a calibration as CSV; `isogloss.validate.table.write_table` writes them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from isogloss.errors import ItemError
from isogloss.validate.calibration import (
    CHECK_COUNTS,
    CHECK_MEASURES,
    ERROR_COLUMNS,
    VERDICT_COUNTS,
    VERDICT_MEASURES,
)
from isogloss.validate.items import read_table

_TEXT = ("check", "split", "part", "level")


def read_check_measures(path: Path) -> pd.DataFrame:
    """Read the table of `measure_checks`; raise `ItemError` naming the file and the column."""
    return _read_measures(path, CHECK_MEASURES, CHECK_COUNTS)


def read_verdict_measures(path: Path) -> pd.DataFrame:
    """Read the table of `measure_verdicts`; raise `ItemError` naming the file and the column."""
    return _read_measures(path, VERDICT_MEASURES, VERDICT_COUNTS)


def read_errors(path: Path) -> pd.DataFrame:
    """Read the table of `list_errors`; raise `ItemError` naming the file and the column."""
    return read_table(path, ERROR_COLUMNS)


def _read_measures(path: Path, columns: Sequence[str], counts: Sequence[str]) -> pd.DataFrame:
    table = read_table(path, columns)
    numbers = [name for name in columns if name not in _TEXT and not name.endswith("_reason")]
    read = {name: _numbers(table[name], path, empty=name not in counts) for name in numbers}
    return table.assign(**read).astype(dict.fromkeys(counts, np.int64))


def _numbers(column: "pd.Series[str]", path: Path, *, empty: bool) -> "pd.Series[float]":
    values = pd.to_numeric(column, errors="coerce").astype(float)
    wrong = values.isna() & ~((column == "") & empty)
    if wrong.any():
        found = column[wrong].iloc[0]
        raise ItemError(f"{path}: {column.name} {found!r} is not a number; calibrate again")
    return values
