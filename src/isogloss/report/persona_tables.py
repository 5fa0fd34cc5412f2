"""Tables of differences between guises by persona, and between personas."""

import pandas as pd

from isogloss.analysis.records import in_order
from isogloss.report.cells import (
    lost,
    number_or_blank,
    plain_words,
    signed_or_blank,
    two_counts,
    words,
)
from isogloss.report.layout import Layout, tables_by_item_set
from isogloss.report.markdown import Column, escape
from isogloss.report.numbers import fixed, signed
from isogloss.report.persona_results import at_baseline, in_whole_modes, without_crossed
from isogloss.report.provenance import Record
from isogloss.report.results import Results
from isogloss.report.tables import (
    ADJUSTED,
    CONDITION,
    CONTRAST,
    DIFFERS,
    MODE,
    MODEL,
    SUBSET,
    VERDICT,
    power,
)

NO_BREAK_SPACE = "\u00a0"


def role(row: Record) -> str:
    """Name of a role, in one piece."""
    return escape(str(row["role"]).replace("_", NO_BREAK_SPACE))


ROLE = (Column("Role", role), "role")
PERSONA = (Column("Persona", words("persona")), "persona")
FAMILY = (Column("Family", plain_words("persona_family")), "persona_family")
GUISE = (Column("Guise", words("guise")), "guise")
PAIRING = (Column("Items are", words("pairing")), "pairing")
MEASURE = (Column("Measure", words("measure")), "measure")
STANDARDISER = (Column("*d*", words("d_kind")), "d_kind")
REFERENCE = (Column("Reference", words("reference")), "reference")
BASELINE = (Column("Against", words("baseline")), "baseline")


def compared(row: Record) -> str:
    """How many items were compared, and how many scores where an item gave several."""
    n, items = int(row["n"]), int(row["n_items"])
    if row["pairing"] == "unpaired":
        sides = two_counts("n_items_guise", "n_items_reference")(row)
        return sides if n == items else f"{sides} ({n} scores)"
    return str(n) if n == items else f"{n} ({items} items)"


def left_out(row: Record) -> str:
    """What has no value by what became of it, and what was never asked for."""
    unasked = int(row["n_unpaired"])
    text = lost(row)
    if not unasked:
        return text
    return f"{unasked} not asked" if text == "0" else f"{text}, {unasked} not asked"


def two_means(first: str, second: str) -> Column:
    """Column of the two means whose difference is the estimate."""

    def cell(row: Record) -> str:
        if row[first] != row[first]:
            return ""
        return f"{fixed(row[first])} and {fixed(row[second])}"

    return Column("Means", cell, "right")


def two_gaps(row: Record) -> str:
    """The two gaps whose difference is the estimate."""
    if row["gap_persona"] != row["gap_persona"]:
        return ""
    return f"{signed(row['gap_persona'])} and {signed(row['gap_baseline'])}"


COMPARED = Column("Items", compared, "right")
LEFT_OUT = Column("Left out", left_out, "right")
SIZE = Column("*d*", signed_or_blank("d", 2), "right")
SMALLEST = Column("Detectable", number_or_blank("mde"), "right")
_TESTED = (DIFFERS, VERDICT, ADJUSTED, SIZE, COMPARED, LEFT_OUT, SMALLEST)
_SCOPE = (MODE, SUBSET, MEASURE, PAIRING)


def language_table(results: Results) -> str:
    """Differences between guises for every persona, under the baseline condition."""
    layout = Layout(
        "effects",
        f"Difference in score between guises by persona, with {results.confidence} interval",
        (CONTRAST, CONDITION, *_SCOPE, STANDARDISER, MODEL, ROLE, FAMILY, PERSONA),
        (two_means("mean_guise", "mean_reference"), *_TESTED),
        note="Means: of the guise and of the reference. Detectable: smallest true difference "
        f"found with {power(results)} power by one test, before correction.",
        empty="No scores in two guises were recorded.",
    )
    frame = in_whole_modes(results.tables["language_effects"], results)
    return tables_by_item_set(at_baseline(frame, results), layout, results.study)


def conditions_table(results: Results) -> str:
    """Differences between guises under every condition, where there is more than one."""
    layout = Layout(
        "conditions",
        f"Difference in score between guises by condition, with {results.confidence} interval",
        (CONTRAST, MODE, SUBSET, PAIRING, MODEL, ROLE, PERSONA, CONDITION),
        (
            two_means("mean_guise", "mean_reference"),
            DIFFERS,
            VERDICT,
            ADJUSTED,
            COMPARED,
            LEFT_OUT,
        ),
        note="Means: of the guise and of the reference.",
        empty="No condition besides the baseline was run.",
    )
    frame = without_crossed(in_whole_modes(results.tables["language_effects"], results), results)
    several = frame.loc[frame["condition"] != results.plan.baseline, "item_set"]
    kept = frame.loc[frame["item_set"].isin(several)]
    ordered = _sorted(kept, [*_PLACE, "persona", "condition"])
    return tables_by_item_set(ordered, layout, results.study)


def persona_gaps_table(results: Results) -> str:
    """Differences between personas within a guise."""
    layout = Layout(
        "gaps",
        "Difference in score between personas within a guise, persona minus reference, with "
        f"{results.confidence} interval",
        (
            MODE,
            SUBSET,
            MEASURE,
            STANDARDISER,
            MODEL,
            ROLE,
            CONDITION,
            GUISE,
            FAMILY,
            PERSONA,
            REFERENCE,
        ),
        (two_means("mean_persona", "mean_reference"), *_TESTED),
        note="Means: of the persona and of the reference.",
        empty="No family of personas with its reference was asked about.",
    )
    frame = in_whole_modes(results.tables["persona_gaps"], results)
    return tables_by_item_set(frame, layout, results.study)


def increments_table(results: Results) -> str:
    """How much more a contrast moves the scores of a persona than those of a baseline persona."""
    layout = Layout(
        "increments",
        "Difference in differences: how much more the guise moves the scores of a persona than "
        f"those of a baseline persona, with {results.confidence} interval",
        (CONTRAST, *_SCOPE, MODEL, ROLE, CONDITION, BASELINE, FAMILY, PERSONA),
        (
            Column("Gaps", two_gaps, "right"),
            DIFFERS,
            VERDICT,
            ADJUSTED,
            COMPARED,
            LEFT_OUT,
            SMALLEST,
        ),
        note="Gaps: guise minus reference, of the persona and of the baseline persona.",
        empty="No baseline persona was asked about.",
    )
    frame = in_whole_modes(results.tables["increments"], results)
    ordered = _sorted(frame, [*_PLACE, "condition", "baseline_kind"])
    return tables_by_item_set(ordered, layout, results.study)


_PLACE = ["item_set", "mode", "subset", "contrast", "model", "role"]


def _sorted(frame: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Sort by some columns, their values in the order in which the table lists them first."""
    return in_order(frame, {name: tuple(dict.fromkeys(frame[name])) for name in columns})
