from dataclasses import dataclass

import pandas as pd

from isogloss.analysis.records import (
    Cell,
    MissingCounts,
    cells,
    columns_of,
    in_order,
    missing_counts,
    table,
)
from isogloss.score.responses import MISSING


@dataclass(frozen=True)
class Row:
    cell: Cell
    value: float


def test_table_spreads_nested_records_over_columns() -> None:
    frame = table(Row, [Row(Cell("s", "m", "i", "c", "d"), 1.5)])
    assert list(frame) == ["study", "model", "item_set", "condition", "mode", "value"]
    assert frame.iloc[0].tolist() == ["s", "m", "i", "c", "d", 1.5]


def test_table_without_rows_has_all_columns() -> None:
    assert list(table(Row, [])) == columns_of(Row)


def test_missing_counts_cover_every_outcome_without_a_value() -> None:
    outcomes = pd.Series(["ok", "refusal", "refusal", "low_mass", "ok"])
    assert missing_counts(outcomes) == MissingCounts(2, 0, 1, 0)
    assert columns_of(MissingCounts) == [f"n_missing_{name}" for name in MISSING]


def test_cells_are_sorted_and_complete() -> None:
    rows = pd.DataFrame(
        {
            "study": "s",
            "model": ["b", "a", "b"],
            "item_set": "i",
            "condition": "c",
            "mode": "d",
            "x": [1, 2, 3],
        }
    )
    found = [(cell.model, part["x"].tolist()) for cell, part in cells(rows)]
    assert found == [("a", [2]), ("b", [1, 3])]


def test_in_order_puts_unknown_names_last() -> None:
    frame = pd.DataFrame({"condition": ["z", "b", "a", "plain"]})
    assert in_order(frame, {"condition": ("plain", "b")})["condition"].tolist() == [
        "plain",
        "b",
        "a",
        "z",
    ]
