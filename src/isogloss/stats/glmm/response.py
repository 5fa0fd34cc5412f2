"""The response of each family: its checks, and the sufficient statistics of an observation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import gammaln

from isogloss.errors import StatisticsError
from isogloss.stats.glmm.kernels import Vector


@dataclass(frozen=True)
class Response:
    """Sufficient statistics of n observations, which add up where eta is the same."""

    count: Vector
    """Observations, or trials of a binomial; shape (n,)."""
    s1: Vector
    """Values, successes, log y of a beta, or the category from 0 of an ordinal; shape (n,)."""
    s2: Vector
    """Squared values, or log(1 - y) of a beta; else 0; shape (n,)."""
    s3: Vector
    """Squared logit y of a beta, for the start of a search; else `s2`; shape (n,)."""
    constant: float
    """Part of the log-likelihood that no parameter changes."""
    categories: tuple[Any, ...] = ()
    """Categories of an ordinal response, in order."""
    constant_reason: str | None = None
    """Why there is nothing to model, or None."""


def response(family: str, values: pd.Series, name: str, trials: Vector | None) -> Response:
    """Return the response of `family`; raise `StatisticsError` if `values` cannot be one."""
    if trials is not None and family != "binomial":
        raise StatisticsError(f"trials are for the binomial family; the family is {family}")
    if family == "binomial":
        return _binomial(numbers(values, name), name, trials)
    return _RESPONSES[family](values, name)


def _gaussian(values: pd.Series, name: str) -> Response:
    y = numbers(values, name)
    reason = f"{name} is {y[0]:g} in every row" if np.ptp(y) == 0 else None
    return Response(np.ones_like(y), y, y * y, y * y, 0.0, constant_reason=reason)


def _binomial(y: Vector, name: str, trials: Vector | None) -> Response:
    count = np.ones_like(y) if trials is None else trials
    whole = (y == np.round(y)) & (count == np.round(count)) & (count >= 0)
    bad = np.flatnonzero(~(whole & (y >= 0) & (y <= count)))
    if bad.size:
        first = int(bad[0])
        bound = (
            "0 or 1" if trials is None else f"a whole number from 0 to trials ({count[first]:g})"
        )
        raise StatisticsError(
            f"{name}: value {first} is {y[first]:g}; a binomial response is {bound}"
        )
    constant = gammaln(count + 1) - gammaln(y + 1) - gammaln(count - y + 1)
    reason = None
    if y.sum() in (0, count.sum()):
        reason = f"{name}: all {count.sum():g} trials have the same outcome"
    none = np.zeros_like(y)
    return Response(count, y, none, none, float(constant.sum()), constant_reason=reason)


def _beta(values: pd.Series, name: str) -> Response:
    y = numbers(values, name)
    ends = int(((y == 0) | (y == 1)).sum())
    outside = int(((y < 0) | (y > 1)).sum())
    if outside:
        raise StatisticsError(
            f"{name}: {outside} of {y.size} values lie outside 0 to 1; put it on that scale first"
        )
    if ends:
        raise StatisticsError(
            f"{name}: {ends} of {y.size} values are exactly 0 or 1, where the beta density is not "
            "defined; squeeze all values once, y' = (y (N - 1) + 0.5) / N with one N for all "
            "(Smithson and Verkuilen 2006), or use the ordinal family"
        )
    reason = f"{name} is {y[0]:g} in every row" if np.ptp(y) == 0 else None
    s1, s2 = np.log(y), np.log1p(-y)
    return Response(np.ones_like(y), s1, s2, (s1 - s2) ** 2, 0.0, constant_reason=reason)


def _ordinal(values: pd.Series, name: str) -> Response:
    kind = values.dtype
    if (
        isinstance(kind, pd.CategoricalDtype)
        and not kind.ordered
        and not (pd.api.types.is_numeric_dtype(kind.categories))
    ):
        raise StatisticsError(f"{name}: its categories have no order; make them ordered")
    if not isinstance(kind, pd.CategoricalDtype) and not (
        pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_bool_dtype(kind)
    ):
        raise StatisticsError(f"{name}: text has no order; pass numbers or an ordered categorical")
    codes, levels = pd.factorize(values, sort=True)
    reason = f"{name} is {levels[0]} in every row" if len(levels) == 1 else None
    s1 = codes.astype(np.float64)
    none = np.zeros_like(s1)
    return Response(np.ones_like(s1), s1, none, none, 0.0, tuple(levels), reason)


_RESPONSES: Mapping[str, Callable[[pd.Series, str], Response]] = {
    "gaussian": _gaussian,
    "beta": _beta,
    "ordinal": _ordinal,
}


def numbers(values: pd.Series, name: str) -> Vector:
    """Return `values` as numbers; raise `StatisticsError` if they are none or not finite."""
    try:
        array = values.to_numpy(np.float64)
    except (TypeError, ValueError) as error:
        raise StatisticsError(f"{name}: not numbers ({error})") from error
    if not np.isfinite(array).all():
        bad = int((~np.isfinite(array)).sum())
        raise StatisticsError(
            f"{name}: {bad} of {array.size} values are not finite; leave their rows out"
        )
    return array
