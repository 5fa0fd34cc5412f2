"""Names of the files that an analysis writes."""

from typing import Literal

Design = Literal["paired", "personas"]
"""`paired` compares guises of the same item; `personas` does so for several personas."""

TABLE_NAMES: dict[Design, tuple[str, ...]] = {
    "paired": (
        "effects",
        "paper_test",
        "means",
        "distributions",
        "decisions",
        "decision_tests",
        "mitigation",
        "missing",
        "missing_tests",
        "exclusions",
        "validation_summary",
    ),
    "personas": (
        "means",
        "distributions",
        "language_effects",
        "persona_gaps",
        "increments",
        "paper_tests",
        "interaction",
        "interaction_means",
        "missing",
        "missing_tests",
        "exclusions",
        "validation_summary",
    ),
}
"""The result tables of each design, in order; `designs.tables_of` says what is in each."""

PLAN = "plan.json"
"""The plan that the tables follow, beside them."""


def result_files(design: Design) -> tuple[str, ...]:
    """Return the names of all files that the analysis of a design writes."""
    return (*(f"{name}.csv" for name in TABLE_NAMES[design]), PLAN)
