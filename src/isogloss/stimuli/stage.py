"""Write a study's items and the repairs made to them."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from isogloss.studies.base import Study
from isogloss.validate.items import check_items
from isogloss.validate.repair import unwrap_items


def write_items(study: Study, item_set: str, paths: Sequence[Path], out: Path) -> None:
    """Write `items.csv` and `repairs.csv` of an item set into the folder `out`.

    Cells wrapped whole in quotation marks are unwrapped and listed in `repairs.csv`. Raises
    `ItemError` when a file cannot be read as items.
    """
    study.item_set(item_set)
    items = study.read_items(item_set, paths)
    texts = [name for name in items.columns if name not in ("item_id", "category")]
    repaired = unwrap_items(items, texts)
    check_items(repaired.items, [], str(paths[0]))
    out.mkdir(parents=True, exist_ok=True)
    _write(repaired.items, out / "items.csv")
    _write(repaired.repairs, out / "repairs.csv")


def _write(table: pd.DataFrame, path: Path) -> None:
    table.to_csv(path, index=False, lineterminator="\n", encoding="utf-8")
