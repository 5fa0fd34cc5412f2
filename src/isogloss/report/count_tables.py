"""Tables of levels and counts: ratings, decisions, missing outcomes, validation."""

from collections.abc import Callable

import pandas as pd

from isogloss.report.cells import (
    DIFFERENCE,
    count,
    estimate,
    level,
    lost,
    number_or_blank,
    of_items,
    plain_words,
    share,
    words,
)
from isogloss.report.layout import Layout, tables_by_item_set
from isogloss.report.markdown import Column, escape
from isogloss.report.numbers import fixed, interval, not_estimable, percent
from isogloss.report.provenance import Record, cite_count
from isogloss.report.results import Results
from isogloss.report.tables import ADJUSTED, CONDITION, CONTRAST, MODE, MODEL
from isogloss.validate.table import rows_of

GUISE = (Column("Guise", words("guise")), "guise")
TASK = (Column("Task", plain_words("task")), "task")
SOURCE = (Column("Decided by", words("source")), "source")

WITHOUT_DISTRIBUTION = (
    "Without distribution: responses whose value is the one answer given, without probabilities. "
    "Guises that differ in their share were not measured alike."
)
"""What the column of that name means."""

MISSING_COLUMN = Column("Missing", lost, "right")
SPREAD = Column("SD", number_or_blank("sd", 2), "right")


def means_table(results: Results) -> str:
    """Mean rating of each guise."""
    layout = Layout(
        "means",
        f"Mean rating with {results.confidence} interval",
        (MODE, MODEL, CONDITION, GUISE),
        (
            Column("Mean", level("mean", "low", "high"), "right"),
            SPREAD,
            Column("Ratings", of_items("n"), "right"),
            MISSING_COLUMN,
        ),
        empty="No ratings were recorded.",
    )
    return tables_by_item_set(results.tables["means"], layout, results.study)


def decisions_table(results: Results) -> str:
    """Decisions of each guise, best first."""
    best_first = results.plan.decisions[::-1]
    layout = Layout(
        "decisions",
        f"Decisions about interviews: count, share and {results.confidence} Wilson interval",
        (MODE, MODEL, CONDITION, SOURCE, GUISE),
        (
            *(Column(escape(name).capitalize(), _decision(name), "right") for name in best_first),
            Column("Interviews", count("n"), "right"),
            MISSING_COLUMN,
        ),
        note="The rule advances a mean rating of at least "
        f"{results.of_plan(f'{results.plan.threshold:g}', 'threshold')}.",
        empty="No decisions were recorded.",
    )
    return tables_by_item_set(_wide(results.tables["decisions"]), layout, results.study)


def decision_tests_table(results: Results) -> str:
    """Comparisons of decisions, paired by interview."""
    layout = Layout(
        "decision tests",
        f"Decisions compared interview by interview, with {results.confidence} interval",
        (CONTRAST, MODE, MODEL, CONDITION, SOURCE),
        (
            Column("Measure", words("measure")),
            Column("Interviews", count("n_pairs"), "right"),
            Column("Lost", lost, "right"),
            Column("Estimate", DIFFERENCE, "right"),
            ADJUSTED,
        ),
        note="Shares are compared by the exact McNemar test; the shift is the matched-pairs "
        "rank-biserial correlation, negative where the guise fares worse.",
        empty="No decisions in two guises were recorded.",
    )
    return tables_by_item_set(results.tables["decision_tests"], layout, results.study)


def missing_table(results: Results) -> str:
    """What became of the responses of each guise."""
    layout = missing_layout(results, "value", (TASK, MODE, MODEL, CONDITION, GUISE))
    return tables_by_item_set(results.tables["missing"], layout, results.study)


def missing_layout(results: Results, what: str, keys: tuple[tuple[Column, str], ...]) -> Layout:
    """Layout of what became of responses; `what` is the word for that which some are without."""
    some = bool(results.tables["missing"]["n_without_distribution"].gt(0).any())
    bare = (Column("Without distribution", count("n_without_distribution"), "right"),)
    return Layout(
        "missing",
        f"Responses without a {what}, with {results.confidence} Wilson interval, and answer mass",
        keys,
        (
            Column("Asked", count("n"), "right"),
            MISSING_COLUMN,
            Column("Share missing", share("share_missing", "low", "high"), "right"),
            *(bare if some else ()),
            Column("Mean answer mass", _mass, "right"),
            Column(f"Mass below {_mass_gate(results)}", _below_gate, "right"),
        ),
        note=WITHOUT_DISTRIBUTION if some else "",
        empty="No responses were recorded.",
    )


def missing_tests_table(results: Results) -> str:
    """Whether responses without a value depend on the guise, where there are any."""
    frame = results.tables["missing_tests"]
    some = (frame["share_guise"] > 0) | (frame["share_reference"] > 0)
    layout = Layout(
        "missing tests",
        f"Share of responses without a value, guise minus reference, with {results.confidence} "
        "interval",
        (TASK, CONTRAST, MODE, MODEL, CONDITION),
        (
            Column("Pairs", count("n_pairs"), "right"),
            Column("Guise", in_percent("share_guise"), "right"),
            Column("Reference", in_percent("share_reference"), "right"),
            Column("Difference", estimate("estimate", "low", "high"), "right"),
            ADJUSTED,
        ),
        empty="No response is without a value in any pair.",
    )
    return tests_where_some_miss(results, some, layout, "n_pairs", "a value in both guises")


def tests_where_some_miss(
    results: Results, some: "pd.Series[bool]", layout: Layout, counted: str, complete: str
) -> str:
    """Table of the tests in which `some` responses are missing, and how many others there are.

    `counted` is the column that says how many responses a test has, and `complete` what each
    response of the other tests has.
    """
    frame = results.tables["missing_tests"]
    text = tables_by_item_set(frame.loc[some], layout, results.study)
    if some.all() or not some.any():
        return text
    others = cite_count(frame.loc[~some], results.file("missing_tests.csv"), counted)
    return f"{text}\nIn the other {others} comparisons every response has {complete}.\n"


def exclusions_table(results: Results) -> str:
    """Pairs that failed validation."""
    layout = Layout(
        "exclusions",
        "Pairs that failed validation",
        (CONTRAST,),
        (
            Column("Item", words("item_id")),
            Column("Failed checks", plain_words("failed_checks")),
            Column("Reason", words("reason")),
        ),
        empty="Every pair passed validation.",
    )
    return tables_by_item_set(results.tables["exclusions"], layout, results.study)


def validation_table(results: Results) -> str:
    """What each check let pass."""
    layout = Layout(
        "validation",
        "Checks of the pairs",
        (CONTRAST,),
        (
            *check_columns(),
            Column("Not measured", count("not_measured"), "right"),
            Column("Repaired", count("repaired"), "right"),
        ),
        empty="No item was validated.",
    )
    return tables_by_item_set(results.tables["validation_summary"], layout, results.study)


def check_columns() -> tuple[Column, ...]:
    """Columns of a check: what pairs are held to, and how many passed."""
    return (
        Column("Check", plain_words("check")),
        Column("Held to", words("threshold")),
        Column("Median", number_or_blank("median", 3), "right"),
        Column("Pairs", count("pairs"), "right"),
        Column("Failed", count("failed"), "right"),
        Column("Failed only this", count("failed_alone"), "right"),
        Column("Not judged", count("not_judged"), "right"),
    )


def _wide(decisions: pd.DataFrame) -> pd.DataFrame:
    """One row for each group of interviews, with the row of each decision under its name."""
    keys = ["item_set", "mode", "model", "condition", "source", "guise"]
    rows = []
    for _, part in decisions.groupby(keys, sort=False):
        records = rows_of(part)
        shown = {row["decision"]: row for row in records}
        rows.append({**records[0], "shown": shown})
    return pd.DataFrame(rows, columns=[*decisions.columns, "shown"])


def _share_of(row: Record) -> str:
    if row["status"] != "ok":
        return not_estimable(str(row["reason"]))
    bounds = interval(100 * row["low"], 100 * row["high"], 0)
    return f"{int(row['count'])}, {percent(row['share'])} {bounds}"


def _decision(name: str) -> Callable[[Record], str]:
    return lambda row: _share_of(row["shown"][name]) if name in row["shown"] else "–"


def _mass_gate(results: Results) -> str:
    return results.of_plan(f"{results.plan.mass_gate:g}", "mass_gate")


def in_percent(name: str) -> Callable[[Record], str]:
    """Share of a column in percent."""
    return lambda row: percent(row[name])


def _mass(row: Record) -> str:
    if row["mass_status"] != "ok":
        return not_estimable(str(row["mass_reason"]))
    return fixed(row["mean_answer_mass"], 3)


def _below_gate(row: Record) -> str:
    return percent(row["share_below_gate"]) if row["mass_status"] == "ok" else ""
