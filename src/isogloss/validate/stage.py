"""Validate an item set: items in, checks and verdicts out."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from isogloss.studies.base import ItemTable
from isogloss.validate.comparison import Comparison
from isogloss.validate.instruments import Instruments
from isogloss.validate.items import read_items, read_table
from isogloss.validate.judge import Judge
from isogloss.validate.table import read_verdicts, write_table
from isogloss.validate.validation import Beside, Form, validate_items


def write_verdicts(
    folder: Path,
    comparisons: Sequence[Comparison],
    instruments: Instruments,
    form: Form,
    others: Mapping[str, Sequence[str]],
    judge: Judge | None = None,
) -> pd.DataFrame:
    """Write `checks.csv` and `verdicts.csv` beside the `items.csv` in `folder`.

    `others` holds the texts of other sets, by their names. Returns the verdicts. Raises `ItemError`
    when the items cannot be used.
    """
    items = read_items(folder / "items.csv", [])
    repairs = read_table(folder / "repairs.csv", ["item_id", "column", "repair"])
    beside = Beside(repairs, others, str(folder / "items.csv"))
    found = validate_items(items, comparisons, instruments, form, beside, judge)
    write_table(found.checks, folder / "checks.csv")
    write_table(found.verdicts, folder / "verdicts.csv")
    return found.verdicts


def read_texts(path: Path, columns: Sequence[str]) -> list[str]:
    """Read the texts of some columns of an item table, blank ones left out."""
    items = read_items(path, columns)
    return [text for column in dict.fromkeys(columns) for text in items[column] if text.strip()]


def read_item_table(item_set: str, folder: Path) -> ItemTable:
    """Read an item set and its verdicts from `folder`."""
    verdicts = read_verdicts(folder / "verdicts.csv")
    keys = zip(verdicts["item_id"], verdicts["contrast"], strict=True)
    valid = dict(zip(keys, verdicts["valid"], strict=True))
    return ItemTable(item_set, read_items(folder / "items.csv", []), valid)
