"""Fitting the mixed models that a study declares to its response table."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from isogloss.analysis.means import guise_order
from isogloss.analysis.plan import AnalysisPlan
from isogloss.errors import ConfigurationError, ResponseError
from isogloss.mixed.blocks import Asked, asked_of
from isogloss.mixed.model import MixedModel
from isogloss.mixed.personas import PersonaSet
from isogloss.mixed.records import Block
from isogloss.stats.glmm import GlmmFit, fit_glmm

WORDINGS, ITEMS = "(1 | item/guise)", "(1 | item)"
"""Random intercepts of items and their wordings, and of items only."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A mixed model, the ratings that it was fitted to, and the fit."""

    block: Block
    model: MixedModel
    rows: pd.DataFrame
    """Responses of the block, those without a value included."""
    data: pd.DataFrame
    """Columns `rating, guise, model, item`, and `persona` where means are given by persona.

    Of the responses with the outcome `ok`, without the personas that were left out.
    """
    fit: GlmmFit
    personas: PersonaSet | None = None
    """Personas that the fit is about, where means are given by persona."""
    left_out: Mapping[str, str] | None = None
    """Why a persona with ratings is not in the fit, by its name."""

    @cached_property
    def rated(self) -> pd.DataFrame:
        """Rows of `data` that have a rating; levels are those that occur in them."""
        return _rated(self.data)

    @property
    def several(self) -> bool:
        """Whether several models gave ratings."""
        return _several(self.data)

    @property
    def wordings_vary(self) -> bool:
        """Whether the ratings would tell how far the effect of a guise varies between items."""
        return _wordings_vary(self.rated)

    @property
    def factors(self) -> tuple[str, ...]:
        """Factors of the fixed part that have a reference level."""
        if self.model.by == "persona":
            return ("guise", "persona")
        return ("guise", "model") if self.several else ("guise",)


def fit_models(
    rows: pd.DataFrame, plan: AnalysisPlan, models: Sequence[MixedModel]
) -> Iterator[Fitted]:
    """Fit every mixed model to the baseline ratings of each item set, mode and subset.

    In a study with personas also to those of each role and family of personas. The subset
    `validated` exists where a wording failed validation. Questions in one guise only have nothing
    to compare and give no fit, nor do those without any rating. A persona without a rating in one
    of the guises is left out, so that the others keep their estimates.

    Raises `ResponseError` where an answer is no number, `StatisticsError` for a formula that cannot
    be read, and `ConfigurationError` where a model's `by` does not suit the study.
    """
    _check_by(plan, models)
    for asked in asked_of(rows, plan):
        for model in models:
            if asked.mode not in model.modes:
                continue
            data = _data(asked, model, plan)
            if asked.rows["guise"].nunique() > 1 and data["rating"].notna().any():
                yield _fitted(asked, model, data, plan)


def _check_by(plan: AnalysisPlan, models: Sequence[MixedModel]) -> None:
    wanted = "model" if plan.personas is None else "persona"
    for model in models:
        if model.by != wanted:
            having = "has no personas" if plan.personas is None else "has personas"
            raise ConfigurationError(
                f"mixed model {model.name}: by is {model.by!r} in a study that {having}; "
                f"use {wanted!r}"
            )


def _fitted(asked: Asked, model: MixedModel, data: pd.DataFrame, plan: AnalysisPlan) -> Fitted:
    left_out = {} if asked.personas is None else _incomplete(data)
    if left_out:
        data = _without(data, left_out)
    block = Block(
        study=asked.study,
        item_set=asked.item_set,
        condition=plan.baseline,
        mode=asked.mode,
        task=asked.task,
        persona_family="" if asked.personas is None else asked.personas.name,
        subset=asked.subset,
        fit=model.name,
    )
    return Fitted(block, model, asked.rows, data, _fit(data, model), asked.personas, left_out)


def _incomplete(data: pd.DataFrame) -> dict[str, str]:
    """Say of each persona with ratings in some guises only which it lacks; of none if all do.

    Its interaction with the guise has no estimate, and a fit that asks for one has none at all.
    """
    rated = _rated(data)
    counts = pd.crosstab(rated["persona"], rated["guise"])
    found = {
        str(persona): f"no rating in the guise {row.index[row == 0][0]}"
        for persona, row in counts.iterrows()
        if (row == 0).any()
    }
    return found if len(found) < len(counts) else {}


def _without(data: pd.DataFrame, personas: Collection[str]) -> pd.DataFrame:
    kept = data.loc[~data["persona"].isin(personas)].reset_index(drop=True)
    return kept.assign(persona=kept["persona"].cat.remove_unused_categories())


def _data(asked: Asked, model: MixedModel, plan: AnalysisPlan) -> pd.DataFrame:
    rated = asked.rows.loc[asked.rows["outcome"] == "ok"]
    orders = {"guise": guise_order(plan)["guise"], "model": ()}
    if asked.personas is not None:
        orders["persona"] = asked.personas.levels
    factors = {name: _factor(rated[name], order) for name, order in orders.items()}
    return pd.DataFrame(
        {"rating": _numbers(rated, model), **factors, "item": rated["item_id"]}
    ).reset_index(drop=True)


def _factor(column: "pd.Series[str]", order: tuple[str, ...]) -> "pd.Series[Any]":
    """Make a factor whose first level is the reference; names outside the order follow it."""
    present = set(column)
    first = [name for name in order if name in present]
    levels = [*first, *sorted(present - set(first))]
    return column.astype(pd.CategoricalDtype(levels))


def _numbers(rated: pd.DataFrame, model: MixedModel) -> "pd.Series[Any]":
    try:
        numbers = pd.to_numeric(rated[model.value])
    except (ValueError, TypeError) as error:
        raise ResponseError(
            f"mixed model {model.name}: a rating in the column {model.value!r} is no number "
            f"({error}); only numeric answers can be modelled"
        ) from error
    whole = numbers.dropna()
    if model.family == "ordinal" and (whole % 1 == 0).all():
        return numbers.astype("Int64") if numbers.isna().any() else numbers.astype("int64")
    return numbers.astype("float64")


def _fit(data: pd.DataFrame, model: MixedModel) -> GlmmFit:
    formula = model.several if _several(data) else model.single
    if not _wordings_vary(_rated(data)):
        formula = formula.replace(WORDINGS, ITEMS)
    return fit_glmm(formula, data, family=model.family, reml=model.reml)


def _wordings_vary(rated: pd.DataFrame) -> bool:
    """Whether ratings tell the wordings of an item apart from the item, and from one another."""
    ratings = rated.groupby(["item", "guise"], observed=True).size()
    return bool((ratings > 1).any() and ratings.index.get_level_values("item").has_duplicates)


def _rated(data: pd.DataFrame) -> pd.DataFrame:
    rated = data.dropna(subset=["rating"])
    factors = rated.columns[rated.dtypes == "category"]
    return rated.assign(**{name: rated[name].cat.remove_unused_categories() for name in factors})


def _several(data: pd.DataFrame) -> bool:
    return bool(data["model"][data["rating"].notna()].nunique() > 1)
