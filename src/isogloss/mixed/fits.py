"""Fitting the mixed models that a study declares to its response table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import pandas as pd

from isogloss.analysis.means import guise_order
from isogloss.analysis.pairs import Subset
from isogloss.analysis.plan import AnalysisPlan
from isogloss.errors import ResponseError
from isogloss.mixed.model import MixedModel
from isogloss.mixed.records import Block
from isogloss.stats.glmm import GlmmFit, fit_glmm

FACTORS = ("guise", "model")


@dataclass(frozen=True, eq=False)
class Fitted:
    """A mixed model, the ratings that it was fitted to, and the fit."""

    block: Block
    model: MixedModel
    rows: pd.DataFrame
    """Responses of the block, those without a value included."""
    data: pd.DataFrame
    """Columns `rating, guise, model, item` of the responses with the outcome `ok`."""
    fit: GlmmFit

    @property
    def rated(self) -> pd.DataFrame:
        """Rows of `data` that have a rating; levels are those that occur in them."""
        return _rated(self.data)

    @property
    def several(self) -> bool:
        """Whether the formula tells models apart."""
        return _several(self.data)


def fit_models(
    rows: pd.DataFrame, plan: AnalysisPlan, models: Sequence[MixedModel]
) -> Iterator[Fitted]:
    """Fit every mixed model to the baseline ratings of each item set, mode and subset.

    The subset `validated` exists where a wording failed validation. Questions in one guise only
    have nothing to compare and give no fit, nor do those without any rating. Raises
    `ResponseError` where an answer is no number, and `StatisticsError` for a formula that cannot be
    read.
    """
    chosen = rows.loc[(rows["task"] == plan.rating_task) & (rows["condition"] == plan.baseline)]
    for key, part in chosen.groupby(["study", "item_set", "mode"], sort=True):
        study, item_set, mode = cast(tuple[str, str, str], key)
        for subset, ratings in _subsets(part):
            for model in models:
                if mode not in model.modes:
                    continue
                data = _data(ratings, model, plan)
                if ratings["guise"].nunique() > 1 and data["rating"].notna().any():
                    block = Block(study, item_set, plan.baseline, mode, subset, model.name)
                    yield Fitted(block, model, ratings, data, _fit(data, model))


def _subsets(rows: pd.DataFrame) -> list[tuple[Subset, pd.DataFrame]]:
    valid = rows["valid_pair"].astype(bool)
    narrowed: list[tuple[Subset, pd.DataFrame]] = [("validated", rows.loc[valid])]
    return [("all", rows), *([] if valid.all() else narrowed)]


def _data(rows: pd.DataFrame, model: MixedModel, plan: AnalysisPlan) -> pd.DataFrame:
    rated = rows.loc[rows["outcome"] == "ok"]
    orders = {"guise": guise_order(plan)["guise"], "model": ()}
    factors = {name: _factor(rated[name], orders[name]) for name in FACTORS}
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
    return fit_glmm(formula, data, family=model.family, reml=model.reml)


def _rated(data: pd.DataFrame) -> pd.DataFrame:
    rated = data.dropna(subset=["rating"])
    return rated.assign(**{name: rated[name].cat.remove_unused_categories() for name in FACTORS})


def _several(data: pd.DataFrame) -> bool:
    return bool(data["model"][data["rating"].notna()].nunique() > 1)
