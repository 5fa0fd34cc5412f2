"""How much closer a vector is to one set of attributes than to another."""

import numpy as np
from numpy.typing import ArrayLike

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import Values


def associations(x: ArrayLike, a: ArrayLike, b: ArrayLike) -> Values:
    """Association of each item with A against B: mean_a cos(x, a) - mean_b cos(x, b).

    `x` has shape (n, dim), `a` (n_a, dim), `b` (n_b, dim); the result has shape (n,) and lies in
    [-2, 2]. Raises `StatisticsError` on another shape, a value that is not finite and a vector of
    length 0, naming the row, counted from 0. Source: Caliskan, Bryson and Narayanan (2017).
    """
    items, first, second = unit_rows(x, "x"), unit_rows(a, "a"), unit_rows(b, "b")
    same_dimension({"x": items, "a": first, "b": second})
    # The mean of cosines with unit vectors is the product with the mean of the unit vectors.
    return np.asarray(items @ (first.mean(axis=0) - second.mean(axis=0)), dtype=np.float64)


def unit_rows(vectors: ArrayLike, name: str) -> Values:
    """Return vectors of shape (n, dim) scaled to length 1, as float64; raise `StatisticsError`."""
    array = _matrix(vectors, name)
    _check_finite(array, name)
    # Divided by the largest component first, so that no square under- or overflows.
    largest = np.abs(array).max(axis=1, keepdims=True)
    zero = np.flatnonzero(largest == 0)
    if zero.size:
        raise StatisticsError(
            f"{name}: row {zero[0]} is a zero vector, which has no direction; leave it out"
        )
    scaled = array / largest
    return np.asarray(scaled / np.linalg.norm(scaled, axis=1, keepdims=True), dtype=np.float64)


def same_dimension(sets: dict[str, Values]) -> None:
    """Raise `StatisticsError` unless all sets have vectors of one dimension."""
    dimensions = {name: vectors.shape[1] for name, vectors in sets.items()}
    if len(set(dimensions.values())) > 1:
        said = ", ".join(f"{name} {dimension}" for name, dimension in dimensions.items())
        raise StatisticsError(f"vectors of different dimension: {said}; use one embedding for all")


def _matrix(vectors: ArrayLike, name: str) -> Values:
    try:
        array = np.asarray(vectors, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise StatisticsError(
            f"{name}: not an array of numbers ({error}); pass vectors of one length"
        ) from error
    if array.ndim != 2 or array.shape[1] == 0:
        raise StatisticsError(f"{name}: has shape {array.shape}; pass an array of (items, dim)")
    if not len(array):
        raise StatisticsError(f"{name}: is empty; pass at least one vector")
    return array


def _check_finite(array: Values, name: str) -> None:
    broken = np.flatnonzero(~np.isfinite(array).all(axis=1))
    if broken.size:
        raise StatisticsError(
            f"{name}: row {broken[0]} has a value that is not finite; correct or leave it out"
        )
