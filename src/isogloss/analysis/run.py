"""The analysis stage: files of responses and validation in, result tables out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from isogloss.analysis.designs import analyse
from isogloss.analysis.files import PLAN
from isogloss.analysis.plan import AnalysisPlan, write_plan
from isogloss.analysis.tables import write_tables
from isogloss.errors import ResponseError
from isogloss.score.responses import read_responses
from isogloss.validate.table import read_checks, read_verdicts


@dataclass(frozen=True)
class Validation:
    """Where the validation tables of one item set are."""

    checks: Path
    verdicts: Path


def run_analysis(
    responses: Sequence[Path],
    validations: Mapping[str, Validation],
    plan: AnalysisPlan,
    results: Path,
) -> list[Path]:
    """Read responses and the validation of each item set, and write every table and the plan.

    Raises `ResponseError` when there is no response file or an item set of the responses was not
    validated, and what reading responses, checks and verdicts raises.
    """
    if not responses:
        raise ResponseError("no response table was given; score at least one model first")
    rows = pd.concat([read_responses(path) for path in responses], ignore_index=True)
    unknown = sorted(set(rows["item_set"]) - set(validations))
    if unknown:
        raise ResponseError(f"item set {unknown[0]!r} has responses but no validation; validate it")
    checks = _stacked({name: read_checks(v.checks) for name, v in validations.items()})
    verdicts = _stacked({name: read_verdicts(v.verdicts) for name, v in validations.items()})
    paths = write_tables(analyse(rows, checks, verdicts, plan), results)
    write_plan(plan, results / PLAN)
    return [*paths, results / PLAN]


def _stacked(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    parts = [table.assign(item_set=name) for name, table in sorted(tables.items())]
    return pd.concat(parts, ignore_index=True)
