"""Which responses one mixed model is fitted to."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import pandas as pd

from isogloss.analysis.pairs import Subset
from isogloss.analysis.plan import AnalysisPlan
from isogloss.mixed.personas import PersonaSet, persona_sets


@dataclass(frozen=True, eq=False)
class Asked:
    """Responses to one item set under the baseline condition, of one task, family and subset."""

    study: str
    item_set: str
    mode: str
    task: str
    subset: Subset
    personas: PersonaSet | None
    """None in a study without personas."""
    rows: pd.DataFrame


def asked_of(rows: pd.DataFrame, plan: AnalysisPlan) -> Iterator[Asked]:
    """Split responses into what each mixed model is fitted to.

    The subset `validated` exists where a wording failed validation. A family of personas exists
    where one of them occurs. Its responses are about its personas and the one of whom nothing is
    said; responses about other personas are never among them.
    """
    chosen = rows.loc[rows["task"].isin(plan.rated_tasks) & (rows["condition"] == plan.baseline)]
    for key, part in chosen.groupby(["study", "item_set", "mode"], sort=True):
        study, item_set, mode = cast(tuple[str, str, str], key)
        for task in plan.rated_tasks:
            for subset, ratings in _subsets(part.loc[part["task"] == task]):
                for personas, own in _families(ratings, plan):
                    yield Asked(study, item_set, mode, task, subset, personas, own)


def _subsets(rows: pd.DataFrame) -> list[tuple[Subset, pd.DataFrame]]:
    valid = rows["valid_pair"].astype(bool)
    narrowed: list[tuple[Subset, pd.DataFrame]] = [("validated", rows.loc[valid])]
    return [("all", rows), *([] if valid.all() else narrowed)]


def _families(
    rows: pd.DataFrame, plan: AnalysisPlan
) -> Iterator[tuple[PersonaSet | None, pd.DataFrame]]:
    if plan.personas is None:
        yield None, rows
        return
    for personas in persona_sets(plan.personas):
        if rows["persona"].isin(personas.own).any():
            yield personas, rows.loc[rows["persona"].isin(personas.levels)]
