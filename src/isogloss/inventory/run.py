"""The stage inventory: tables of all item sets in, tables about them out."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from isogloss.analysis.exclusions import exclusions, validation_summary
from isogloss.analysis.records import table
from isogloss.analysis.tables import write_tables
from isogloss.inventory.generated import Made, generated_table
from isogloss.inventory.records import SetRow
from isogloss.review.decisions import Decision
from isogloss.review.pairs import read_pairs
from isogloss.review.summary import outcomes_table, summarise
from isogloss.stimuli.sets import DeclaredSet
from isogloss.validate.items import read_table
from isogloss.validate.table import read_checks, read_verdicts


@dataclass(frozen=True)
class Sets:
    """The item sets of a run."""

    declared: Mapping[str, DeclaredSet]
    """By name, those to sum up."""
    folders: Mapping[str, Path]
    """Where the tables of each validated set are."""
    out_of_reach: Mapping[str, str]
    """Sets that could not be had, with the reason."""


def run_inventory(
    sets: Sets, made: Mapping[str, Made], decisions: tuple[Decision, ...], out: Path
) -> dict[str, pd.DataFrame]:
    """Write the tables of `INVENTORY_TABLES` into a folder and return them.

    Raises `ItemError` naming a table that is missing or damaged.
    """
    checks = _together(sets, "checks")
    verdicts = _together(sets, "verdicts")
    pairs = [
        pair
        for name, folder in sets.folders.items()
        for pair in read_pairs(folder, sets.declared[name].content)
    ]
    tables = {
        "sets": table(SetRow, [_set_row(name, sets, verdicts) for name in sets.declared]),
        "validation_summary": validation_summary(checks, verdicts),
        "exclusions": exclusions(checks, verdicts),
        "generated": generated_table(made),
        "reviews": outcomes_table(summarise(pairs, decisions)),
    }
    write_tables(tables, out)
    return tables


def _together(sets: Sets, name: str) -> pd.DataFrame:
    """One table of every set, with a column `item_set`."""
    read = read_checks if name == "checks" else read_verdicts
    parts = [
        read(folder / f"{name}.csv").assign(item_set=item_set)
        for item_set, folder in sets.folders.items()
    ]
    return pd.concat(parts, ignore_index=True)


def _set_row(name: str, sets: Sets, verdicts: pd.DataFrame) -> SetRow:
    content = sets.declared[name].content
    mine = verdicts[verdicts["item_set"] == name]
    here = name in sets.folders
    items = len(read_table(sets.folders[name] / "items.csv", ["item_id"])) if here else 0
    return SetRow(
        item_set=name,
        title=content.title,
        origin=content.source or "authored",
        status="validated" if here else "out_of_reach",
        reason=sets.out_of_reach.get(name, ""),
        items=items,
        comparisons=len(content.compare),
        pairs=len(mine),
        valid=int(mine["valid"].sum()),
        content_note=content.content_note,
    )
