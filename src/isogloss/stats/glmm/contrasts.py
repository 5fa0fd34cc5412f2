"""Differences between marginal means, with adjusted p-values."""

from dataclasses import dataclass
from itertools import combinations
from math import nan, sqrt
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from scipy import stats

from isogloss.errors import StatisticsError
from isogloss.stats.glmm.delta import normal_p
from isogloss.stats.glmm.kernels import Matrix, Vector
from isogloss.stats.glmm.margins import Margins
from isogloss.stats.tests import adjust

Adjusting = Literal["tukey", "holm", "none"]


@dataclass(frozen=True)
class _Pair:
    level: int
    reference: int


def contrasts(
    margins: Margins, *, reference: Any = None, adjustment: Adjusting = "holm"
) -> pd.DataFrame:
    """Return differences between the margins, level minus reference, within each `by` of them.

    With `reference`, each other level is compared with it; without, each level with each earlier
    one. The comparisons within one combination of `by` are a family for the adjustment: `tukey` by
    the studentised range with infinite degrees of freedom, which is for all pairs only; `holm`.

    Columns: those of `by`, contrast, level, reference, estimate, se, low, high (one interval by
    itself), low_all, high_all (intervals that hold together: by the studentised range, or by
    Bonferroni where the adjustment is Holm's, which has no intervals of its own), p_value,
    p_adjusted, family_size, n, status, reason, method.

    Raises `StatisticsError` on a reference that is no level, an unknown adjustment, and `tukey`
    with a reference.
    """
    if adjustment not in get_args(Adjusting):
        raise StatisticsError(f"adjustment is {adjustment!r}; use {', '.join(get_args(Adjusting))}")
    if reference is not None and adjustment == "tukey":
        raise StatisticsError("tukey is for all pairs; with a reference use adjustment='holm'")
    if reference is not None and reference not in set(margins.names[margins.factor]):
        known = ", ".join(map(str, margins.names[margins.factor].unique()))
        raise StatisticsError(f"{margins.factor} has no level {reference!r}; levels: {known}")
    families = [_family(margins, places, reference, adjustment) for places in _blocks(margins)]
    return pd.concat(families, ignore_index=True)


def _blocks(margins: Margins) -> list[list[int]]:
    if not margins.by:
        return [list(range(len(margins.names)))]
    numbers = margins.names.groupby(list(margins.by), sort=False, observed=True).ngroup()
    return [np.flatnonzero(numbers == number).tolist() for number in numbers.unique()]


def _family(
    margins: Margins, places: list[int], reference: Any, adjustment: Adjusting
) -> pd.DataFrame:
    labels = margins.names[margins.factor].iloc[places].tolist()
    pairs = _pairs(labels, reference)
    matrix = np.zeros((len(pairs), len(margins.names)))
    for row, pair in enumerate(pairs):
        matrix[row, places[pair.level]], matrix[row, places[pair.reference]] = 1.0, -1.0
    estimate, se = _differences(margins, matrix)
    p_value = normal_p(estimate, se)
    one = stats.norm.isf((1 - margins.level) / 2)
    everyone = _quantile(margins.level, adjustment, len(labels), len(pairs))
    head = margins.names[list(margins.by)].iloc[[places[0]] * len(pairs)].reset_index(drop=True)
    return head.assign(
        contrast=[f"{labels[pair.level]} - {labels[pair.reference]}" for pair in pairs],
        level=[labels[pair.level] for pair in pairs],
        reference=[labels[pair.reference] for pair in pairs],
        estimate=estimate,
        se=se,
        low=estimate - one * se,
        high=estimate + one * se,
        low_all=estimate - everyone * se,
        high_all=estimate + everyone * se,
        p_value=p_value,
        p_adjusted=_adjusted(estimate, se, p_value, adjustment, len(labels)),
        family_size=len(pairs),
        n=margins.n,
        status=np.where(np.isnan(p_value), "not_estimable", "ok"),
        reason=_reasons(margins, p_value),
        method=f"difference of {margins.method}, Wald; {_NAMES[adjustment]}",
    )


def _reasons(margins: Margins, p_value: Vector) -> pd.Series:
    why = margins.reason or "the standard error is 0"
    return pd.Series([why if missing else None for missing in np.isnan(p_value)], dtype=object)


_NAMES = {"tukey": "Tukey, studentised range", "holm": "Holm", "none": "not adjusted"}


def _pairs(labels: list[Any], reference: Any) -> list[_Pair]:
    if reference is None:
        return [_Pair(later, earlier) for earlier, later in combinations(range(len(labels)), 2)]
    base = labels.index(reference)
    return [_Pair(place, base) for place in range(len(labels)) if place != base]


def _differences(margins: Margins, matrix: Matrix) -> tuple[Vector, Vector]:
    if margins.status != "ok":
        return np.full(len(matrix), nan), np.full(len(matrix), nan)
    covariance = matrix @ margins.covariance @ matrix.T
    return matrix @ margins.estimate, np.sqrt(np.diag(covariance).clip(min=0.0))


def _quantile(level: float, adjustment: Adjusting, levels: int, pairs: int) -> float:
    if adjustment == "tukey":
        return float(stats.studentized_range.ppf(level, levels, np.inf)) / sqrt(2)
    family = pairs if adjustment == "holm" else 1
    return float(stats.norm.isf((1 - level) / (2 * max(family, 1))))


def _adjusted(
    estimate: Vector, se: Vector, p_value: Vector, adjustment: Adjusting, levels: int
) -> Vector:
    if adjustment == "none":
        return p_value
    if adjustment == "holm":
        return adjust(p_value, "holm")
    defined = ~np.isnan(p_value)
    adjusted: Vector = np.full(len(p_value), nan)
    ranges = sqrt(2) * np.abs(estimate[defined] / se[defined])
    adjusted[defined] = stats.studentized_range.sf(ranges, levels, np.inf)
    # With two levels the studentised range is the normal; its quadrature may fall just below.
    return np.maximum(adjusted, p_value)
