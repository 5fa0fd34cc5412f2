"""The main effects of a study, in the one form in which the overview shows those of all studies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from isogloss.analysis.records import MissingCounts, table
from isogloss.report.cells import of_items
from isogloss.report.markdown import Record
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
    compared = of_items("n_pairs")
    return headline_table(
        results,
        [
            {**row, "about": "", "place": place, "line": row["model"], "compared": compared(row)}
            for row, place in zip(rows_of(frame), place_names(frame), strict=True)
        ],
    )


def headline_table(results: Results, rows: Sequence[Record]) -> pd.DataFrame:
    """Make the table from rows that have the columns of `Headline` but `study`."""
    return table(Headline, [_headline(row, results.study) for row in rows])


def _headline(row: Record, study: str) -> Headline:
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
        compared=row["compared"],
        missing=MissingCounts(
            **{f"n_missing_{name}": row[f"n_missing_{name}"] for name in MISSING}
        ),
    )
