"""What a statistic returns: numbers with their count, method and, if undefined, the reason."""

from dataclasses import dataclass, field
from math import nan
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Status = Literal["ok", "not_estimable"]
"""Whether the data define the statistic; `not_estimable` always comes with a reason."""

Verdict = Literal[
    "different", "different_but_negligible", "equivalent", "inconclusive", "not_estimable"
]
"""What a difference test and an equivalence test say together about one difference."""


@dataclass(frozen=True)
class Estimate:
    """An estimate with its interval and test.

    A number that the data leave undefined is NaN, and then `status` is `not_estimable` and
    `reason` says why. A number that the method does not have (an effect size has no p-value, a
    score interval no standard error) is NaN as well, with `status` `ok`.
    """

    estimate: float
    """Value in the units of the data, of the effect size, or in percent, as the function states."""
    low: float
    """Lower end of the two-sided interval of confidence 1 - alpha."""
    high: float
    """Upper end of the two-sided interval of confidence 1 - alpha."""
    p_value: float
    """Two-sided p-value, not adjusted for multiplicity."""
    n: int
    """Observations used: pairs in a paired comparison, values of both samples in another."""
    status: Status
    """`ok` or `not_estimable`."""
    reason: str | None
    """Why a number is undefined; None when `status` is `ok`."""
    method: str
    """Name of the method that gave the numbers."""
    se: float = nan
    """Standard error of `estimate`."""
    df: float = nan
    """Degrees of freedom of the t distribution behind the interval and the p-value."""


@dataclass(frozen=True)
class ClusteredEstimate(Estimate):
    """An estimate whose observations come in clusters."""

    n_clusters: int = field(kw_only=True)
    """Distinct clusters among the `n` observations."""


@dataclass(frozen=True)
class SignFlipEstimate(ClusteredEstimate):
    """A mean of few clusters whose interval and p-value come from flipping their signs."""

    subset_means: NDArray[np.float64] = field(kw_only=True, compare=False, repr=False)
    """Mean of the values in each non-empty set of clusters, ascending, of shape (2^G - 1,)."""


@dataclass(frozen=True)
class Equivalence:
    """Outcome of two one-sided tests against `-bound` and `bound`."""

    p_value: float
    """The larger of the two one-sided p-values."""
    low: float
    """Lower end of the interval of confidence 1 - 2 alpha."""
    high: float
    """Upper end of the interval of confidence 1 - 2 alpha."""
    bound: float
    """Smallest difference of interest, positive, in the units of the estimate."""
    n: int
    """Observations behind the estimate."""
    status: Status
    """`ok` or `not_estimable`."""
    reason: str | None
    """Why a number is undefined; None when `status` is `ok`."""
    method: str
    """Name of the method that gave the numbers."""
    equivalent: bool
    """Whether `p_value` is below alpha; False when it is undefined."""


def not_estimable(reason: str, *, n: int, method: str, estimate: float = nan) -> Estimate:
    """Return an estimate without interval and p-value, and the reason for it."""
    return Estimate(estimate, nan, nan, nan, n, "not_estimable", reason, method)
