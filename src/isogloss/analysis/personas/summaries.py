"""Means, distributions and missing values of each persona in each guise."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from isogloss.analysis.means import Mean, Share, distributions, guise_order, means
from isogloss.analysis.missing import Lost, missing
from isogloss.analysis.personas.blocks import BLOCK, groups
from isogloss.analysis.personas.records import ALL_MODELS, PersonaCell, persona_design, row_order
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import columns_of, in_order


@dataclass(frozen=True)
class PersonaMeanRow:
    """One row of `means.csv`: the mean score of one persona in one guise."""

    cell: PersonaCell
    persona: str
    guise: str
    mean: Mean


@dataclass(frozen=True)
class PersonaDistributionRow:
    """One row of `distributions.csv`: the share of one value of the scale."""

    cell: PersonaCell
    persona: str
    guise: str
    share: Share


@dataclass(frozen=True)
class PersonaMissingRow:
    """One row of `missing.csv`: what became of the responses about one persona in one guise."""

    cell: PersonaCell
    persona: str
    guise: str
    lost: Lost


def persona_means(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Mean score per cell, persona and guise, with an interval that knows that items repeat."""
    return _by_persona(means, PersonaMeanRow, rows, plan)


def persona_distributions(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Share of each value of the scale per cell, persona and guise.

    The mean of the answer distributions where every response has one, else the share of the scores
    given.
    """
    return _by_persona(distributions, PersonaDistributionRow, rows, plan)


def persona_missing(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Count outcomes per cell, persona and guise, and describe the answer mass."""
    return _by_persona(missing, PersonaMissingRow, rows, plan)


def _by_persona(
    summary: Callable[[pd.DataFrame, AnalysisPlan], pd.DataFrame],
    kind: type[Any],
    rows: pd.DataFrame,
    plan: AnalysisPlan,
) -> pd.DataFrame:
    """Apply a summary by guise to the responses of one role about one persona at a time."""
    design = persona_design(plan)
    parts = [
        # A role is to these tables what the rating task is to a study without personas.
        summary(part.assign(task=plan.rating_task), plan).assign(
            role=str(role), persona=str(persona)
        )
        for (role, persona), of_persona in rows.groupby(["task", "persona"], sort=True)
        for part in _models_and_all(of_persona, rows)
    ]
    frame = pd.concat(parts, ignore_index=True)[columns_of(kind)] if parts else _empty(kind)
    order = {
        **row_order(plan),
        "persona": tuple(p for group in groups(design) for p in group.personas),
        "guise": guise_order(plan)["guise"],
    }
    return in_order(frame, order)


def _models_and_all(part: pd.DataFrame, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    yield part
    models = rows.groupby(BLOCK)["model"].nunique()
    several = models.loc[models > 1].index
    pooled = part.loc[pd.MultiIndex.from_frame(part[BLOCK]).isin(several)]
    if len(pooled):
        yield pooled.assign(model=ALL_MODELS)


def _empty(kind: type[Any]) -> pd.DataFrame:
    return pd.DataFrame(columns=columns_of(kind))
