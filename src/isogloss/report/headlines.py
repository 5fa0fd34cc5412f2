"""The main effects of a study, in the one form in which the overview shows those of all studies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from isogloss.analysis.records import MissingCounts, table
from isogloss.report.cells import Cell, of_items
from isogloss.report.provenance import ORIGIN, Origin, Reading, Record, origins_of
from isogloss.report.results import Results, baseline_effects, place_names
from isogloss.score.responses import MISSING
from isogloss.stats.results import Verdict
from isogloss.validate.table import rows_of


@dataclass(frozen=True)
class Headline:
    """One main effect of a study under its baseline condition."""

    study: str
    item_set: str
    contrast: str
    mode: str
    subset: str
    model: str
    about: str
    """Role and persona; empty in a study without personas."""
    place: str
    """Title of the group of lines in which a figure shows it."""
    line: str
    """Label of its line in that group."""
    estimate: float
    low: float
    high: float
    p_adjusted: float
    verdict: Verdict
    reason: str
    compared: str
    """How much was compared, in words."""
    missing: MissingCounts


Headlines = Callable[[Results], pd.DataFrame]
"""Makes a table with the columns of `Headline` from the results of a study."""


def paired_headlines(results: Results) -> pd.DataFrame:
    """Return the effects of every contrast on all items, by item set, mode, subset and model."""
    frame = baseline_effects(results)
    return headline_table(
        results,
        [
            {**row, "about": "", "place": place, "line": row["model"]}
            for row, place in zip(rows_of(frame), place_names(frame), strict=True)
        ],
        of_items("n_pairs"),
    )


def headline_table(results: Results, rows: Sequence[Record], compared: Cell) -> pd.DataFrame:
    """Make the table from rows that have the columns of `Headline` but `study` and `compared`.

    `compared` makes the latter.
    """
    made = table(Headline, [_headline(row, results.study, compared(row)) for row in rows])
    origins = [_with_compared(row, compared) for row in rows]
    return made.assign(**{ORIGIN: pd.Series(origins, index=made.index, dtype=object)})


def _with_compared(row: Record, compared: Cell) -> tuple[Origin, ...]:
    """Return the origins of a row, with the columns behind `compared` under that name."""
    reading = Reading(row)
    compared(reading)
    columns = tuple(name for source in reading.sources for name in source.columns)
    return tuple(
        replace(origin, columns={**origin.columns, "compared": columns})
        for origin in origins_of(row)
    )


def _headline(row: Record, study: str, compared: str) -> Headline:
    return Headline(
        study=study,
        item_set=row["item_set"],
        contrast=row["contrast"],
        mode=row["mode"],
        subset=row["subset"],
        model=row["model"],
        about=row["about"],
        place=row["place"],
        line=row["line"],
        estimate=row["estimate"],
        low=row["low"],
        high=row["high"],
        p_adjusted=row["p_adjusted"],
        verdict=row["verdict"],
        reason=row["reason"],
        compared=compared,
        missing=MissingCounts(
            **{f"n_missing_{name}": row[f"n_missing_{name}"] for name in MISSING}
        ),
    )
