"""Average marginal effects of a fitted mixed model."""

from collections.abc import Sequence
from math import nan
from typing import Any

import numpy as np
import pandas as pd

from isogloss.errors import StatisticsError
from isogloss.stats.glmm.delta import Smooth, normal_p, wald
from isogloss.stats.glmm.grid import Columns, columns_read, observed
from isogloss.stats.glmm.result import GlmmFit
from isogloss.stats.glmm.scales import CATEGORY, MarginScale, check_scale, on_scale, standing


def average_effects(
    fit: GlmmFit,
    data: pd.DataFrame,
    variable: str,
    *,
    reference: Any = None,
    step: float = 1.0,
    scale: MarginScale = "response",
    scores: Sequence[float] | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return the average marginal effects of a variable, one row for each.

    An effect is the mean over the rows of `data` of the difference between two predictions for the
    row: with `variable` at a level and at `reference` (a factor; the first level by default), or
    with `step` added to it and as it is (a covariate). All other columns are as they were observed,
    random intercepts 0. Standard errors are by the delta method and treat the rows as given;
    intervals and p-values are Wald's, not adjusted. Columns: contrast, estimate, se, low, high,
    p_value, n, status, reason, method, and `category` first where `scale` is `probability`.

    Raises `StatisticsError` as `marginal_means` does.
    """
    check_scale(fit, scale, level)
    columns = columns_read(fit, data)
    rows, shares = observed(columns, fit)
    changes = _changes(columns, rows, variable, reference, step)
    kinds = fit.engine.categories if scale == "probability" else (None,)
    found: list[dict[str, Any]] = []
    for contrast, upper, lower in changes:
        pairs = zip(
            kinds,
            on_scale(fit, upper, scale, scores),
            on_scale(fit, lower, scale, scores),
            strict=True,
        )
        for kind, high, low in pairs:
            effect = high.minus(low).weighted(shares[None, :])
            head = {CATEGORY: kind} if scale == "probability" else {}
            found.append({**head, "contrast": contrast, **_wald_row(fit, effect, level)})
    method = f"average marginal effect, {scale} scale, random intercepts 0; delta method, Wald"
    return pd.DataFrame(found).assign(method=method)


def _changes(
    columns: Columns, rows: pd.DataFrame, variable: str, reference: Any, step: float
) -> list[tuple[str, pd.DataFrame, pd.DataFrame]]:
    if variable in columns.covariates:
        moved = rows.assign(**{variable: rows[variable] + step})
        return [(f"{variable} + {step:g}", moved, rows)]
    levels = columns.levels(variable)
    base = levels[0] if reference is None else reference
    if base not in levels:
        raise StatisticsError(f"{variable} has no level {base!r}; levels: {levels}")
    kind = columns.used[variable].dtype

    def with_level(value: Any) -> pd.DataFrame:
        column = pd.Series([value] * len(rows), index=rows.index).astype(kind)
        return rows.assign(**{variable: column})

    return [(f"{x} - {base}", with_level(x), with_level(base)) for x in levels if x != base]


def _wald_row(fit: GlmmFit, effect: Smooth, level: float) -> dict[str, Any]:
    status, reason = standing(fit)
    if status != "ok":
        numbers = dict.fromkeys(("estimate", "se", "low", "high", "p_value"), nan)
        return {**numbers, "n": fit.n, "status": status, "reason": reason}
    se = np.sqrt(np.diag(effect.covariance(fit)))
    low, high = wald(effect.values, se, level)
    return {
        "estimate": float(effect.values[0]),
        "se": float(se[0]),
        "low": float(low[0]),
        "high": float(high[0]),
        "p_value": float(normal_p(effect.values, se)[0]),
        "n": fit.n,
        "status": status,
        "reason": reason,
    }
