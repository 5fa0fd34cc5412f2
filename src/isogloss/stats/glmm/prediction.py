"""Predictions of a fitted mixed model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from scipy.special import expit

from isogloss.errors import StatisticsError
from isogloss.stats.glmm.formula import group_name
from isogloss.stats.glmm.kernels import Vector

if TYPE_CHECKING:
    from isogloss.stats.glmm.result import GlmmFit

Scale = Literal["response", "link"]
RandomPart = Literal["fitted", "none"]


def predicted(
    fit: GlmmFit, newdata: pd.DataFrame | None, scale: Scale, random: RandomPart
) -> pd.Series | pd.DataFrame:
    """Return predictions as `GlmmFit.predict` says."""
    if scale not in ("response", "link") or random not in ("fitted", "none"):
        raise StatisticsError(
            f"scale is {scale!r} and random is {random!r}; pass 'response' or 'link', and "
            "'fitted' or 'none'"
        )
    eta = _of_fit(fit, random) if newdata is None else _of_data(fit, newdata, random)
    if scale == "link":
        return eta
    if fit.family == "gaussian":
        return eta
    if fit.family != "ordinal":
        return pd.Series(expit(eta.to_numpy()), index=eta.index)
    return probabilities(fit, eta)


def probabilities(fit: GlmmFit, eta: pd.Series) -> pd.DataFrame:
    """Return the probability of each category at linear predictors `eta`."""
    below = expit(fit.thresholds.to_numpy()[None, :] - eta.to_numpy()[:, None])
    edge = np.zeros((len(eta), 1))
    table = np.diff(np.hstack([edge, below, edge + 1.0]), axis=1)
    return pd.DataFrame(table, index=eta.index, columns=list(fit.engine.categories))


def _of_fit(fit: GlmmFit, random: RandomPart) -> pd.Series:
    engine = fit.engine
    eta: Vector = (engine.matrix @ fit.coef.to_numpy())[engine.rows] + engine.offset
    if random == "fitted":
        for modes, codes in zip(fit.modes.values(), engine.group_codes, strict=True):
            eta = eta + modes.to_numpy()[codes]
    return pd.Series(eta, index=engine.index)


def _of_data(fit: GlmmFit, data: pd.DataFrame, random: RandomPart) -> pd.Series:
    fixed = fit.engine.fixed
    eta = fixed.matrix(data).to_numpy(np.float64) @ fit.coef.to_numpy() + fixed.offset(data)
    if random == "fitted":
        for columns in fit.engine.group_columns:
            eta = eta + _effects(fit.modes[group_name(columns)], data, columns)
    return pd.Series(eta, index=data.index)


def _effects(modes: pd.Series, data: pd.DataFrame, columns: tuple[str, ...]) -> Vector:
    missing = [name for name in columns if name not in data]
    if missing:
        raise StatisticsError(f"the new data have no column {missing[0]!r}; pass random='none'")
    labels = data[columns[0]]
    if len(columns) > 1:
        labels = data[list(columns)].astype(str).agg(":".join, axis=1)
    places = modes.index.get_indexer(pd.Index(labels))
    if (places < 0).any():
        unknown = labels.iloc[int(np.flatnonzero(places < 0)[0])]
        raise StatisticsError(
            f"{group_name(columns)}: level {unknown!r} was not in the fit; pass random='none'"
        )
    result: Vector = modes.to_numpy(np.float64)[places]
    return result
