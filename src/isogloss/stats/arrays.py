"""Checks of the arrays and levels that statistics are given."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from isogloss.errors import StatisticsError

Values = NDArray[np.float64]

ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""Spread, as a share of the largest value, that subtracting equal values can leave."""


def numbers(values: ArrayLike, name: str) -> Values:
    """Return `values` as floats of shape (n,), NaN for missing; raise `StatisticsError` if not."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise StatisticsError(f"{name}: not an array of numbers ({error}); pass numbers") from error
    if array.ndim != 1:
        raise StatisticsError(f"{name}: has {array.ndim} dimensions; pass a one-dimensional array")
    return array


def sample(values: ArrayLike, name: str) -> Values:
    """Return `values` as floats of shape (n,); raise `StatisticsError` if one is not finite."""
    array = numbers(values, name)
    unusable = np.flatnonzero(~np.isfinite(array))
    if unusable.size:
        first = int(unusable[0])
        raise StatisticsError(
            f"{name}: value {first} is {array[first]} ({unusable.size} of {array.size} are not "
            "finite); leave missing values out, with their partners, and count them"
        )
    return array


def pair(a: ArrayLike, b: ArrayLike, names: tuple[str, str] = ("a", "b")) -> tuple[Values, Values]:
    """Return two samples of one length; raise `StatisticsError` if the lengths differ."""
    first, second = sample(a, names[0]), sample(b, names[1])
    same_length(first.size, second.size, names)
    return first, second


def indicators(values: ArrayLike, name: str) -> Values:
    """Return `values` as 0.0 and 1.0; raise `StatisticsError` if one is neither."""
    array = sample(values, name)
    other = np.flatnonzero((array != 0) & (array != 1))
    if other.size:
        first = int(other[0])
        raise StatisticsError(f"{name}: value {first} is {array[first]}; pass booleans")
    return array


def without_rounding(spread: float, *samples: Values) -> float:
    """Return `spread` in the units of the samples, or 0.0 where only rounding made it."""
    largest = max(float(np.abs(values).max()) for values in samples)
    return 0.0 if spread <= ROUNDING * largest else spread


def cluster_codes(clusters: ArrayLike | Sequence[Any], n: int, name: str) -> NDArray[np.intp]:
    """Return cluster numbers 0 to G-1 of shape (n,) in order of first appearance.

    Raises `StatisticsError` when there is not one label for each value or a label is missing.
    """
    labels = np.asarray(clusters, dtype=object)
    if labels.ndim != 1:
        raise StatisticsError(
            f"{name}: has {labels.ndim} dimensions; pass one label for each value"
        )
    same_length(n, labels.size, ("values", name))
    codes = pd.factorize(labels)[0]
    if (codes < 0).any():
        first = int(np.flatnonzero(codes < 0)[0])
        raise StatisticsError(f"{name}: label {first} is missing; name the cluster of each value")
    return codes


def same_length(first: int, second: int, names: tuple[str, str]) -> None:
    """Raise `StatisticsError` unless two lengths are equal."""
    if first != second:
        raise StatisticsError(
            f"{names[0]} has {first} values and {names[1]} has {second}; align them first"
        )


def check_level(level: float, name: str = "alpha", upper: float = 1.0) -> None:
    """Raise `StatisticsError` unless 0 < `level` < `upper`."""
    if not 0 < level < upper:
        raise StatisticsError(f"{name} is {level}; it must lie between 0 and {upper:g}, exclusive")
