"""What a design could have found."""

from math import inf, isnan, nan

from scipy import stats
from scipy.optimize import brentq

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import check_level

FAR = 10_000.0
"""Critical value beyond which scipy's noncentral t does not converge."""


def minimum_detectable_difference(
    se: float, df: float, *, alpha: float = 0.05, power: float = 0.80
) -> float:
    """Smallest true mean difference that a two-sided t-test finds with the given power.

    It is se * ncp, where |T| with `df` degrees of freedom and noncentrality `ncp` exceeds
    t(1 - alpha/2) with probability `power`. `se` is the standard error of the difference, whose
    units the result has. NaN in `se` or `df`, as an estimate that is not estimable has, gives NaN.

    Raises `StatisticsError` when `se` or `df` is not positive and finite, alpha lies outside
    (0, 1), power outside (alpha, 1), or the critical value so large that no noncentral t is found
    (with 1 degree of freedom, alpha below 0.0001).
    """
    check_level(alpha)
    check_level(power, "power")
    if power <= alpha:
        raise StatisticsError(f"power is {power}; it must exceed alpha, which is {alpha}")
    if isnan(se) or isnan(df):
        return nan
    if not (0 < se < inf and 0 < df < inf):
        raise StatisticsError(f"se is {se} and df is {df}; both must be positive and finite")
    critical = float(stats.t.isf(alpha / 2, df))
    if critical > FAR:
        raise StatisticsError(f"alpha is {alpha}, out of reach with df {df}; pass a larger alpha")

    def shortfall(ncp: float) -> float:
        return power - _rejection_rate(ncp, df, critical)

    upper = critical + 1.0
    while shortfall(upper) > 0:
        upper *= 2
    return se * float(brentq(shortfall, 0.0, upper))


def _rejection_rate(ncp: float, df: float, critical: float) -> float:
    above, below = stats.nct.sf(critical, df, ncp), stats.nct.sf(critical, df, -ncp)
    return float(above + below)
