"""Rows of a persona design's tables: which a page shows where."""

import pandas as pd

from isogloss.analysis.personas.records import ALL_MODELS, persona_design
from isogloss.report.provenance import Record
from isogloss.report.results import Results, main_subset

BLOCK = ["item_set"]
"""Columns within which one subset of the items is the one to look at first."""

PLACE = ["item_set", "role", "condition", "mode"]
"""Columns that say where one model was asked."""


def at_baseline(frame: pd.DataFrame, results: Results) -> pd.DataFrame:
    """Keep the rows of the baseline condition."""
    return frame.loc[frame["condition"] == results.plan.baseline]


def in_whole_modes(frame: pd.DataFrame, results: Results) -> pd.DataFrame:
    """Keep the modes in which all of an item set was asked about."""
    return frame.loc[_is_whole(frame, results)]


def in_partial_modes(frame: pd.DataFrame, results: Results) -> pd.DataFrame:
    """Keep the modes in which less of an item set was asked about than in another."""
    return frame.loc[~_is_whole(frame, results)]


def _is_whole(frame: pd.DataFrame, results: Results) -> "pd.Series[bool]":
    missing = results.tables["missing"]
    each = missing.loc[missing["model"] != ALL_MODELS]
    asked = each.groupby(["item_set", "mode"])["n"].max()
    most = asked.groupby("item_set").transform("max")
    whole = asked.index[asked == most]
    keys = pd.MultiIndex.from_frame(frame[["item_set", "mode"]])
    return pd.Series(keys.isin(whole), index=frame.index)


def without_crossed(frame: pd.DataFrame, results: Results) -> pd.DataFrame:
    """Leave out the personas that differ in two attributes."""
    crossed = [family.name for family in persona_design(results.plan).crossed]
    return frame.loc[~frame["persona_family"].isin(crossed)]


def crossed_personas(results: Results) -> set[str]:
    """Return the personas that differ in two attributes, and are in no other family."""
    design = persona_design(results.plan)
    single = {design.unspecified, *(p for family in design.families for p in family.personas)}
    return {cell[2] for family in design.crossed for cell in family.cells} - single


def pooled(frame: pd.DataFrame) -> pd.DataFrame:
    """Keep the rows about all models where there are such, and those of the one model elsewhere."""
    places = pd.MultiIndex.from_frame(frame[PLACE])
    together = places[frame["model"] == ALL_MODELS].unique()
    return frame.loc[(frame["model"] == ALL_MODELS) | ~places.isin(together)]


def main_rows(frame: pd.DataFrame, results: Results) -> pd.DataFrame:
    """Keep what figures, sentences and the overview show.

    The baseline condition, in the modes in which all of an item set was asked about, by all models
    together, of the validated items where others were asked about too.
    """
    whole = in_whole_modes(at_baseline(frame, results), results)
    return pooled(main_subset(whole, BLOCK))


def role_title(row: Record) -> str:
    """Name an item set and the role in which a model was asked about it."""
    return f"{row['item_set']} items, {str(row['role']).replace('_', ' ')}"


def place_title(row: Record) -> str:
    """Name an item set, the role and the mode in which a model was asked about it."""
    return f"{role_title(row)}, {row['mode']}"
