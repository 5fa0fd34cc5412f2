"""All result tables of a study."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from isogloss.analysis.decision_tests import DecisionTestRow, decision_tests
from isogloss.analysis.decisions import DecisionRow, decisions
from isogloss.analysis.effects import EffectRow, effects
from isogloss.analysis.exclusions import (
    ExclusionRow,
    ValidationRow,
    exclusions,
    validation_summary,
)
from isogloss.analysis.means import DistributionRow, MeanRow, distributions, means
from isogloss.analysis.missing import MissingRow, MissingTestRow, missing, missing_tests
from isogloss.analysis.mitigation import MitigationRow, mitigation
from isogloss.analysis.pairs import check_values
from isogloss.analysis.paper import PaperRow, paper_test
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import types_of
from isogloss.errors import ReportError

TABLES: dict[str, type[Any]] = {
    "effects": EffectRow,
    "paper_test": PaperRow,
    "means": MeanRow,
    "distributions": DistributionRow,
    "decisions": DecisionRow,
    "decision_tests": DecisionTestRow,
    "mitigation": MitigationRow,
    "missing": MissingRow,
    "missing_tests": MissingTestRow,
    "exclusions": ExclusionRow,
    "validation_summary": ValidationRow,
}
"""The tables, each written as `<name>.csv`, and the record that describes its columns."""


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


def read_tables(folder: Path, tables: Mapping[str, type[Any]] = TABLES) -> dict[str, pd.DataFrame]:
    """Read what `write_tables` wrote; a cell of text without content is the empty text.

    Raises `ReportError` naming the file that is missing or not such a table.
    """
    return {name: _read(folder / f"{name}.csv", kind) for name, kind in tables.items()}


def _read(path: Path, kind: type[Any]) -> pd.DataFrame:
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
        return pd.DataFrame(
            {name: _column(frame[name], hint) for name, hint in types_of(kind).items()}
        )
    except (OSError, KeyError, ValueError) as error:
        raise ReportError(
            f"{path}: not a result table; run the analysis again ({error})"
        ) from error


def _column(cells: "pd.Series[str]", hint: type[Any]) -> "pd.Series[Any]":
    if hint is float:
        return pd.Series([float(cell or "nan") for cell in cells], dtype="float64")
    if hint is int:
        return pd.Series([int(cell) for cell in cells], dtype="int64")
    return cells
