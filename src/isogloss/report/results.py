"""The results of one study, as the report reads them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from isogloss.analysis.designs import tables_of
from isogloss.analysis.effects import EVERY_ITEM
from isogloss.analysis.files import PLAN
from isogloss.analysis.plan import AnalysisPlan, read_plan
from isogloss.analysis.tables import read_tables
from isogloss.mixed.records import MIXED_TABLES
from isogloss.report.provenance import Source, cite, with_origins

BLOCK = ["item_set", "mode", "contrast"]
"""Columns within which one subset of the pairs is the one to look at first."""


RESULTS = "data/results"
"""Folder of the result tables of all studies, relative to the project's folder."""


@dataclass(frozen=True)
class Results:
    """Result tables of one study with the plan they follow."""

    study: str
    plan: AnalysisPlan
    tables: dict[str, pd.DataFrame]
    """By the names of `isogloss.analysis.designs.tables_of` and of `MIXED_TABLES`."""

    @property
    def confidence(self) -> str:
        """Confidence of the intervals, for instance `95 %`, as Markdown with its place."""
        return self.of_plan(f"{100 * (1 - self.plan.alpha):.6g} %", "alpha")

    def file(self, name: str) -> str:
        """Name of one of the study's files, relative to the project's folder."""
        return f"{RESULTS}/{self.study}/{name}"

    def of_plan(self, text: str, *keys: str) -> str:
        """Return a text as Markdown that carries its place in the plan."""
        return cite(text, (Source(self.file(PLAN), columns=keys),))

    @property
    def item_sets(self) -> list[str]:
        """Item sets that responses or validation know."""
        named = [self.tables[name] for name in ("means", "validation_summary")]
        return sorted({str(name) for table in named for name in table["item_set"]})


def read_results(folder: Path, study: str) -> Results:
    """Read the tables and the plan of a study; raises `ReportError` naming the file at fault."""
    plan = read_plan(folder / PLAN)
    wanted = {**tables_of(plan.design), **MIXED_TABLES}
    tables = read_tables(folder, wanted)
    found = Results(study, plan, tables)
    return replace(
        found,
        tables={name: with_origins(t, found.file(f"{name}.csv")) for name, t in tables.items()},
    )


def main_subset(frame: pd.DataFrame, block: Sequence[str] = BLOCK) -> pd.DataFrame:
    """Keep the validated pairs where there is such a subset, and all pairs elsewhere.

    A pair that failed validation is excluded; `all` then only repeats what others did. `block`
    names the columns within which there is one such choice.
    """
    keys = pd.MultiIndex.from_frame(frame[list(block)])
    narrowed = keys[frame["subset"] == "validated"].unique()
    return frame.loc[(frame["subset"] == "validated") | ~keys.isin(narrowed)]


def whole_effects(results: Results) -> pd.DataFrame:
    """Effects that are not those of a subgroup of items, of every subset."""
    frame = results.tables["effects"]
    return frame.loc[frame["subgroup"] == EVERY_ITEM]


def baseline_effects(results: Results) -> pd.DataFrame:
    """Whole effects under the baseline condition."""
    frame = whole_effects(results)
    return frame.loc[frame["condition"] == results.plan.baseline]


def place_names(frame: pd.DataFrame) -> "pd.Series[str]":
    """Say of each effect where it was measured: items, mode, and pairs where there is a choice."""
    narrowed = pd.MultiIndex.from_frame(frame.loc[frame["subset"] == "validated", BLOCK])
    chosen = pd.MultiIndex.from_frame(frame[BLOCK]).isin(narrowed)
    pairs = (", " + frame["subset"] + " pairs").where(chosen, "")
    return frame["item_set"] + " items, " + frame["mode"] + pairs
