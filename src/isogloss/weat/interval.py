"""Bootstrap interval of the effect size."""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray

from isogloss.stats.arrays import Values
from isogloss.weat.results import Design

LEAST_ITEMS = 4
"""Items that each set must have: of fewer the bootstrap has hardly any different resamples."""

_LEAST_USABLE = 0.9
"""Share of resamples in which the items must vary."""

_CELLS = 1 << 20
"""Cells of the largest table of resampled values."""


@dataclass(frozen=True)
class Interval:
    """Ends of an interval, or why there is none."""

    low: float
    high: float
    reason: str | None


@dataclass(frozen=True)
class _Standardised:
    """Difference in means over the deviation within the sets, on a scale of steady spread."""

    value: NDArray[np.float64]
    se: NDArray[np.float64]


def bootstrap_interval(
    first: Values,
    second: Values,
    design: Design,
    *,
    ddof: int,
    draws: int,
    alpha: float,
    seed: np.random.SeedSequence,
) -> Interval:
    """Studentised bootstrap interval of d, of confidence 1 - `alpha`.

    `first` (n_1,) and `second` (n_2,) are associations. d is a rising function of
    delta = D / s_w, with D the difference in means and s_w the deviation within the sets:
    d = delta sqrt((N - ddof) / (N - 2 + n_1 n_2 delta^2 / N)). The interval is made for
    g = asinh(delta / c), c^2 = 2 N (1/n_1 + 1/n_2), whose standard error hardly depends on delta
    if values are normal, from the quantiles of (g* - g) / se(g*); its ends are mapped to d. se is
    the infinitesimal jackknife's. Items are drawn within each set; pairs, in a paired design,
    together.

    It holds for d over items like these; the attributes are taken as they are. Sources: Efron and
    Tibshirani (1993, chapter 12); Hedges and Olkin (1985) for the scale.
    """
    reason = _no_interval(first, second)
    if reason is not None:
        return Interval(nan, nan, reason)
    # In one direction always, so that exchanging A and B mirrors the interval exactly.
    sign = 1.0 if first.mean() >= second.mean() else -1.0
    x, y = sign * first, sign * second
    found = _standardised(x[None, :], y[None, :], design)
    pivots = _pivots(x, y, design, float(found.value[0]), draws, np.random.default_rng(seed))
    if pivots.size < _LEAST_USABLE * draws:
        return Interval(nan, nan, "too few resamples vary within the sets")
    lower, upper = np.quantile(pivots, [alpha / 2, 1 - alpha / 2])
    ends = found.value[0] - np.array([upper, lower]) * found.se[0]
    low, high = sign * _effect_size(ends, first.size, second.size, ddof)
    return Interval(float(min(low, high)), float(max(low, high)), None)


def _no_interval(first: Values, second: Values) -> str | None:
    least = min(first.size, second.size)
    if least < LEAST_ITEMS:
        return f"a set of {least}; the bootstrap needs {LEAST_ITEMS} items in each"
    if np.ptp(first) == 0 and np.ptp(second) == 0:
        return "the associations do not vary within the sets"
    return None


def _pivots(
    x: Values, y: Values, design: Design, value: float, draws: int, rng: np.random.Generator
) -> Values:
    """(g* - g) / se(g*) of the resamples in which the items vary."""
    found, step = [], max(1, _CELLS // (x.size + y.size))
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        chosen = rng.integers(0, x.size, (rows, x.size))
        others = chosen if design == "paired" else rng.integers(0, y.size, (rows, y.size))
        with np.errstate(divide="ignore", invalid="ignore"):
            resampled = _standardised(x[chosen], y[others], design)
            pivots = (resampled.value - value) / resampled.se
        found.append(pivots[np.isfinite(pivots)])
    return np.concatenate(found)


def _standardised(x: Values, y: Values, design: Design) -> _Standardised:
    """g and its standard error for each row; x has shape (rows, n_1), y (rows, n_2)."""
    n_x, n_y = x.shape[1], y.shape[1]
    from_x, from_y = _centred(x), _centred(y)
    squares = (from_x**2).sum(axis=1) + (from_y**2).sum(axis=1)
    within = np.sqrt(squares / (n_x + n_y - 2))[:, None]
    delta = (x.mean(axis=1) - y.mean(axis=1))[:, None] / within
    part = n_x / (n_x + n_y)
    of_x = from_x / within - delta / 2 * part * _centred((from_x / within) ** 2)
    of_y = -from_y / within - delta / 2 * (1 - part) * _centred((from_y / within) ** 2)
    c = _scale(n_x, n_y)
    se = _error(of_x, of_y, design) / np.sqrt(delta[:, 0] ** 2 + c**2)
    return _Standardised(np.arcsinh(delta[:, 0] / c), se)


def _error(of_x: Values, of_y: Values, design: Design) -> Values:
    n_x, n_y = of_x.shape[1], of_y.shape[1]
    if design == "paired":
        return np.asarray(np.sqrt(((of_x + of_y) ** 2).sum(axis=1) / (n_x * (n_x - 1))))
    parts = (of_x**2).sum(axis=1) / (n_x * (n_x - 1)) + (of_y**2).sum(axis=1) / (n_y * (n_y - 1))
    return np.asarray(np.sqrt(parts))


def _effect_size(ends: Values, n_x: int, n_y: int, ddof: int) -> Values:
    delta, n = _scale(n_x, n_y) * np.sinh(ends), n_x + n_y
    return np.asarray(delta * np.sqrt((n - ddof) / (n - 2 + n_x * n_y / n * delta**2)))


def _scale(n_x: int, n_y: int) -> float:
    return sqrt(2 * (n_x + n_y) * (1 / n_x + 1 / n_y))


def _centred(values: Values) -> Values:
    return np.asarray(values - values.mean(axis=1, keepdims=True))
