"""What an association test returns."""

from dataclasses import dataclass
from typing import Literal

from isogloss.stats.results import Status

Alternative = Literal["two-sided", "greater", "less"]
"""`greater`: the first set is closer to A than the second; `less`: the second is."""

Design = Literal["unpaired", "paired"]
"""Whether items are exchanged freely between the sets, or each only with its own partner."""


@dataclass(frozen=True)
class WeatResult:
    """Effect size, permutation test and bootstrap interval of an association test.

    The first set is X and the second Y; in a single-category test they are A and B.
    """

    effect_size: float
    """d, positive where the first set is the closer to A; in a single-category test, where the
    targets are closer to A than to B."""
    low: float
    """Lower end of the bootstrap interval of d."""
    high: float
    """Upper end of the bootstrap interval of d."""
    p_value: float
    """Of the permutation test, not adjusted for multiplicity."""
    statistic: float
    """Difference in mean association, the numerator of d."""
    exact: bool
    """Whether every partition was visited because there are at most `max_exact`."""
    n_x: int
    """Items of the first set."""
    n_y: int
    """Items of the second set."""
    n_partitions: int
    """Ways to exchange the items, the observed one included."""
    n_draws: int
    """Of these, those that were visited, not counting the observed one where they were drawn."""
    ddof: int
    """What is subtracted from the number of items in the standard deviation of d."""
    alternative: Alternative
    design: Design
    alpha: float
    """One minus the confidence of the interval."""
    n_bootstrap: int
    """Bootstrap draws behind the interval."""
    seed: int
    status: Status
    """`ok` or `not_estimable`."""
    reason: str | None
    """Why d and p are undefined; None when `status` is `ok`."""
    interval_reason: str | None
    """Why there is no interval; None where there is one."""
    method: str
    """How p and the interval were computed."""
