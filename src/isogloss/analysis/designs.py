"""The designs that an analysis knows: which tables each has, and how they are computed."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from isogloss.analysis.files import Design
from isogloss.analysis.personas.tables import PERSONA_TABLES, persona_tables
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.tables import TABLES, analysis_tables

Analyse = Callable[
    [pd.DataFrame, pd.DataFrame, pd.DataFrame, AnalysisPlan], dict[str, pd.DataFrame]
]
"""From responses, checks and verdicts to tables."""

_ANALYSES: dict[Design, Analyse] = {"paired": analysis_tables, "personas": persona_tables}
_TABLES: dict[Design, Mapping[str, type[Any]]] = {"paired": TABLES, "personas": PERSONA_TABLES}


def tables_of(design: Design) -> Mapping[str, type[Any]]:
    """Return the tables of a design, and the record that describes the columns of each."""
    return _TABLES[design]


def analyse(
    responses: pd.DataFrame, checks: pd.DataFrame, verdicts: pd.DataFrame, plan: AnalysisPlan
) -> dict[str, pd.DataFrame]:
    """Compute every table of the plan's design; raises what that analysis raises."""
    return _ANALYSES[plan.design](responses, checks, verdicts, plan)
