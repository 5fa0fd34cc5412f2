"""Validate an item set: items in, checks and verdicts out."""

from pathlib import Path

import pandas as pd

from isogloss.config.schema import StudySettings
from isogloss.studies.base import ItemTable, Study
from isogloss.validate.items import read_items, read_table
from isogloss.validate.lexicon import load_lexicon
from isogloss.validate.similarity import Encode
from isogloss.validate.table import read_verdicts, write_table
from isogloss.validate.validation import validate_items


def write_verdicts(
    study: Study,
    item_set: str,
    settings: StudySettings,
    lexicon: Path,
    encode: Encode,
    folder: Path,
) -> pd.DataFrame:
    """Write `checks.csv` and `verdicts.csv` beside the `items.csv` in `folder`.

    Returns the verdicts. Raises `ItemError` when the items or the lexicon cannot be used.
    """
    contrasts = study.checks(item_set, settings)
    guises = [guise for contrast, _ in contrasts for guise in (contrast.reference, contrast.guise)]
    items = read_items(folder / "items.csv", guises)
    repairs = read_table(folder / "repairs.csv", ["item_id", "column", "repair"])
    found = validate_items(
        items,
        contrasts,
        load_lexicon(lexicon),
        encode,
        repairs=repairs,
        source=str(folder / "items.csv"),
    )
    write_table(found.checks, folder / "checks.csv")
    write_table(found.verdicts, folder / "verdicts.csv")
    return found.verdicts


def read_item_table(item_set: str, folder: Path) -> ItemTable:
    """Read an item set and its verdicts from `folder`."""
    verdicts = read_verdicts(folder / "verdicts.csv")
    keys = zip(verdicts["item_id"], verdicts["contrast"], strict=True)
    valid = dict(zip(keys, verdicts["valid"], strict=True))
    return ItemTable(item_set, read_items(folder / "items.csv", []), valid)
