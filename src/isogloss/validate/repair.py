"""Repair of cells whose fault has one certain remedy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from isogloss.validate.surface import unwrap

WRAPPED: Final = "wrapping quotation marks removed"
"""Name of the one repair there is."""


@dataclass(frozen=True)
class Repaired:
    """Items whose repairable cells were repaired, and which cells those were."""

    items: pd.DataFrame
    """The items; same rows and columns as given."""
    repairs: pd.DataFrame
    """One row for each repaired cell: item_id, column, repair."""


def unwrap_items(items: pd.DataFrame, columns: Sequence[str]) -> Repaired:
    """Unwrap every cell of the given columns; see `unwrap`."""
    repaired, rows = items.copy(), []
    for column in columns:
        results = [unwrap(text) for text in items[column]]
        repaired[column] = [text for text, _ in results]
        rows += [
            (item_id, column, WRAPPED)
            for item_id, (_, was_wrapped) in zip(items["item_id"], results, strict=True)
            if was_wrapped
        ]
    return Repaired(repaired, pd.DataFrame(rows, columns=["item_id", "column", "repair"]))
