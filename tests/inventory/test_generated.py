"""What was generated is counted by what became of it."""

import csv
from math import isnan
from pathlib import Path

import pytest

from isogloss.errors import ItemError
from isogloss.inventory.generated import Made, generated_table


def write(folder: Path, name: str, header: list[str], rows: list[list[str]]) -> None:
    folder.mkdir(exist_ok=True)
    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three items: one with a valid draft, one without, one that could not be asked for."""
    by = "model:m@abc"
    candidates = [
        ["1", "ok", "True", by],
        ["1", "malformed", "", by],
        ["2", "ok", "False", by],
        ["2", "refusal", "", by],
    ]
    write(tmp_path, "candidates", ["item_id", "outcome", "valid", "by"], candidates)
    chosen = [
        ["1", "hedged", "chosen"],
        ["2", "hedged", "none_valid"],
        ["3", "hedged", "not_asked"],
    ]
    write(tmp_path, "chosen", ["item_id", "guise", "status"], chosen)
    return tmp_path


def test_counts_by_hand(folder: Path) -> None:
    (row,) = generated_table({"x": Made("a/b", "hedged", "m", folder)}).to_dict("records")
    assert (row["by"], row["items"], row["candidates"]) == ("model:m@abc", 3, 4)
    assert (row["n_ok"], row["n_refusal"], row["n_malformed"], row["n_error"]) == (2, 1, 1, 0)
    assert (row["valid"], row["chosen"], row["not_asked"]) == (1, 1, 1)
    # One of two: the Wilson interval is 0.0945 to 0.9055.
    assert row["share"] == 0.5
    assert (row["share_low"], row["share_high"]) == pytest.approx((0.0945, 0.9055), abs=1e-4)


def test_where_nothing_was_asked_there_is_no_share(folder: Path) -> None:
    write(folder, "candidates", ["item_id", "outcome", "valid", "by"], [])
    write(folder, "chosen", ["item_id", "guise", "status"], [["1", "hedged", "not_asked"]])
    (row,) = generated_table({"x": Made("a/b", "hedged", "rules", folder)}).to_dict("records")
    assert row["by"] == "rules"
    assert isnan(row["share"])


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(ItemError, match=r"candidates\.csv"):
        generated_table({"x": Made("a/b", "hedged", "rules", tmp_path)})
