"""Tables of the page on data and validation: item sets, checks, generated texts, reviews."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from isogloss.analysis.tables import read_tables
from isogloss.guises.definition import GuiseDefinition
from isogloss.inventory.records import INVENTORY_TABLES
from isogloss.report.cells import Cell, count, plain_words, share, words
from isogloss.report.count_tables import check_columns
from isogloss.report.markdown import Column, escape, pipe_table, slug
from isogloss.report.numbers import interval, not_estimable, percent
from isogloss.report.provenance import ORIGIN, Origin, Record, cite_count, with_origins
from isogloss.validate.calibration_table import (
    read_check_measures,
    read_errors,
    read_verdict_measures,
)
from isogloss.validate.table import rows_of

MOST_LISTED = 40
"""Excluded pairs of one item set that the page lists; the artifact has all."""


INVENTORY = "data/results/stimuli"
"""Folder of the tables on item sets, relative to the project's folder."""

CALIBRATION = "data/results/calibration"
"""Folder of the tables on labelled pairs."""

GUISES = "data/guises"
"""Folder of the definitions of guises."""

_OF_GUISE = {
    "title": ("title",),
    "devices": ("devices",),
    "example": ("devices",),
    "rule": ("rule",),
}
"""Keys of a definition that the columns of the table of guises come from."""


@dataclass(frozen=True)
class StimuliResults:
    """What the page on data and validation is made from."""

    tables: Mapping[str, pd.DataFrame]
    """By the names of `INVENTORY_TABLES`."""
    performance: pd.DataFrame
    """How well each check does on the labelled pairs."""
    verdicts: pd.DataFrame
    """How well all of them together do."""
    misses: pd.DataFrame
    """Labelled pairs that were judged wrongly."""
    guises: Mapping[str, GuiseDefinition]


def read_stimuli_results(
    stimuli: Path, calibration: Path, guises: Mapping[str, GuiseDefinition]
) -> StimuliResults:
    """Read the tables; raise `ReportError` or `ItemError` naming the file at fault."""
    tables = read_tables(stimuli, INVENTORY_TABLES)
    return StimuliResults(
        {name: with_origins(t, f"{INVENTORY}/{name}.csv") for name, t in tables.items()},
        _calibration(read_check_measures, calibration / "performance.csv"),
        _calibration(read_verdict_measures, calibration / "verdicts.csv"),
        _calibration(read_errors, calibration / "misses.csv"),
        guises,
    )


def _calibration(read: Callable[[Path], pd.DataFrame], path: Path) -> pd.DataFrame:
    return with_origins(read(path), f"{CALIBRATION}/{path.name}")


def sets_table(results: StimuliResults) -> str:
    """Every item set, where it comes from, and how much of it passed."""
    columns = (
        Column("Item set", words("item_set")),
        Column("What it is", words("title")),
        Column("Origin", words("origin")),
        Column("Items", count("items"), "right"),
        Column("Pairs or texts", count("pairs"), "right"),
        Column("Valid", _valid, "right"),
    )
    return _table(results.tables["sets"], columns, "Item sets", "sets")


def guises_table(results: StimuliResults) -> str:
    """Every guise with its devices and where they are described."""
    rows = pd.DataFrame(
        [
            {
                "title": guise.title,
                "devices": ", ".join(d.name.replace("_", " ") for d in guise.devices),
                "example": guise.devices[0].examples[0],
                "rule": guise.rule or "",
                ORIGIN: (Origin(f"{GUISES}/{name}.yaml", _OF_GUISE),),
            }
            for name, guise in results.guises.items()
        ]
    )
    columns = (
        Column("Guise", words("title")),
        Column("Devices", words("devices")),
        Column("Example", words("example")),
        Column("Rule", words("rule")),
    )
    return _table(rows, columns, "Guises, as files of data/guises define them", "guises")


def set_checks_table(results: StimuliResults) -> str:
    """The checks that failed something, by item set and comparison."""
    frame = results.tables["validation_summary"]
    failing = frame[(frame["failed"] > 0) & (frame["check"] != "verdict")]
    columns = (
        Column("Comparison", words("contrast")),
        *check_columns(),
    )
    return _by_set(failing, columns, "Checks that excluded something", "set-checks") or (
        "*No check excluded anything.*\n"
    )


def set_exclusions_table(results: StimuliResults) -> str:
    """The pairs that were excluded, with the reasons, a bounded number for each set."""
    frame = results.tables["exclusions"]
    columns = (
        Column("Item", words("item_id")),
        Column("Comparison", words("contrast")),
        Column("Reason", words("reason")),
    )
    listed = frame.groupby("item_set", sort=False).head(MOST_LISTED)
    text = _by_set(listed, columns, "Excluded pairs", "set-exclusions")
    more = [
        f"- {escape(str(name))}: {_more(part)} more in `{INVENTORY}/exclusions.csv`"
        for name, part in frame.groupby("item_set", sort=False)
        if len(part) > MOST_LISTED
    ]
    return "\n".join(filter(None, [text, "\n".join(more), ""])) or "*Nothing was excluded.*\n"


def generated_table(results: StimuliResults) -> str:
    """Who made texts of a guise, and how many of them may be used."""
    columns = (
        Column("Texts", words("name")),
        Column("Guise", words("guise")),
        Column("By", words("by")),
        Column("Items", count("items"), "right"),
        Column("Candidates", count("candidates"), "right"),
        Column("Refused", count("n_refusal"), "right"),
        Column("Malformed", count("n_malformed"), "right"),
        Column("Errors", count("n_error"), "right"),
        Column("Valid", count("valid"), "right"),
        Column("Items with a valid one", _item_share, "right"),
    )
    caption = "Texts put into a guise by rules and by models, after validation"
    return _table(results.tables["generated"], columns, caption, "generated")


def reviews_table(results: StimuliResults) -> str:
    """How many pairs passed the machine, a person, both, or none."""
    columns = (
        Column("Item set", words("item_set")),
        Column("Comparison", words("contrast")),
        Column("Pairs", count("pairs"), "right"),
        Column("Both", count("both"), "right"),
        Column("Machine only", count("machine_only"), "right"),
        Column("A person only", count("human_only"), "right"),
        Column("None", count("none"), "right"),
        Column("Not reviewed", count("not_reviewed"), "right"),
        Column("of these valid", count("not_reviewed_passed"), "right"),
    )
    caption = "What passed the machine and what passed people"
    return _table(results.tables["reviews"], columns, caption, "reviews")


def calibration_table(results: StimuliResults) -> str:
    """Precision and recall of each check on the pairs that no threshold was chosen on."""
    frame = results.performance
    some = frame[(frame["split"] == "held_out") & (frame["failed_meant"] + frame["missed"] > 0)]
    columns = (
        Column("Check", plain_words("check")),
        Column("Pairs", count("pairs"), "right"),
        Column("Meant to fail", _meant, "right"),
        Column("Failed", count("failed_meant"), "right"),
        Column("Recall", _share("recall"), "right"),
        Column("Precision", _share("precision"), "right"),
        Column("Good pairs failed", count("failed_good"), "right"),
    )
    caption = "Checks on the held-out half of the labelled pairs, with 95 % intervals"
    return _table(some, columns, caption, "calibration")


def calibration_verdicts_table(results: StimuliResults) -> str:
    """How well the whole verdict tells good pairs from bad ones."""
    frame = results.verdicts
    columns = (
        Column("Part", _part),
        Column("Good", count("good"), "right"),
        Column("Bad", count("bad"), "right"),
        Column("Bad failed", _share("recall"), "right"),
        Column("for what is wrong", _share("recall_as_meant"), "right"),
        Column("Good failed", _share("false_alarms"), "right"),
    )
    some = frame[frame["part"].isin(["all", "split", "guise"])]
    caption = "Verdicts on the labelled pairs, with 95 % intervals"
    return _table(some, columns, caption, "calibration-verdicts")


def misses_table(results: StimuliResults) -> str:
    """The labelled pairs that were judged wrongly."""
    columns = (
        Column("Pair", words("pair_id")),
        Column("Half", plain_words("split")),
        Column("Fault", plain_words("fault")),
        Column("Outcome", words("outcome")),
        Column("Reason given", words("reason")),
    )
    return _table(results.misses, columns, "Labelled pairs that were judged wrongly", "misses")


STIMULI_TEXTS: dict[str, Callable[[StimuliResults], str]] = {
    "sets": sets_table,
    "guises": guises_table,
    "checks": set_checks_table,
    "exclusions": set_exclusions_table,
    "generated": generated_table,
    "reviews": reviews_table,
    "calibration": calibration_table,
    "calibration-verdicts": calibration_verdicts_table,
    "misses": misses_table,
}
"""Markdown parts of the page, each written as `stimuli/<name>.md`."""


def _table(frame: pd.DataFrame, columns: tuple[Column, ...], caption: str, label: str) -> str:
    if frame.empty:
        return f"*{caption}: there is nothing to show.*\n"
    return pipe_table(rows_of(frame), columns, caption=f"{caption}.", label=f"tbl-stimuli-{label}")


def _by_set(frame: pd.DataFrame, columns: tuple[Column, ...], caption: str, label: str) -> str:
    parts = [
        pipe_table(
            rows_of(part),
            columns,
            caption=f"{caption}: {escape(str(name))}.",
            label=f"tbl-stimuli-{label}-{slug(str(name))}",
        )
        for name, part in frame.groupby("item_set", sort=False)
    ]
    return "\n".join(parts)


def _more(rows: pd.DataFrame) -> str:
    return cite_count(rows.iloc[MOST_LISTED:], f"{INVENTORY}/exclusions.csv", "item_id")


def _valid(row: Record) -> str:
    if row["status"] != "validated":
        return f"not validated: {escape(str(row['reason']))}"
    return str(int(row["valid"]))


def _item_share(row: Record) -> str:
    if row["share"] != row["share"]:
        return not_estimable("no item was asked for")
    low, high = 100 * row["share_low"], 100 * row["share_high"]
    return f"{int(row['chosen'])}: {percent(row['share'])} {interval(low, high, 0)}"


def _meant(row: Record) -> str:
    return str(int(row["failed_meant"] + row["missed"]))


def _part(row: Record) -> str:
    return escape(f"{row['part']}: {row['level']}".replace("_", " "))


def _share(name: str) -> Cell:
    return share(name, f"{name}_low", f"{name}_high", reason=f"{name}_reason")
