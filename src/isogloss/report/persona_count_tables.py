"""Tables of levels and counts by persona: scores, modes, missing responses."""

import pandas as pd

from isogloss.report.cells import estimate, level, number, of_items, two_counts, words
from isogloss.report.count_tables import (
    MISSING_COLUMN,
    SPREAD,
    in_percent,
    missing_layout,
    tests_where_some_miss,
)
from isogloss.report.layout import Layout, tables_by_item_set
from isogloss.report.markdown import Column
from isogloss.report.persona_results import (
    at_baseline,
    crossed_personas,
    in_partial_modes,
    in_whole_modes,
)
from isogloss.report.persona_tables import FAMILY, GUISE, PERSONA, REFERENCE, ROLE
from isogloss.report.provenance import cite_count, joined
from isogloss.report.results import Results
from isogloss.report.tables import ADJUSTED, CONDITION, CONTRAST, MODE, MODEL

CELL = ["item_set", "role", "condition", "model", "persona", "guise"]
MEAN = level("mean", "low", "high")
MEAN_BESIDE = level("mean_beside", "low_beside", "high_beside", reason="reason_beside")
BESIDE = (Column("Beside", words("beside")), "beside")
IN_OTHER_MODE = {
    "mode": "beside",
    "mean": "mean_beside",
    "low": "low_beside",
    "high": "high_beside",
    "reason": "reason_beside",
    "n": "n_beside",
    "n_clusters": "items_beside",
}
"""Columns of a mean in another mode, and their names beside it."""


def persona_means_table(results: Results) -> str:
    """Mean score of every persona with one attribute at most, under the baseline condition."""
    layout = Layout(
        "means",
        f"Mean score with {results.confidence} interval",
        (MODE, MODEL, ROLE, CONDITION, PERSONA, GUISE),
        (
            Column("Mean", MEAN, "right"),
            SPREAD,
            Column("Scores", of_items("n"), "right"),
            MISSING_COLUMN,
        ),
        empty="No scores were recorded.",
    )
    frame = in_whole_modes(at_baseline(results.tables["means"], results), results)
    return tables_by_item_set(_single(frame, results), layout, results.study)


def persona_modes_table(results: Results) -> str:
    """Mean score in the modes that cover part of an item set, beside those that cover all of it."""
    layout = Layout(
        "modes",
        "Mean score in two modes",
        (CONDITION, MODE, BESIDE, MODEL, ROLE, PERSONA, GUISE),
        (
            Column("Mean", number("mean", 3), "right"),
            Column("Scores", of_items("n"), "right"),
            MISSING_COLUMN,
            Column("Mean beside", MEAN_BESIDE, "right"),
            Column("Scores beside", of_items("n_beside", "items_beside"), "right"),
        ),
        note="Scores in the mode beside are about all items, of which the others are a part; their "
        f"mean has a {results.confidence} interval.",
        empty="Every mode was used for all items.",
    )
    single = _single(results.tables["means"], results)
    partly = in_partial_modes(single, results)
    wholly = in_whole_modes(single, results)
    both = joined(partly, wholly, CELL, IN_OTHER_MODE, "inner")
    return tables_by_item_set(both, layout, results.study)


def persona_missing_table(results: Results) -> str:
    """What became of the responses: under the baseline condition, and wherever some are missing."""
    kept, left = _rows_of_interest(results.tables["missing"], results)
    keys = (MODE, MODEL, ROLE, CONDITION, PERSONA, GUISE)
    text = tables_by_item_set(kept, missing_layout(results, "score", keys), results.study)
    if len(left):
        others = cite_count(left, results.file("missing.csv"), "n")
        text += f"\nIn {others} other rows every response has a score.\n"
    return text


def persona_missing_tests_table(results: Results) -> str:
    """Whether responses without a score depend on guise or persona, where there are any."""
    frame = results.tables["missing_tests"]
    some = (frame["share_first"] > 0) | (frame["share_second"] > 0)
    layout = Layout(
        "missing tests",
        "Share of responses without a score, of a guise minus its reference or of a persona minus "
        f"its reference, with {results.confidence} interval",
        (MODE, MODEL, ROLE, CONDITION, FAMILY, CONTRAST, PERSONA, GUISE, REFERENCE),
        (
            Column("Asked", two_counts("n_first", "n_second"), "right"),
            Column("First", in_percent("share_first"), "right"),
            Column("Second", in_percent("share_second"), "right"),
            Column("Difference", estimate("estimate", "low", "high"), "right"),
            ADJUSTED,
        ),
        empty="No response is without a score in any comparison.",
    )
    return tests_where_some_miss(results, some, layout, "n_first", "a score on both sides")


def _single(frame: pd.DataFrame, results: Results) -> pd.DataFrame:
    return frame.loc[~frame["persona"].isin(crossed_personas(results))]


def _rows_of_interest(frame: pd.DataFrame, results: Results) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows to show, and the others."""
    basis = _single(in_whole_modes(at_baseline(frame, results), results), results)
    shown = frame["n_ok"].lt(frame["n"]) | frame.index.isin(basis.index)
    return frame.loc[shown], frame.loc[~shown]
