"""Impact ratios of selection rates and the four-fifths rule (29 CFR 1607.4(D))."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import nan

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import check_level
from isogloss.stats.rate_ratio import METHOD, Counts, counts, rate_ratio
from isogloss.stats.results import Status

FOUR_FIFTHS = Fraction(4, 5)
"""Share of the highest selection rate below which the guidelines see adverse impact."""

SMALL_GROUP = 30
"""Group size below which a warning is given.

29 CFR 1607.4(D) says that differences based on small numbers may not be adverse impact, and names
no number; 30 is the customary size below which US contract compliance uses an exact test.
"""


@dataclass(frozen=True)
class GroupRatio:
    """Selection rate of one group, and its ratio to the highest rate."""

    group: str
    selected: int
    total: int
    rate: float
    """selected / total; NaN for 0 of 0."""
    ratio: float
    """rate / highest rate; 1 for each group that has the highest rate."""
    low: float
    """Lower end of the interval of `ratio`; 0 for a group never selected. NaN for the reference."""
    high: float
    """Upper end of the interval of `ratio`. NaN for the reference."""
    flagged: bool | None
    """Whether the ratio is below the threshold, decided in integers; None when undefined."""
    highest: bool
    """Whether no other group has a higher rate."""
    warnings: tuple[str, ...]
    """Why the ratio says little, naming the rule; empty when there is no such reason."""
    status: Status
    reason: str | None
    """Why there is no ratio; None when `status` is `ok`."""
    method: str


@dataclass(frozen=True)
class ImpactRatio:
    """Impact ratios by group, in the order given; `result[i]` is the record of group i."""

    groups: tuple[GroupRatio, ...]
    reference: str | None
    """Group with the highest rate: of several the largest, then the first. None without a rate."""
    threshold: str
    """The threshold as a fraction, `4/5`."""
    n: int
    """Observations in all groups."""
    status: Status
    """`ok` when at least two groups have a ratio."""
    reason: str | None
    """Why there is nothing to compare; None when `status` is `ok`."""
    method: str

    def __len__(self) -> int:
        return len(self.groups)

    def __iter__(self) -> Iterator[GroupRatio]:
        return iter(self.groups)

    def __getitem__(self, place: int) -> GroupRatio:
        return self.groups[place]

    @property
    def rate(self) -> tuple[float, ...]:
        """Selection rates by group."""
        return tuple(group.rate for group in self.groups)

    @property
    def ratio(self) -> tuple[float, ...]:
        """Ratios to the highest rate by group; NaN where undefined."""
        return tuple(group.ratio for group in self.groups)

    @property
    def low(self) -> tuple[float, ...]:
        """Lower ends of the intervals by group."""
        return tuple(group.low for group in self.groups)

    @property
    def high(self) -> tuple[float, ...]:
        """Upper ends of the intervals by group."""
        return tuple(group.high for group in self.groups)

    @property
    def flagged(self) -> tuple[bool | None, ...]:
        """Flags by group; None where undefined."""
        return tuple(group.flagged for group in self.groups)


def impact_ratio(
    selected: Iterable[int],
    total: Iterable[int],
    *,
    groups: Sequence[str] | None = None,
    threshold: Fraction = FOUR_FIFTHS,
    minimum: int = SMALL_GROUP,
    alpha: float = 0.05,
) -> ImpactRatio:
    """Selection rate of each group, and its ratio to the highest rate of all groups.

    With s selected of n in each group, rate = s / n and ratio = rate / max rate. A group is
    `flagged` when s / n < threshold * s_max / n_max, compared as fractions of integers: exactly
    four fifths is not flagged. All groups that share the highest rate have ratio 1. The interval is
    that of `isogloss.stats.rate_ratio.rate_ratio`, which takes observations as independent and the
    reference as chosen beforehand; as the reference has the highest of the observed rates, ratios
    and intervals lie too low when several groups have similar rates.

    A group of 0 has no ratio. When nobody was selected in any group, or one group alone has
    observations, no group has one: `flagged` is None, never False. A group that was never selected
    while others were has ratio 0, is flagged, and its interval has an upper end only. Warnings are
    given for fewer than `minimum` in the group or the reference, and for a flag that one selection
    more here and one less in the reference would turn round. `selected` and `total` have one
    integer for each group; `groups` names them (by default 0, 1, ...).

    Raises `StatisticsError` on lengths that differ, names given twice, numbers that are not whole
    or not 0 <= selected <= total, a threshold that is not a `Fraction` in (0, 1], and an alpha
    outside (0, 1).
    """
    table, names = group_counts(selected, total, groups)
    _check_threshold(threshold)
    check_level(alpha)
    reference = highest_rate(table)
    reason = _nothing_to_compare(table)
    records = tuple(
        _unknown(name, group, reason)
        if reason or reference is None or not group[1]
        else _known(name, group, names[reference], table[reference], threshold, minimum, alpha)
        for name, group in zip(names, table, strict=True)
    )
    return ImpactRatio(
        records,
        None if reference is None else names[reference],
        f"{threshold.numerator}/{threshold.denominator}",
        sum(n for _, n in table),
        "ok" if reason is None else "not_estimable",
        reason,
        METHOD,
    )


def group_counts(
    selected: Iterable[int], total: Iterable[int], groups: Sequence[str] | None
) -> tuple[tuple[Counts, ...], tuple[str, ...]]:
    """Return the counts and the names of groups; raise `StatisticsError` as `impact_ratio` does."""
    try:
        chosen, everyone = list(selected), list(total)
    except TypeError as error:
        raise StatisticsError("selected and total: pass one number for each group") from error
    names = [str(k) for k in range(len(everyone))] if groups is None else list(groups)
    if not len(chosen) == len(everyone) == len(names):
        raise StatisticsError(
            f"selected has {len(chosen)} groups, total {len(everyone)} and groups {len(names)}; "
            "give each group one number of each"
        )
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise StatisticsError(f"groups: {repeated[0]!r} is given twice; name each group once")
    labels = [(f"selected of group {name}", f"total of group {name}") for name in names]
    table = (counts(s, n, label) for s, n, label in zip(chosen, everyone, labels, strict=True))
    return tuple(table), tuple(names)


def highest_rate(table: Sequence[Counts]) -> int | None:
    """Place of the group with the highest rate; of several the largest, then the first."""
    places = [place for place, (_, n) in enumerate(table) if n]
    if not places:
        return None
    return max(places, key=lambda place: (Fraction(*table[place]), table[place][1]))


def _nothing_to_compare(table: Sequence[Counts]) -> str | None:
    with_rate = [group for group in table if group[1]]
    if len(table) < 2:
        return "one group; nothing to compare" if table else "no groups"
    if len(with_rate) < 2:
        which = "one group has" if with_rate else "no group has"
        return f"{which} observations; nothing to compare"
    if not any(s for s, _ in with_rate):
        return "nobody was selected in any group; a ratio to 0 is undefined"
    return None


def _unknown(name: str, group: Counts, reason: str | None) -> GroupRatio:
    selected, total = group
    rate = selected / total if total else nan
    why = (reason or "") if total else "0 of 0: no rate"
    return GroupRatio(
        name, selected, total, rate, nan, nan, nan, None, False, (), "not_estimable", why, METHOD
    )


def _known(
    name: str,
    group: Counts,
    reference: str,
    best: Counts,
    threshold: Fraction,
    minimum: int,
    alpha: float,
) -> GroupRatio:
    rate, highest = Fraction(*group), Fraction(*best)
    flagged = rate < threshold * highest
    ends = (nan, nan)
    if name != reference:
        interval = rate_ratio(*group, *best, alpha=alpha)
        ends = (interval.low, interval.high)
    return GroupRatio(
        name,
        *group,
        float(rate),
        float(rate / highest),
        *ends,
        flagged,
        rate == highest,
        tuple(_warnings(name, group, reference, best, flagged, minimum)),
        "ok",
        None,
        METHOD,
    )


def _warnings(
    name: str, group: Counts, reference: str, best: Counts, flagged: bool, minimum: int
) -> Iterator[str]:
    if min(group[1], best[1]) < minimum:
        there = "" if name == reference else f" and {best[1]} in {reference}"
        yield (
            f"small numbers: {group[1]} here{there}, fewer than {minimum} in a group "
            "(29 CFR 1607.4(D): differences based on small numbers may not be adverse impact)"
        )
    # A flagged group has a free place, and its reference somebody selected.
    if flagged and Fraction(group[0] + 1, group[1]) > Fraction(best[0] - 1, best[1]):
        yield (
            f"one selection more here and one less in {reference} would give this group the higher "
            "rate (the agencies' Questions and Answers of 1979 on 29 CFR 1607 see too small a "
            "difference in that)"
        )


def _check_threshold(threshold: Fraction) -> None:
    if not isinstance(threshold, Fraction) or not 0 < threshold <= 1:
        raise StatisticsError(
            f"threshold is {threshold!r}; pass a Fraction above 0 and up to 1, as Fraction(4, 5)"
        )
