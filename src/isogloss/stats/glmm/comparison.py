"""Likelihood-ratio tests of nested mixed models."""

from dataclasses import dataclass
from math import nan

import numpy as np
from scipy import stats

from isogloss.errors import StatisticsError
from isogloss.stats.glmm.grouping import combine
from isogloss.stats.glmm.result import GlmmFit
from isogloss.stats.results import Status

_SPANNED = 1e-7
_BELOW = 1e-3
"""Log-likelihood by which a larger model may end below a smaller for the search's inaccuracy."""


@dataclass(frozen=True)
class LikelihoodRatio:
    """Outcome of a likelihood-ratio test."""

    estimate: float
    """2 (loglik of the larger model - loglik of the smaller); 0 where rounding makes it less."""
    df: int
    """Parameters that the larger model has more."""
    p_value: float
    n: int
    """Rows of both fits."""
    status: Status
    reason: str | None
    method: str


def lr_test(a: GlmmFit, b: GlmmFit) -> LikelihoodRatio:
    """Test the smaller of two nested fits against the larger.

    The statistic is compared with chi-squared on the difference in parameters. Where the models
    differ by one variance only, its null value is on the boundary, and the distribution is an
    equal mixture of 0 and chi-squared on 1 degree of freedom (Self and Liang 1987); where they
    differ by more, chi-squared is conservative, and `method` says so.

    Raises `StatisticsError` when the fits are of different data or families, are not nested, or
    are REML fits (or one is) with different fixed effects.
    """
    small, large = (a, b) if a.npar <= b.npar else (b, a)
    _check_comparable(small, large)
    same_fixed = _spanned(large, small)
    if (small.reml or large.reml) and not (same_fixed and small.reml and large.reml):
        raise StatisticsError(
            "REML fits with different fixed effects have no likelihood ratio; fit with reml=False"
        )
    more, df = len(large.groups) - len(small.groups), large.npar - small.npar
    method = "likelihood-ratio test, chi-squared"
    if more == 1 and df == 1:
        method = "likelihood-ratio test, 0.5 chi-squared(0) + 0.5 chi-squared(1)"
    elif more:
        method = "likelihood-ratio test, chi-squared (conservative: variances on the boundary)"
    if not (small.estimated and large.estimated):
        which = next(fit for fit in (small, large) if not fit.estimated)
        reason = f"{which.formula}: {which.status}"
        return LikelihoodRatio(nan, df, nan, large.n, "not_estimable", reason, method)
    if large.loglik < small.loglik - _BELOW:
        reason = (
            f"{large.formula} ended {small.loglik - large.loglik:.3g} below the log-likelihood of "
            f"the smaller {small.formula}, so its maximum was not found"
        )
        return LikelihoodRatio(nan, df, nan, large.n, "not_estimable", reason, method)
    statistic = max(2 * (large.loglik - small.loglik), 0.0)
    p_value = float(stats.chi2.sf(statistic, df))
    if more == 1 and df == 1:
        p_value = p_value / 2 if statistic > 0 else 1.0
    return LikelihoodRatio(statistic, df, p_value, large.n, "ok", None, method)


def _check_comparable(small: GlmmFit, large: GlmmFit) -> None:
    if small.family != large.family:
        raise StatisticsError(f"the fits are of families {small.family} and {large.family}")
    if small.n != large.n or small.engine.digest != large.engine.digest:
        raise StatisticsError(
            f"the fits are of different rows, responses or offsets ({small.n} and {large.n} rows); "
            "fit both to the same complete rows"
        )
    if small.npar == large.npar:
        raise StatisticsError(f"both fits have {small.npar} parameters; neither is nested")
    if not set(small.groups) <= set(large.groups) or not _spanned(small, large):
        raise StatisticsError(f"{small.formula!r} is not nested in {large.formula!r}")


def _spanned(inner: GlmmFit, outer: GlmmFit) -> bool:
    """Whether each column of one model matrix is a combination of those of the other."""
    _, first = combine([inner.engine.rows, outer.engine.rows])
    target = inner.engine.matrix[inner.engine.rows[first]]
    basis = outer.engine.matrix[outer.engine.rows[first]]
    if inner.family == "ordinal":
        # The thresholds are an intercept.
        basis = np.column_stack([np.ones(len(basis)), basis])
    lengths = np.linalg.norm(basis, axis=0)
    basis = basis / np.where(lengths > 0, lengths, 1.0)
    if not target.shape[1]:
        return True
    left = target - basis @ np.linalg.lstsq(basis, target)[0] if basis.shape[1] else target
    return bool((np.abs(left) <= _SPANNED * np.abs(target).max(axis=0)).all())
