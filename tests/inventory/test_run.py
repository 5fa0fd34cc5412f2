"""Every item set is summed up, and what could not be had is said."""

from pathlib import Path

import pandas as pd
import pytest

from isogloss.analysis.tables import read_tables
from isogloss.errors import ItemError
from isogloss.inventory.records import INVENTORY_TABLES
from isogloss.inventory.run import Sets, run_inventory
from isogloss.review.decisions import Decision
from isogloss.review.pairs import read_pairs
from isogloss.stimuli.sets import DeclaredSet, StimulusSet
from isogloss.validate.records import Check, Verdict
from isogloss.validate.table import checks_table, verdicts_table, write_table

HERE = StimulusSet.model_validate(
    {"title": "Colours", "file": "c.csv", "compare": [{"guise": "red", "reference": "blue"}]}
)
AWAY = StimulusSet.model_validate(
    {"title": "Lent", "source": "lent", "compare": [{"guise": "red"}], "content_note": "Loud."}
)


def check(item: str, *, passed: bool) -> Check:
    reason = "" if passed else "number lost: 5"
    return Check(item, "red - blue", "numbers", 0 if passed else 1, "= 0", passed, False, reason)


@pytest.fixture
def sets(tmp_path: Path) -> Sets:
    """A validated set of two pairs, one of them valid, and a set out of reach."""
    folder = tmp_path / "items" / "colours" / "own"
    folder.mkdir(parents=True)
    items = pd.DataFrame({"item_id": ["1", "2"], "red": ["Rose 5", "Wine"], "blue": ["Sea", "Sky"]})
    items.to_csv(folder / "items.csv", index=False)
    write_table(
        checks_table([check("1", passed=False), check("2", passed=True)]), folder / "checks.csv"
    )
    verdicts = [
        Verdict("1", "red - blue", False, "number lost: 5"),
        Verdict("2", "red - blue", True, ""),
    ]
    write_table(verdicts_table(verdicts), folder / "verdicts.csv")
    declared = {
        "colours/own": DeclaredSet("colours/own", tmp_path / "own.yaml", HERE),
        "colours/lent": DeclaredSet("colours/lent", tmp_path / "lent.yaml", AWAY),
    }
    return Sets(declared, {"colours/own": folder}, {"colours/lent": "it is nowhere"})


def test_sets_are_counted_and_those_out_of_reach_are_told(sets: Sets, tmp_path: Path) -> None:
    rows = run_inventory(sets, {}, (), tmp_path / "out")["sets"].to_dict("records")
    assert [(r["item_set"], r["status"], r["items"], r["pairs"], r["valid"]) for r in rows] == [
        ("colours/own", "validated", 2, 2, 1),
        ("colours/lent", "out_of_reach", 0, 0, 0),
    ]
    assert [(r["origin"], r["reason"], r["content_note"]) for r in rows] == [
        ("authored", "", ""),
        ("lent", "it is nowhere", "Loud."),
    ]


def test_what_people_decided_stands_beside_the_machine(sets: Sets, tmp_path: Path) -> None:
    first, _ = read_pairs(sets.folders["colours/own"], HERE)
    accepted = Decision(
        "colours/own",
        "1",
        "red - blue",
        first.sha256,
        "accept",
        "",
        "Ada",
        "2026-01-31T12:00:00Z",
        True,
        "ab" * 32,
    )
    (row,) = run_inventory(sets, {}, (accepted,), tmp_path / "out")["reviews"].to_dict("records")
    assert (row["pairs"], row["human_only"], row["not_reviewed"]) == (2, 1, 1)


def test_the_tables_read_back(sets: Sets, tmp_path: Path) -> None:
    tables = run_inventory(sets, {}, (), tmp_path / "out")
    back = read_tables(tmp_path / "out", INVENTORY_TABLES)
    assert back.keys() == tables.keys()
    assert back["exclusions"]["reason"].tolist() == ["number lost: 5"]
    assert back["validation_summary"]["failed"].tolist() == [1, 1]
    assert back["generated"].empty


def test_a_missing_table_is_named(sets: Sets, tmp_path: Path) -> None:
    (sets.folders["colours/own"] / "checks.csv").unlink()
    with pytest.raises(ItemError, match=r"checks\.csv"):
        run_inventory(sets, {}, (), tmp_path / "out")
