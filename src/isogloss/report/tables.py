"""Tables of differences between guises."""

from isogloss.analysis.effects import EVERY_ITEM
from isogloss.report.cells import (
    DIFFERENCE,
    count,
    estimate,
    lost,
    number,
    of_items,
    probability,
    signed_or_blank,
    two_counts,
    verdict,
    words,
)
from isogloss.report.layout import Layout, tables_by_item_set
from isogloss.report.markdown import Column
from isogloss.report.numbers import fixed
from isogloss.report.provenance import Record
from isogloss.report.results import Results, main_subset, whole_effects

MODEL = (Column("Model", words("model")), "model")
CONDITION = (Column("Condition", words("condition")), "condition")
MODE = (Column("Mode", words("mode")), "mode")
CONTRAST = (Column("Contrast", words("contrast")), "contrast")
SUBSET = (Column("Subset", words("subset")), "subset")

DIFFERS = Column("Difference", DIFFERENCE, "right")
PAIRS = Column("Pairs", of_items("n_pairs"), "right")
LOST = Column("Lost pairs", lost, "right")
ADJUSTED = Column("*p* (Holm)", probability("p_adjusted"), "right")
VERDICT = Column("Verdict", verdict)
SIZE = Column("*d*~z~", signed_or_blank("d_z", 2), "right")
DETECTABLE = Column("Detectable", number("mde", 3), "right")


def effects_table(results: Results) -> str:
    """Differences between guises on all items."""
    layout = Layout(
        "effects",
        f"Difference in rating with {results.confidence} interval",
        (CONTRAST, MODE, SUBSET, MODEL, CONDITION),
        (
            DIFFERS,
            VERDICT,
            ADJUSTED,
            SIZE,
            PAIRS,
            LOST,
            DETECTABLE,
        ),
        note="Detectable: smallest true difference found with "
        f"{power(results)} power by one test, before correction.",
        empty="No ratings in two guises were recorded.",
    )
    return tables_by_item_set(whole_effects(results), layout, results.study)


def subgroups_table(results: Results) -> str:
    """Differences between guises within each subgroup of items, under the baseline condition."""
    frame = main_subset(results.tables["effects"])
    baseline = frame.loc[frame["condition"] == results.plan.baseline]
    name = results.plan.subgroup
    layout = Layout(
        "subgroups",
        f"Difference in rating by {name} with {results.confidence} interval",
        (CONTRAST, MODE, SUBSET, MODEL, CONDITION),
        (
            Column(name.capitalize(), words("subgroup")),
            DIFFERS,
            VERDICT,
            ADJUSTED,
            PAIRS,
            LOST,
        ),
        empty=f"No item has a {name}.",
    )
    return tables_by_item_set(
        baseline.loc[baseline["subgroup"] != EVERY_ITEM], layout, results.study
    )


def paper_table(results: Results) -> str:
    """The published analysis' test, with the paired estimate beside it."""
    layout = Layout(
        "paper",
        "The paper's test (Welch's *t* on mean ratings of interviews) beside the paired estimate",
        (CONTRAST, MODE, MODEL, CONDITION),
        (
            Column("Interviews", _interviews, "right"),
            Column("Unpaired difference", DIFFERENCE, "right"),
            Column("*t* (df)", _t, "right"),
            Column("*p*", probability("p_value"), "right"),
            Column(
                "Paired difference",
                estimate("paired_estimate", "paired_low", "paired_high"),
                "right",
            ),
            Column("Paired *p*", probability("paired_p"), "right"),
        ),
        note="Neither *p* is adjusted, as in the published analysis.",
        empty="No interviews were recorded.",
    )
    return tables_by_item_set(results.tables["paper_test"], layout, results.study)


def mitigation_table(results: Results) -> str:
    """What other conditions leave of the gap."""
    layout = Layout(
        "mitigation",
        f"Gap under each condition against the {results.plan.baseline} condition",
        (CONTRAST, MODE, SUBSET, MODEL, CONDITION),
        (
            Column("Baseline gap", number("gap_baseline", 3), "right"),
            Column("Gap", number("gap", 3), "right"),
            Column("Change", estimate("change", "change_low", "change_high"), "right"),
            ADJUSTED,
            Column(
                "Reduction in %",
                estimate(
                    "reduction",
                    "reduction_low",
                    "reduction_high",
                    reason="reduction_reason",
                    decimals=1,
                ),
                "right",
            ),
            PAIRS,
            Column("Lost pairs", count("n_lost"), "right"),
        ),
        note=f"Brackets: {results.confidence} intervals. A reduction needs a baseline gap that "
        "differs from 0.",
        empty="No condition besides the baseline was run.",
    )
    return tables_by_item_set(results.tables["mitigation"], layout, results.study)


def power(results: Results) -> str:
    """Power at which a detectable difference is stated, as Markdown with its place."""
    return results.of_plan(f"{100 * results.plan.power:.6g} %", "power")


def _interviews(row: Record) -> str:
    missing = int(row["n_missing"])
    text = two_counts("n_guise", "n_reference")(row)
    return f"{text}, {missing} without rating" if missing else text


def _t(row: Record) -> str:
    return "" if row["t"] != row["t"] else f"{fixed(row['t'], 3)} ({fixed(row['df'], 1)})"
