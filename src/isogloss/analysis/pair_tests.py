"""Tests of responses paired between two guises."""

from dataclasses import dataclass

from isogloss.analysis.families import Adjusted
from isogloss.analysis.pairs import UNPAIRED, PairedCell
from isogloss.stats.results import Estimate


@dataclass(frozen=True)
class PairsTested:
    """Columns of a test of pairs."""

    estimate: float
    low: float
    high: float
    p_value: float
    adjusted: Adjusted
    share_guise: float
    """NaN where the test is not about a share."""
    share_reference: float
    n_pairs: int
    n_unpaired: int
    """Responses whose counterpart in the other guise was never asked for."""


@dataclass(frozen=True)
class PairsTest:
    """A test of pairs before its p-value is adjusted."""

    paired: PairedCell
    result: Estimate
    share_guise: float
    share_reference: float

    @property
    def p_value(self) -> float:
        """Not adjusted."""
        return self.result.p_value

    def tested(self, adjusted: Adjusted) -> PairsTested:
        """Columns of the test."""
        return PairsTested(
            estimate=self.result.estimate,
            low=self.result.low,
            high=self.result.high,
            p_value=self.result.p_value,
            adjusted=adjusted,
            share_guise=self.share_guise,
            share_reference=self.share_reference,
            n_pairs=self.result.n,
            n_unpaired=int(self.paired.pairs["outcome"].eq(UNPAIRED).sum()),
        )
