"""Tables of the published analysis' own tests, and of the interaction of two attributes."""

from isogloss.report.cells import (
    DIFFERENCE,
    count,
    estimate,
    lost,
    number,
    number_or_blank,
    plain_words,
    probability,
    two_counts,
    words,
)
from isogloss.report.layout import Layout, tables_by_item_set
from isogloss.report.markdown import Column
from isogloss.report.numbers import fixed, not_estimable, p_value, with_interval
from isogloss.report.persona_results import at_baseline, in_whole_modes
from isogloss.report.persona_tables import (
    FAMILY,
    GUISE,
    MEASURE,
    PERSONA,
    REFERENCE,
    ROLE,
    compared,
    left_out,
    two_means,
)
from isogloss.report.provenance import Record
from isogloss.report.results import Results
from isogloss.report.tables import ADJUSTED, CONDITION, CONTRAST, MODE, MODEL

ANALYSIS = (Column("Analysis", plain_words("analysis")), "analysis")
DIFFERENCE_OF = (Column("Difference", words("difference")), "difference")
GROUPS = (Column("Groups", count("n_groups"), "right"), "n_groups")
TEST = (Column("Test", words("test")), "test")
_OF_PAPER = (MODE, CONDITION, MEASURE, ANALYSIS, MODEL, ROLE, FAMILY)


def paper_language_table(results: Results) -> str:
    """The paper's tests between guises, for every persona under the baseline condition."""
    return _paper_table(
        results,
        "language",
        "The paper’s test between guises: Mann-Whitney *U* on responses as if independent",
        (CONTRAST, PERSONA),
    )


def paper_personas_table(results: Results) -> str:
    """The paper's tests between personas, within every guise under the baseline condition."""
    return _paper_table(
        results,
        "persona",
        "The paper’s test between personas: Mann-Whitney *U* on responses as if independent",
        (GUISE, PERSONA, REFERENCE),
    )


def _paper_table(
    results: Results, comparison: str, caption: str, keys: tuple[tuple[Column, str], ...]
) -> str:
    layout = Layout(
        f"paper {comparison}",
        caption,
        (*_OF_PAPER, *keys),
        (
            Column("Scores", two_counts("n1", "n2"), "right"),
            Column("Means", two_means("mean1", "mean2").cell, "right"),
            Column("Difference", _plain_difference, "right"),
            Column("*U*", number_or_blank("u", 1), "right"),
            Column("*r*", estimate("r", "low", "high", decimals=2), "right"),
            Column("*p*", probability("p_value"), "right"),
            Column("*p* (Bonferroni)", probability("p_bonferroni"), "right"),
            Column("Missing", lost, "right"),
        ),
        note="Scores and means: of the first and of the second group. *U* counts the pairs of "
        "responses in which that of the second group is higher, and "
        f"*r* = 1 − 2*U*/(*n*~1~*n*~2~) has a {results.confidence} interval; a positive *r* means "
        "that the first group is rated higher.",
        empty="No two groups of scores were recorded.",
    )
    frame = in_whole_modes(at_baseline(results.tables["paper_tests"], results), results)
    kept = frame.loc[frame["comparison"] == comparison]
    return tables_by_item_set(kept, layout, results.study)


def interaction_table(results: Results) -> str:
    """Tests that the difference between two personas is the same in all groups."""
    layout = Layout(
        "interaction",
        "Tests that the difference between two personas is the same in all groups",
        (MODE, CONDITION, FAMILY, DIFFERENCE_OF, GROUPS, MODEL, ROLE, GUISE, TEST),
        (
            Column("Statistic (df)", _statistic, "right"),
            Column("*p*", probability("p_value"), "right"),
            ADJUSTED,
            Column("*n*", count("n"), "right"),
            Column("Left out", left_out, "right"),
        ),
        note="Kruskal-Wallis is the paper’s test and takes the differences for independent; "
        "Friedman’s knows that all groups share the items. *n*: differences of all groups, for "
        "Friedman’s items that have one in every group.",
        empty="No personas with two attributes were asked about.",
    )
    frame = in_whole_modes(results.tables["interaction"], results)
    return tables_by_item_set(frame, layout, results.study)


def interaction_means_table(results: Results) -> str:
    """The difference between two personas within each group."""
    layout = Layout(
        "interaction means",
        f"Difference between two personas within each group, with {results.confidence} interval",
        (MODE, CONDITION, FAMILY, DIFFERENCE_OF, MODEL, ROLE, GUISE),
        (
            Column("Group", words("outer")),
            two_means("mean_first", "mean_second"),
            Column("Difference", DIFFERENCE, "right"),
            Column("*p*", _probability, "right"),
            Column("Items", compared, "right"),
            Column("Left out", left_out, "right"),
        ),
        note="These *p* are not corrected; the question is about all groups together.",
        empty="No personas with two attributes were asked about.",
    )
    frame = in_whole_modes(results.tables["interaction_means"], results)
    paired = frame.assign(pairing="paired")
    return tables_by_item_set(paired, layout, results.study)


def _plain_difference(row: Record) -> str:
    return with_interval(row["difference"], float("nan"), float("nan"), str(row["reason"]))


def _probability(row: Record) -> str:
    if row["p_value"] != row["p_value"]:
        return not_estimable(str(row["reason"]))
    return p_value(row["p_value"])


def _statistic(row: Record) -> str:
    if row["statistic"] != row["statistic"]:
        return number("statistic", 3)(row)
    return f"{fixed(row['statistic'], 3)} ({fixed(row['df'], 0)})"
