"""What stands in the place of a test that could not be made."""

from math import nan

from isogloss.weat.options import Options
from isogloss.weat.results import WeatResult


def untested(reason: str, n_x: int, n_y: int, options: Options) -> WeatResult:
    """Return a result without numbers, and the reason for it."""
    return WeatResult(
        effect_size=nan,
        low=nan,
        high=nan,
        p_value=nan,
        statistic=nan,
        exact=False,
        n_x=n_x,
        n_y=n_y,
        n_partitions=0,
        n_draws=0,
        ddof=options.ddof,
        alternative=options.alternative,
        design=options.design,
        alpha=options.alpha,
        n_bootstrap=options.n_bootstrap,
        seed=options.seed,
        status="not_estimable",
        reason=reason,
        interval_reason=reason,
        method="permutation test; studentised bootstrap interval",
    )
