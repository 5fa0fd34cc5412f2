"""The scales on which margins of a fit are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import check_level
from isogloss.stats.glmm.delta import Range, Smooth, category_scores, predictor, response_mean
from isogloss.stats.results import Status

if TYPE_CHECKING:
    from isogloss.stats.glmm.result import GlmmFit

MarginScale = Literal["response", "link", "probability"]
"""`response` is the mean (of an ordinal response, that of its categories as numbers), `link` the
linear predictor, `probability` the probability of each category of an ordinal response."""

CATEGORY = "category"
"""Column that names the category where `scale` is `probability`."""


def standing(fit: GlmmFit) -> tuple[Status, str | None]:
    """Return whether numbers derived from a fit can be relied on, and if not why."""
    if fit.estimated:
        return "ok", None
    return "not_estimable", f"{fit.status}: {'; '.join(fit.reasons)}"


def check_scale(fit: GlmmFit, scale: str, level: float) -> None:
    """Raise `StatisticsError` on a scale that the family does not have, or no level."""
    check_level(level, "level")
    if scale not in get_args(MarginScale):
        raise StatisticsError(f"scale is {scale!r}; use {', '.join(get_args(MarginScale))}")
    if scale == "probability" and fit.family != "ordinal":
        raise StatisticsError(f"a {fit.family} response has no probabilities of categories")


def on_scale(
    fit: GlmmFit, rows: pd.DataFrame, scale: MarginScale, scores: Sequence[float] | None
) -> list[Smooth]:
    """Return what is averaged at each row; of probabilities one such for each category."""
    if scale == "link":
        return [predictor(fit, rows)]
    if scale == "probability":
        return [response_mean(fit, rows, unit) for unit in np.eye(len(fit.engine.categories))]
    numbers = category_scores(fit, scores) if fit.family == "ordinal" else np.zeros(0)
    return [response_mean(fit, rows, numbers)]


def range_of(fit: GlmmFit, scale: MarginScale, scores: Sequence[float] | None) -> Range | None:
    """Return the ends of what is averaged, or None where it has none."""
    if scale == "link" or fit.family == "gaussian":
        return None
    if scale == "probability" or fit.family != "ordinal":
        return Range(0.0, 1.0)
    numbers = category_scores(fit, scores)
    return Range(float(numbers.min()), float(numbers.max()))
