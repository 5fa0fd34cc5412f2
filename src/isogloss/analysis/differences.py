"""A difference with its tests, as the tables of both designs give it."""

from dataclasses import dataclass, replace

from isogloss.analysis.families import Adjusted
from isogloss.analysis.plan import AnalysisPlan
from isogloss.stats.power import minimum_detectable_difference
from isogloss.stats.results import Estimate, Status, Verdict
from isogloss.stats.tests import equivalence_from, verdict


@dataclass(frozen=True)
class Difference:
    """A difference with its interval and the test that it is 0."""

    measure: str
    """Which number of a response the values are."""
    estimate: float
    """In units of the scale."""
    low: float
    high: float
    p_value: float
    adjusted: Adjusted
    se: float
    """Standard error of `estimate`; items are its independent units."""
    df: float


@dataclass(frozen=True)
class Judgement:
    """What the thresholds of a plan make of a difference."""

    equivalence_bound: float
    equivalence_p: float
    verdict: Verdict
    """What the adjusted difference test and the equivalence test say together."""
    mde: float
    """Smallest true difference that a t-test with this `se` and `df` finds at the plan's power."""
    status: Status
    reason: str | None
    method: str


def difference(measure: str, estimate: Estimate, adjusted: Adjusted) -> Difference:
    """Columns of an estimated difference."""
    return Difference(
        measure=measure,
        estimate=estimate.estimate,
        low=estimate.low,
        high=estimate.high,
        p_value=estimate.p_value,
        adjusted=adjusted,
        se=estimate.se,
        df=estimate.df,
    )


def judgement(estimate: Estimate, adjusted: Adjusted, plan: AnalysisPlan) -> Judgement:
    """Judge a difference by its adjusted p-value and by the plan's smallest effect and power."""
    equivalence = equivalence_from(estimate, plan.smallest_effect, alpha=plan.alpha)
    corrected = replace(estimate, p_value=adjusted.p_adjusted)
    return Judgement(
        equivalence_bound=plan.smallest_effect,
        equivalence_p=equivalence.p_value,
        verdict=verdict(corrected, equivalence, alpha=plan.alpha),
        mde=minimum_detectable_difference(
            estimate.se, estimate.df, alpha=plan.alpha, power=plan.power
        ),
        status=estimate.status,
        reason=estimate.reason,
        method=estimate.method,
    )
