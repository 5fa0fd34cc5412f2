"""The stage glmm: response tables in, tables of mixed models out."""

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from isogloss.analysis.pairs import check_values
from isogloss.analysis.personas.blocks import check_persona_rows
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.tables import write_tables
from isogloss.errors import ResponseError
from isogloss.mixed.model import MixedModel
from isogloss.mixed.tables import mixed_tables
from isogloss.score.responses import read_responses


def run_mixed(
    responses: Sequence[Path], plan: AnalysisPlan, models: Sequence[MixedModel], results: Path
) -> list[Path]:
    """Read responses, fit the mixed models of a study and write their tables.

    A study without mixed models gets tables without rows. Raises `ResponseError` when there is no
    response file, and what reading responses and fitting raises.
    """
    if not responses:
        raise ResponseError("no response table was given; score at least one model first")
    rows = pd.concat([read_responses(path) for path in responses], ignore_index=True)
    check = check_values if plan.personas is None else check_persona_rows
    check(rows, plan)
    return write_tables(mixed_tables(rows, plan, models), results)


def describe_fits(fits: pd.DataFrame) -> list[str]:
    """Say in one line for each fit what it was fitted to and how it ended.

    `fits` is the table `mixed_fits.csv`.
    """
    return [
        f"{row['fit']} on {_about(row)}: {row['formula']} (n = {row['n']}): {row['status']}"
        + (f" ({row['reason']})" if row["reason"] else "")
        for row in fits.to_dict("records")
    ]


def _about(row: Mapping[Hashable, Any]) -> str:
    family = row["persona_family"]
    own = [row["task"], family] if family else []
    return ", ".join([row["item_set"], row["mode"], *own, row["subset"]])
