"""What a comparison of two audits returns."""

from dataclasses import dataclass
from typing import Literal

from isogloss.review.differences import Piece
from isogloss.stats.results import Estimate

Bars = Literal["scores and ratios", "ratios", "words", "nothing"]
"""What cannot be compared because of a difference between the audits."""

FlagChange = Literal["cleared", "raised", "still flagged", "still clear", "not estimable"]


@dataclass(frozen=True)
class Difference:
    """Something beside the posting in which two audits differ."""

    what: str
    before: str
    after: str
    bars: Bars


@dataclass(frozen=True)
class WordChange:
    """Words of one register that a revision took out or brought in."""

    register: str
    count_before: int
    count_after: int
    gone: tuple[tuple[str, int], ...]
    """Phrases that occur less often, with how many times less."""
    new: tuple[tuple[str, int], ...]
    """Phrases that occur more often, with how many times more."""


@dataclass(frozen=True)
class DominanceChange:
    """What became of a pair of opposed registers."""

    pair: tuple[str, str]
    before: str | None
    """The register that dominated; None where neither did."""
    after: str | None
    cleared: bool
    """Whether a register dominated and no longer does."""
    raised: bool
    """Whether a register dominates that did not before."""


@dataclass(frozen=True)
class ScoreChange:
    """Expected scores of one persona in one role, before and after."""

    role: str
    persona: str
    mean_before: float | None
    """Mean over the paired backgrounds; None without a pair."""
    mean_after: float | None
    difference: Estimate
    """Mean of after - before, paired over backgrounds (`isogloss.stats.tests.paired_t`)."""
    unpaired: int
    """Backgrounds with a score in one audit at the most; they are left out."""


@dataclass(frozen=True)
class Impact:
    """Impact ratio of one group in one audit."""

    ratio: float | None = None
    """Ratio to the highest rate; None where it is undefined."""
    low: float | None = None
    """Lower end of its score interval; None for the reference."""
    high: float | None = None
    flagged: bool | None = None
    """Whether it is below four fifths; None where it is undefined."""
    reason: str | None = "the audit has no such group"
    """Why there is no ratio; None where there is one."""


@dataclass(frozen=True)
class RatioChange:
    """Impact ratio of one group, before and after."""

    role: str
    grouping: str
    group: str
    before: Impact
    after: Impact
    flag: FlagChange


@dataclass(frozen=True)
class Comparison:
    """A second audit against the first."""

    previous_sha256: str
    """Hash of the first record: SHA-256 of its `SHA256SUMS`."""
    previous_created: str
    previous_posting_sha256: str
    """Hash of the file that the first audit read."""
    differs: tuple[Difference, ...]
    """In what the audits differ beside the posting; empty when all else is the same."""
    words: tuple[WordChange, ...]
    """By register; empty when the word lists differ, and so is `dominance`."""
    dominance: tuple[DominanceChange, ...]
    scores: tuple[ScoreChange, ...]
    """By role and persona; empty when a difference bars it."""
    ratios: tuple[RatioChange, ...]
    """By role, grouping and group; empty when a difference bars it."""
    text: tuple[Piece, ...]
    """The first text and the second, word by word."""
    cautions: tuple[str, ...]

    def flags(self, change: FlagChange) -> tuple[RatioChange, ...]:
        """Return the groups whose four-fifths flag changed in this way."""
        return tuple(one for one in self.ratios if one.flag == change)
