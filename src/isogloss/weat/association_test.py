"""Association tests: WEAT for two sets of targets, SC-WEAT for one."""

from collections.abc import Mapping
from dataclasses import replace
from math import nan

import numpy as np
from numpy.typing import ArrayLike

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import Values
from isogloss.weat.association import associations, same_dimension, unit_rows
from isogloss.weat.exchanges import Exchanges, Partitions, Swaps
from isogloss.weat.interval import Interval, bootstrap_interval
from isogloss.weat.options import Options
from isogloss.weat.permutation import ROUNDING, Permutation, permutation_test
from isogloss.weat.ranks import MAX_COUNT
from isogloss.weat.results import Alternative, Design, WeatResult

MIRRORED: Mapping[Alternative, Alternative] = {
    "two-sided": "two-sided",
    "greater": "less",
    "less": "greater",
}


def weat(
    x: ArrayLike,
    y: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    ddof: int = 1,
    max_exact: int = 1_000_000,
    n_permutations: int = 10_000,
    seed: int = 0,
    design: Design = "unpaired",
    n_bootstrap: int = 2_000,
    alpha: float = 0.05,
) -> WeatResult:
    """Word embedding association test of targets X and Y with attributes A and B.

    `x` has shape (n_x, dim), `y` (n_y, dim), `a` (n_a, dim), `b` (n_b, dim). With
    s(w) = mean_a cos(w, a) - mean_b cos(w, b), the effect size is
    d = (mean_X s - mean_Y s) / sd s, the standard deviation over X and Y together with `ddof` 0 or
    1. d lies within -2 and 2 for sets of equal size, because the difference itself widens what it
    is divided by.

    The null hypothesis of the unpaired design is that items of X and Y may be exchanged. Its
    permutations are the C(n_x + n_y, n_x) partitions into sets of the sizes observed, which need
    not be equal: all of them where there are at most `max_exact`, else `n_permutations` different
    ones, seeded, none of them the observed one; `permutation_test` says why p =
    (1 + hits) / (1 + draws) is valid then. Two-sided counts |difference| >= |observed|; ties are
    equal up to rounding. Nothing is kept of a partition that was counted. The null hypothesis of
    the paired design, in which row i of `x` and of `y` belong together, is that the partners of
    each pair may be exchanged, in 2^n ways.

    `low` and `high` bound a studentised bootstrap interval (`bootstrap_interval`). Exchanging X
    and Y, or A and B, changes every sign and nothing else. Equal associations leave everything
    undefined.

    Raises `StatisticsError` on an array of another shape, a value that is not finite, a vector of
    length 0, and an option that does not exist. Source: Caliskan, Bryson and Narayanan (2017).

    >>> import numpy as np
    >>> x, y = np.array([[1, 0.1], [1, 0.2], [1, 0.3], [1, 0.4]]), np.eye(2)[[1, 1, 1, 1]]
    >>> weat(x, y, [[1, 0]], [[0, 1]]).p_value == 2 / 70
    True
    """
    options = Options(
        alternative, ddof, max_exact, n_permutations, seed, design, n_bootstrap, alpha
    )
    first, second = associations(x, a, b), associations(y, a, b)
    if design == "paired" and first.size != second.size:
        raise StatisticsError(
            f"x has {first.size} rows and y has {second.size}; pairs need as many in both"
        )
    return _compare(first, second, options)


def sc_weat(
    w: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    ddof: int = 1,
    max_exact: int = 1_000_000,
    n_permutations: int = 10_000,
    seed: int = 0,
    n_bootstrap: int = 2_000,
    alpha: float = 0.05,
) -> WeatResult:
    """Single-category association test of targets W with attributes A and B.

    `w` has shape (n, dim), or (dim,) for one target; `a` (n_a, dim), `b` (n_b, dim). With
    u(c) = mean_w cos(w, c), d = (mean_A u - mean_B u) / sd u, the standard deviation over A and B
    together. The permutations are partitions of A and B, and the bootstrap draws attributes; all
    else is as in `weat`, where `n_x` and `n_y` count A and B. The formula for one target is that
    of the test's authors for single words. Raises as `weat` does. Source: Caliskan, Bryson and
    Narayanan (2017), their WEFAT.
    """
    options = Options(
        alternative, ddof, max_exact, n_permutations, seed, "unpaired", n_bootstrap, alpha
    )
    targets = unit_rows(np.atleast_2d(np.asarray(w)), "w")
    first, second = unit_rows(a, "a"), unit_rows(b, "b")
    same_dimension({"w": targets, "a": first, "b": second})
    mean = targets.mean(axis=0)
    return _compare(first @ mean, second @ mean, options)


def _compare(x: Values, y: Values, options: Options) -> WeatResult:
    """Compare two sets of associations."""
    # The order of the sets decides what each random number does. One that does not depend on which
    # set is called the first makes swapping them change the signs and nothing else.
    sign = 1.0 if (x.size, x.var()) <= (y.size, y.var()) else -1.0
    first, second = (x, y) if sign > 0 else (y, x)
    pooled = np.concatenate([first, second])
    exchanges = _exchanges(first, second, options.design)
    statistic = sign * float(first.mean() - second.mean())
    if np.ptp(pooled) <= ROUNDING:
        return _undefined("all associations are equal", statistic, x, y, exchanges, options)
    to_permute, to_resample = np.random.SeedSequence(options.seed).spawn(2)
    tested = permutation_test(
        exchanges,
        float(np.ptp(pooled)),
        pooled.size,
        options.alternative if sign > 0 else MIRRORED[options.alternative],
        options.max_exact,
        options.n_permutations,
        to_permute,
    )
    found = bootstrap_interval(
        first,
        second,
        options.design,
        ddof=options.ddof,
        draws=options.n_bootstrap,
        alpha=options.alpha,
        seed=to_resample,
    )
    effect_size = statistic / float(pooled.std(ddof=options.ddof))
    return _result(effect_size, statistic, tested, _turned(found, sign), x, y, exchanges, options)


def _exchanges(first: Values, second: Values, design: Design) -> Exchanges:
    if design == "paired":
        return Swaps(first - second)
    pooled = np.concatenate([first, second])
    return Partitions(pooled - pooled.mean(), first.size)


def _turned(found: Interval, sign: float) -> Interval:
    return found if sign > 0 else Interval(-found.high, -found.low, found.reason)


def _result(
    effect_size: float,
    statistic: float,
    tested: Permutation,
    found: Interval,
    x: Values,
    y: Values,
    exchanges: Exchanges,
    options: Options,
) -> WeatResult:
    what = "partitions" if options.design == "unpaired" else "exchanges within pairs"
    of_all = "" if tested.exact else f"{_number(exchanges.count)} "
    return WeatResult(
        effect_size=effect_size,
        low=found.low,
        high=found.high,
        p_value=tested.p_value,
        statistic=statistic,
        exact=tested.exact,
        n_x=x.size,
        n_y=y.size,
        n_partitions=exchanges.count,
        n_draws=tested.n_draws,
        ddof=options.ddof,
        alternative=options.alternative,
        design=options.design,
        alpha=options.alpha,
        n_bootstrap=options.n_bootstrap,
        seed=options.seed,
        status="ok",
        reason=None,
        interval_reason=found.reason,
        method=f"{tested.how} {of_all}{what}; studentised bootstrap interval",
    )


def _number(count: int) -> str:
    return str(count) if count <= MAX_COUNT else "more than 2^62"


def _undefined(
    reason: str, statistic: float, x: Values, y: Values, exchanges: Exchanges, options: Options
) -> WeatResult:
    nothing = Permutation(nan, False, 0, "permutation test over")
    result = _result(nan, statistic, nothing, Interval(nan, nan, reason), x, y, exchanges, options)
    return replace(result, status="not_estimable", reason=reason)
