"""All result tables of a study."""

from pathlib import Path

import pandas as pd

from isogloss.analysis.decision_tests import decision_tests
from isogloss.analysis.decisions import decisions
from isogloss.analysis.effects import effects
from isogloss.analysis.exclusions import exclusions, validation_summary
from isogloss.analysis.means import distributions, means
from isogloss.analysis.missing import missing, missing_tests
from isogloss.analysis.mitigation import mitigation
from isogloss.analysis.pairs import check_values
from isogloss.analysis.paper import paper_test
from isogloss.analysis.plan import AnalysisPlan

TABLES = (
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
)
"""Names of the tables; each is written as `<name>.csv`."""


def analysis_tables(
    responses: pd.DataFrame, checks: pd.DataFrame, verdicts: pd.DataFrame, plan: AnalysisPlan
) -> dict[str, pd.DataFrame]:
    """Compute every table in `TABLES` from responses and from what validation found.

    `checks` and `verdicts` have a column `item_set`. Raises `ResponseError` when a response says
    `ok` without a value or a decision is unknown.
    """
    check_values(responses, plan)
    effect = effects(responses, plan)
    return {
        "effects": effect,
        "paper_test": paper_test(responses, effect, plan),
        "means": means(responses, plan),
        "distributions": distributions(responses, plan),
        "decisions": decisions(responses, plan),
        "decision_tests": decision_tests(responses, plan),
        "mitigation": mitigation(responses, plan),
        "missing": missing(responses, plan),
        "missing_tests": missing_tests(responses, plan),
        "exclusions": exclusions(checks, verdicts),
        "validation_summary": validation_summary(checks, verdicts),
    }


def write_tables(tables: dict[str, pd.DataFrame], folder: Path) -> list[Path]:
    """Write each table as UTF-8 CSV; floats in the shortest form that reads back exactly."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.csv" for name in tables]
    for path, table in zip(paths, tables.values(), strict=True):
        table.to_csv(path, index=False, encoding="utf-8", lineterminator="\n")
    return paths
