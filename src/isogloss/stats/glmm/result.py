"""What a fitted mixed model says of itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log, nan
from typing import Literal

import pandas as pd
from scipy import stats

from isogloss.stats.arrays import check_level
from isogloss.stats.glmm.engine import Engine
from isogloss.stats.glmm.families import Family
from isogloss.stats.glmm.intervals import profile_interval
from isogloss.stats.glmm.prediction import RandomPart, Scale, predicted
from isogloss.stats.glmm.table import regression_table

FitStatus = Literal[
    "converged", "boundary", "not_converged", "no_variation", "separation", "rank_deficient"
]
"""How a fit ended; only `converged` and `boundary` come with numbers to rely on."""

Interval = Literal["wald", "profile"]


@dataclass(frozen=True, eq=False)
class GlmmFit:
    """A fitted mixed model.

    Numbers that could not be determined are NaN, and `reasons` says why.
    """

    formula: str
    """As it was given."""
    family: Family
    reml: bool
    """Whether variances maximise the restricted likelihood."""
    status: FitStatus
    reasons: tuple[str, ...]
    """Why the status is not `converged`, and what was left out of the data."""
    coef: pd.Series
    """Fixed effects by column of the model matrix, on the scale of the linear predictor."""
    se: pd.Series
    """Standard errors of `coef`; NaN where the second derivative is not that of a maximum."""
    vcov: pd.DataFrame
    """Covariance of `coef`, shape (p, p)."""
    variances: dict[str, float]
    """Variance of each random intercept, by grouping factor in the order of the formula."""
    dispersion: float
    """Precision of a beta, residual standard deviation of a gaussian, 1 of a binomial; else NaN."""
    thresholds: pd.Series
    """Thresholds of an ordinal response, named `1|2` for that between 1 and 2; else empty."""
    thresholds_se: pd.Series
    """Standard errors of `thresholds`."""
    joint_vcov: pd.DataFrame
    """Covariance of `thresholds` and `coef` together, thresholds first."""
    loglik: float
    """Maximum of the (restricted, or by Laplace approximated) log-likelihood."""
    npar: int
    """Parameters estimated, variances on the boundary included."""
    n: int
    """Rows used."""
    n_dropped: int
    """Rows left out because a value was missing."""
    groups: dict[str, int]
    """Levels of each grouping factor."""
    group_sizes: dict[str, pd.Series]
    """Rows of each level of each grouping factor."""
    modes: dict[str, pd.Series]
    """Conditional modes of the random intercepts, by level."""
    boundary: tuple[str, ...]
    """Grouping factors whose variance is estimated as 0."""
    gradient_norm: float
    """Largest absolute entry of the gradient at the end of the search."""
    distance: float
    """sqrt(g' H^-1 g) there: how far off the maximum is, in standard errors."""
    iterations: int
    engine: Engine = field(repr=False)
    """Design and data of the fit, for predictions and comparisons."""

    @property
    def z(self) -> pd.Series:
        """Coefficients over their standard errors."""
        return self.coef / self.se

    @property
    def p(self) -> pd.Series:
        """Two-sided p-values of `z` against the normal distribution."""
        return pd.Series(2 * stats.norm.sf(self.z.abs()), index=self.coef.index)

    @property
    def aic(self) -> float:
        """Akaike's criterion, -2 loglik + 2 npar."""
        return -2 * self.loglik + 2 * self.npar

    @property
    def bic(self) -> float:
        """Schwarz's criterion, -2 loglik + log(n) npar, with n the rows used."""
        return -2 * self.loglik + log(self.n) * self.npar

    @property
    def estimated(self) -> bool:
        """Whether the status says that the numbers can be relied on."""
        return self.status in ("converged", "boundary")

    def confint(self, level: float = 0.95, *, method: Interval = "wald") -> pd.DataFrame:
        """Return confidence intervals of the coefficients, columns `low` and `high`.

        `wald` is coef -+ z se. `profile` holds what the likelihood-ratio test with 1 degree of
        freedom does not reject; an end that is not found is NaN.

        Raises `StatisticsError` for a level outside (0, 1), and for profiles of a REML fit, whose
        criterion does not compare fixed effects.
        """
        check_level(level, "level")
        if method == "wald":
            half = stats.norm.ppf((1 + level) / 2) * self.se
            return pd.DataFrame({"low": self.coef - half, "high": self.coef + half})
        ends = [
            profile_interval(self.engine, self.coef, self.vcov, self.loglik, j, level)
            if self.estimated
            else (nan, nan)
            for j in range(len(self.coef))
        ]
        return pd.DataFrame(ends, index=self.coef.index, columns=["low", "high"])

    def predict(
        self,
        newdata: pd.DataFrame | None = None,
        *,
        scale: Scale = "response",
        random: RandomPart = "fitted",
    ) -> pd.Series | pd.DataFrame:
        """Return predictions for `newdata`, or for the rows of the fit.

        `scale` is `link` (the linear predictor) or `response` (the mean; for an ordinal response a
        table of probabilities by category). `random` is `fitted` (the conditional mode of each
        level; a level that was not in the fit is an error) or `none` (random intercepts of 0,
        which is the middle group and, on the response scale, not the average over groups).

        Raises `StatisticsError` when a column is missing or a level unknown.
        """
        return predicted(self, newdata, scale, random)

    def to_frame(self, level: float = 0.95) -> pd.DataFrame:
        """Return one row for each coefficient: estimate, se, z, p, low, high."""
        columns: Mapping[str, pd.Series] = {
            "estimate": self.coef,
            "se": self.se,
            "z": self.z,
            "p_value": self.p,
        }
        return pd.DataFrame(columns).join(self.confint(level)).rename_axis("term")

    def __str__(self) -> str:
        return regression_table(self)
