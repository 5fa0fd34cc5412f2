"""What stage S3 of an audit returns."""

from dataclasses import dataclass

from isogloss.stats.results import ClusteredEstimate, Estimate, Status
from isogloss.stats.selection import GroupRatio
from isogloss.stats.selection_tests import SelectionTest


@dataclass(frozen=True)
class Rates:
    """Selections among the probes of one group."""

    n_probes: int
    n_missing: int
    """Probes without a value; they count neither as selected nor as not selected."""
    missing: tuple[tuple[str, int], ...]
    """The missing probes by what became of them."""
    selected: int
    total: int
    """Probes with a value."""
    rate: Estimate
    """selected / total with its Wilson interval."""
    expected_rate: float
    """Mean probability of being selected, among probes with a distribution; NaN without one."""
    n_expected: int
    """Probes with a distribution."""


@dataclass(frozen=True)
class PairedTest:
    """A group against the group with the highest rate, background by background."""

    difference: ClusteredEstimate
    """See `isogloss.stats.selection_tests.paired_selection`; clusters are backgrounds."""
    p_adjusted: float
    """The p-value, Holm-adjusted in the family of `SelectionTest`."""


@dataclass(frozen=True)
class GroupSelection:
    """One group of a grouping: its rate, its ratio to the highest rate, and tests."""

    group: str
    rates: Rates
    impact: GroupRatio
    """Ratio, flag and score interval; probes are taken as independent."""
    clustered: ClusteredEstimate
    """The same ratio, its interval from a bootstrap over backgrounds."""
    expected: ClusteredEstimate
    """Ratio of expected rates, in the same way; it decides no flag."""
    test: SelectionTest | None
    """Fisher's and the z test; probes are taken as independent. None for the reference."""
    paired: PairedTest | None
    """Exact test with the same backgrounds as partners. None for the reference."""
    notes: tuple[str, ...]
    """What to know about the group's probes; `impact.warnings` are not repeated."""


@dataclass(frozen=True)
class CurvePoint:
    """A group's selection rate if another score were the threshold."""

    group: str
    threshold: int
    selected: int
    total: int
    rate: float
    ratio: float
    """Ratio to the highest rate at this threshold; NaN where undefined and for the baseline."""
    flagged: bool | None
    """Whether the ratio is below four fifths; None where undefined and for the baseline."""


@dataclass(frozen=True)
class GroupingSelection:
    """Selection rates of the groups of one grouping in one role."""

    role: str
    grouping: str
    """Attributes by which probes are grouped, joined by ` x `."""
    threshold: int
    reference: str | None
    """Group with the highest selection rate."""
    expected_reference: str | None
    """Group with the highest expected rate."""
    n_backgrounds: int
    groups: tuple[GroupSelection, ...]
    baseline: Rates | None
    """The persona of whom nothing is stated; it takes no part in any ratio."""
    curve: tuple[CurvePoint, ...]
    """Each group at each threshold from 1 to 10."""
    baseline_curve: tuple[CurvePoint, ...]
    notes: tuple[str, ...]
    """What to know about the comparison."""
    status: Status
    reason: str | None
    """Why there is nothing to compare; None when `status` is `ok`."""


@dataclass(frozen=True)
class Selection:
    """The whole result of stage S3."""

    threshold: int
    """Smallest score that counts as selected."""
    impact_threshold: str
    """Share of the highest rate below which a group is flagged, as a fraction."""
    groupings: tuple[GroupingSelection, ...]
    """By role, then each attribute alone, then each two attributes crossed."""
