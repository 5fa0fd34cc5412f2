"""Write the items of a set and the repairs made to them."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from isogloss.stimuli.read import read_stimuli
from isogloss.stimuli.sets import DeclaredSet
from isogloss.studies.base import Study
from isogloss.validate.items import check_items
from isogloss.validate.repair import unwrap_items


def read_set(declared: DeclaredSet, study: Study | None, paths: Sequence[Path]) -> pd.DataFrame:
    """Read the items of a set: as its study reads them, else as its declaration says.

    Raises `ItemError` when a file cannot be read as items.
    """
    name = declared.name.partition("/")[2]
    if study is not None and name in study.item_sets and not study.item_sets[name].as_declared:
        return study.read_items(name, paths)
    return read_stimuli(declared.content, paths[0])


def write_items(items: pd.DataFrame, context: str | None, source: str, out: Path) -> None:
    """Write `items.csv` and `repairs.csv` into the folder `out`.

    Cells wrapped whole in quotation marks are unwrapped and listed in `repairs.csv`. Raises
    `ItemError` naming `source` when an item has no id, or one that was used before, or its context
    is empty.
    """
    texts = [name for name in items.columns if name not in ("item_id", "category")]
    repaired = unwrap_items(items, texts)
    check_items(repaired.items, [], source, context)
    out.mkdir(parents=True, exist_ok=True)
    _write(repaired.items, out / "items.csv")
    _write(repaired.repairs, out / "repairs.csv")


def _write(table: pd.DataFrame, path: Path) -> None:
    table.to_csv(path, index=False, lineterminator="\n", encoding="utf-8")
