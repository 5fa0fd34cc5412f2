"""Stage S3 of an audit: selection rates at a threshold, compared between groups."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import comb, isnan, nan

import numpy as np

from isogloss.audit.groupings import (
    Grouping,
    Members,
    baseline,
    check_probes,
    context,
    groupings,
)
from isogloss.audit.records import Probe
from isogloss.audit.selection_results import (
    CurvePoint,
    GroupingSelection,
    GroupSelection,
    PairedTest,
    Rates,
)
from isogloss.audit.selection_results import Selection as Selection
from isogloss.audit.settings import AuditSettings
from isogloss.score.responses import MISSING
from isogloss.stats.arrays import Values
from isogloss.stats.clustered_ratio import Bootstrap, clustered_ratio
from isogloss.stats.results import ClusteredEstimate
from isogloss.stats.selection import FOUR_FIFTHS, ImpactRatio, impact_ratio
from isogloss.stats.selection_tests import paired_selection, selection_tests
from isogloss.stats.shares import share
from isogloss.stats.tests import adjust

SCORES = range(1, 11)
"""The scores that a probe can give, each of which can be the threshold."""

BASELINE = "not stated"
"""Name of the persona of whom no attribute is stated, in curves."""

FEW_BACKGROUNDS = 20
"""Number of backgrounds below which the bootstrap interval may be too narrow."""


def select(probes: Sequence[Probe], settings: AuditSettings) -> Selection:
    """Compare selection rates in each role, by each attribute and each two attributes.

    A probe is selected when its most probable score is at least `settings.threshold`. For each
    group: its rate; the ratio to the highest rate with the four-fifths flag, decided in integers,
    and the score interval; the same ratio with an interval from resampling whole backgrounds, since
    every group is asked about the same ones; Fisher's and the z test against the highest rate, and
    the exact paired test; the ratio of expected rates. A family of tests is a role and a grouping.

    Raises `ResponseError` when a persona lacks a background or has one twice, or a value is no
    score from 1 to 10.
    """
    check_probes(probes)
    found: list[GroupingSelection] = []
    for role in dict.fromkeys(probe.role for probe in probes):
        of_role = [probe for probe in probes if probe.role == role]
        unstated = baseline(of_role)
        found += [_compare(role, one, unstated, settings) for one in groupings(of_role)]
    share_asked = f"{FOUR_FIFTHS.numerator}/{FOUR_FIFTHS.denominator}"
    return Selection(settings.threshold, share_asked, tuple(found))


def _compare(
    role: str, grouping: Grouping, unstated: Sequence[Probe], settings: AuditSettings
) -> GroupingSelection:
    members, t = grouping.members, settings.threshold
    impact = _impact(members, t, settings.alpha)
    best = _highest_expected(members, t)
    return GroupingSelection(
        role,
        grouping.name,
        t,
        impact.reference,
        None if best is None else members[best].group,
        len(_backgrounds(members)),
        _groups(grouping, impact, best, f"{role} | {grouping.name}", settings),
        _rates(unstated, settings) if unstated else None,
        tuple(point for score in SCORES for point in _curve(members, score, settings.alpha)),
        tuple(_baseline_point(unstated, score) for score in SCORES if unstated),
        tuple(_notes(grouping)),
        impact.status,
        grouping.reason or impact.reason,
    )


def _groups(
    grouping: Grouping,
    impact: ImpactRatio,
    best: int | None,
    family: str,
    settings: AuditSettings,
) -> tuple[GroupSelection, ...]:
    members, t = grouping.members, settings.threshold
    names = [one.group for one in members]
    highest = names.index(impact.reference) if impact.reference is not None else None
    clustered = _clustered(members, partial(_selected, threshold=t), highest, settings)
    expected = _clustered(members, partial(_chance, threshold=t), best, settings)
    selected, total = _counts(members, t)
    tests = selection_tests(selected, total, family=family, groups=names, alpha=settings.alpha)
    by_group = {test.group: test for test in tests}
    paired = _paired(grouping, highest, t)
    return tuple(
        GroupSelection(
            one.group,
            _rates(one.probes, settings),
            impact[k],
            clustered[k],
            expected[k],
            by_group.get(one.group),
            paired.get(one.group),
            tuple(_missing_notes(one.probes)),
        )
        for k, one in enumerate(members)
    )


def _selected(probe: Probe, threshold: int) -> float:
    """1 for a score of at least the threshold, 0 for another, NaN without a score."""
    if probe.outcome != "ok" or probe.modal is None:
        return nan
    return float(probe.modal >= threshold)


def _chance(probe: Probe, threshold: int) -> float:
    """Probability of a score of at least the threshold, NaN without a distribution."""
    if probe.outcome != "ok" or probe.probabilities is None:
        return nan
    return float(sum(probe.probabilities[threshold - 1 :]))


def _count(probes: Sequence[Probe], threshold: int) -> tuple[int, int]:
    known = [value for probe in probes if not isnan(value := _selected(probe, threshold))]
    return int(sum(known)), len(known)


def _counts(members: Sequence[Members], threshold: int) -> tuple[list[int], list[int]]:
    pairs = [_count(one.probes, threshold) for one in members]
    return [selected for selected, _ in pairs], [total for _, total in pairs]


def _impact(members: Sequence[Members], threshold: int, alpha: float) -> ImpactRatio:
    names = [one.group for one in members]
    return impact_ratio(
        *_counts(members, threshold), groups=names, threshold=FOUR_FIFTHS, alpha=alpha
    )


def _rates(probes: Sequence[Probe], settings: AuditSettings) -> Rates:
    selected, total = _count(probes, settings.threshold)
    chances = [_chance(probe, settings.threshold) for probe in probes]
    known = [chance for chance in chances if not isnan(chance)]
    return Rates(
        len(probes),
        len(probes) - total,
        _missing(probes),
        selected,
        total,
        share(selected, total, alpha=settings.alpha),
        float(np.mean(known)) if known else nan,
        len(known),
    )


def _missing(probes: Sequence[Probe]) -> tuple[tuple[str, int], ...]:
    counts = Counter(probe.outcome for probe in probes)
    return tuple((outcome, counts[outcome]) for outcome in MISSING if counts[outcome])


def _backgrounds(members: Sequence[Members]) -> list[str]:
    return list(dict.fromkeys(probe.profile for one in members for probe in one.probes))


def _table(members: Sequence[Members], value: Callable[[Probe], float]) -> tuple[Values, Values]:
    """Sums of values and their numbers, shape (backgrounds, groups); missing ones left out."""
    rows = {name: row for row, name in enumerate(_backgrounds(members))}
    sums, counts = np.zeros((2, len(rows), len(members)))
    for column, one in enumerate(members):
        for probe in one.probes:
            number = value(probe)
            if not isnan(number):
                sums[rows[probe.profile], column] += number
                counts[rows[probe.profile], column] += 1
    return sums, counts


def _highest_expected(members: Sequence[Members], threshold: int) -> int | None:
    sums, counts = (
        part.sum(axis=0) for part in _table(members, partial(_chance, threshold=threshold))
    )
    if not counts.any():
        return None
    return int(np.argmax(np.where(counts > 0, sums, -1.0) / np.maximum(counts, 1)))


def _clustered(
    members: Sequence[Members],
    value: Callable[[Probe], float],
    reference: int | None,
    settings: AuditSettings,
) -> tuple[ClusteredEstimate, ...]:
    bootstrap = Bootstrap(settings.bootstrap_draws, settings.seed)
    sums, counts = _table(members, value)
    # Without a reference no group has a value, which `clustered_ratio` says of each.
    return clustered_ratio(sums, counts, reference or 0, bootstrap=bootstrap, alpha=settings.alpha)


def _paired(grouping: Grouping, highest: int | None, threshold: int) -> dict[str, PairedTest]:
    """Test each group against the one at `highest`, whose probes are its partners."""
    if highest is None:
        return {}
    others = [one for k, one in enumerate(grouping.members) if k != highest]
    partners = _by_place(grouping, grouping.members[highest], threshold)
    found = [_paired_test(_by_place(grouping, one, threshold), partners) for one in others]
    size = comb(len(grouping.members), 2)
    adjusted = adjust([test.p_value for test in found], "holm", size)
    return {
        one.group: PairedTest(test, float(p))
        for one, test, p in zip(others, found, adjusted, strict=True)
    }


Place = tuple[str, tuple[str, ...]]
"""A background and the values of attributes that the grouping does not compare."""


def _by_place(grouping: Grouping, one: Members, threshold: int) -> dict[Place, float]:
    values = {
        (probe.profile, context(probe, grouping.attributes)): _selected(probe, threshold)
        for probe in one.probes
    }
    return {place: value for place, value in values.items() if not isnan(value)}


def _paired_test(first: dict[Place, float], second: dict[Place, float]) -> ClusteredEstimate:
    both = [place for place in first if place in second]
    backgrounds = [background for background, _ in both]
    return paired_selection([first[p] for p in both], [second[p] for p in both], backgrounds)


def _curve(members: Sequence[Members], threshold: int, alpha: float) -> Iterator[CurvePoint]:
    for one in _impact(members, threshold, alpha):
        yield CurvePoint(
            one.group, threshold, one.selected, one.total, one.rate, one.ratio, one.flagged
        )


def _baseline_point(probes: Sequence[Probe], threshold: int) -> CurvePoint:
    selected, total = _count(probes, threshold)
    rate = selected / total if total else nan
    return CurvePoint(BASELINE, threshold, selected, total, rate, nan, None)


def _notes(grouping: Grouping) -> Iterator[str]:
    backgrounds = len(_backgrounds(grouping.members))
    if grouping.left_out:
        yield (
            f"{grouping.left_out} probes are left out: not every group was asked about with the "
            "same values of the other attributes"
        )
    if 0 < backgrounds < FEW_BACKGROUNDS:
        yield (
            f"{backgrounds} backgrounds: with fewer than {FEW_BACKGROUNDS} the bootstrap interval "
            "can be too narrow"
        )
    if any(len(one.probes) > backgrounds for one in grouping.members):
        yield (
            "each background is used more than once in a group: the score interval, Fisher's test "
            "and the z test take probes as independent, the bootstrap and the paired test do not"
        )


def _missing_notes(probes: Sequence[Probe]) -> Iterator[str]:
    missing = _missing(probes)
    number = sum(count for _, count in missing)
    if not number:
        return
    what = ", ".join(f"{outcome} {count}" for outcome, count in missing)
    if number == len(probes):
        yield f"none of {number} probes has a value ({what})"
    else:
        yield (
            f"{number} of {len(probes)} probes have no value ({what}); they count neither as "
            "selected nor as not selected"
        )
    if dict(missing).get("refusal"):
        yield "a model that refuses one group more than another treats them differently by that"
