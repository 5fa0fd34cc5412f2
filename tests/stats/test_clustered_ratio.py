from math import isnan, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from isogloss.errors import StatisticsError
from isogloss.stats.clustered_ratio import Bootstrap, clustered_ratio
from isogloss.stats.results import ClusteredEstimate

HAND = 1e-12
BINOMIAL = 3.5
"""Standard errors of a simulated rate; a right procedure leaves them in 1 of 2,000 seeds."""

Table = NDArray[np.int64]


def both(sums: object, counts: object, **options: object) -> tuple[ClusteredEstimate, ...]:
    return clustered_ratio(sums, counts, 1, **options)  # type: ignore[arg-type]


def test_ratio_by_hand() -> None:
    # Group 0: 3 of 6, group 1: 5 of 8, clusters of unequal size.
    one, reference = both([[1, 3], [2, 2]], [[2, 4], [4, 4]])
    assert one.estimate == pytest.approx((3 / 6) / (5 / 8), abs=HAND)
    assert (one.n, one.n_clusters) == (6, 2)
    assert (reference.estimate, reference.status) == (1.0, "ok")
    assert isnan(reference.low)


def test_two_clusters_span_what_they_show() -> None:
    # Resamples hold only (1/2)/(4/4), (2/4)/(1/4), or the whole; the level for t on 1 df takes all.
    one, _ = both([[1, 4], [2, 1]], [[2, 4], [4, 4]])
    assert (one.low, one.high) == pytest.approx((0.5, 2.0), abs=HAND)


def test_many_clusters_against_the_delta_method() -> None:
    rng = np.random.default_rng(1)
    counts = np.full((400, 2), 5)
    sums = rng.binomial(counts, [0.4, 0.6])
    one, _ = both(sums, counts, bootstrap=Bootstrap(resamples=4000))
    rates = sums / 5 / (sums / 5).mean(axis=0)
    se = float((rates[:, 0] - rates[:, 1]).std(ddof=1)) / sqrt(400)
    expected = one.estimate * np.exp([-1.96 * se, 1.96 * se])
    assert (one.low, one.high) == pytest.approx(tuple(expected), rel=0.01)


def test_the_seed_decides() -> None:
    sums, counts = np.array([[1, 3], [2, 2], [0, 3], [3, 4]]), np.full((4, 2), 4)
    first, again, other = (both(sums, counts, bootstrap=Bootstrap(100, s))[0] for s in (1, 1, 2))
    assert first == again
    assert first != other


def test_probabilities_are_sums_as_well() -> None:
    one, _ = both([[0.25, 0.5], [0.35, 0.7]], [[1, 1], [1, 1]])
    assert one.estimate == pytest.approx(0.5, abs=HAND)


@pytest.mark.parametrize(
    ("sums", "counts", "reason"),
    [
        ([[0, 1], [0, 2]], [[0, 2], [0, 2]], "no values in the group"),
        ([[1, 0], [1, 0]], [[2, 0], [2, 0]], "no values in the reference"),
        ([[1, 0], [1, 0]], [[2, 2], [2, 2]], "the rate of the reference is 0"),
        ([[1, 1]], [[2, 2]], "1 clusters with values; 2 are needed"),
        ([[1, 1], [0, 0]], [[2, 2], [0, 0]], "1 clusters with values; 2 are needed"),
        ([[0, 1], [0, 2]], [[2, 2], [2, 2]], "every resample of the clusters has the same ratio"),
        ([[1, 1], [2, 2]], [[2, 2], [2, 2]], "every resample of the clusters has the same ratio"),
        ([[1, 0], [1, 2]], [[2, 2], [2, 2]], "a rate to divide by is missing or 0 in"),
    ],
)
def test_undefined(sums: list[list[int]], counts: list[list[int]], reason: str) -> None:
    one, _ = both(sums, counts)
    assert one.status == "not_estimable"
    assert one.reason is not None
    assert one.reason.startswith(reason)
    assert isnan(one.low)
    assert isnan(one.high)


def test_a_group_alone_has_no_ratio() -> None:
    _, alone = both([[0, 1], [0, 2]], [[0, 2], [0, 2]])
    assert alone.reason == "one group has values; nothing to compare"
    assert isnan(alone.estimate)


def test_errors() -> None:
    with pytest.raises(StatisticsError, match=r"sums has shape \(2,\)"):
        both([1, 2], [1, 2])
    with pytest.raises(StatisticsError, match="counts: a number is negative or not finite"):
        both([[1, 2]], [[1, -2]])
    with pytest.raises(StatisticsError, match="reference is 2; there are 2 groups"):
        clustered_ratio([[1, 2]], [[3, 3]], 2)
    with pytest.raises(StatisticsError, match="resamples is 50; draw 100 at least"):
        both([[1, 2]], [[3, 3]], bootstrap=Bootstrap(50))
    with pytest.raises(StatisticsError, match="alpha is 0"):
        both([[1, 2]], [[3, 3]], alpha=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("clusters", "contexts", "lowest"),
    # With 12 backgrounds the interval is still somewhat narrow, as its docstring says.
    [(12, 5, 0.90), (20, 5, 0.92), (40, 1, 0.93)],
)
def test_coverage_of_paired_groups(clusters: int, contexts: int, lowest: float) -> None:
    # Rates .4 and .7 in the same backgrounds, which differ much from one another.
    draws, rng, spread = 1200, np.random.default_rng(6), 2.0
    cuts = stats.norm.isf([0.4, 0.7]) * sqrt(1 + spread**2)
    counts = np.full((clusters, 2), contexts)
    covered = []
    for seed in range(draws):
        background = rng.normal(scale=spread, size=(clusters, 1, 1))
        answers = background + rng.normal(size=(clusters, 2, contexts)) > cuts[:, None]
        one, _ = both(answers.sum(axis=2), counts, bootstrap=Bootstrap(400, seed))
        if one.status == "ok":
            covered.append(one.low <= 0.4 / 0.7 <= one.high)
    assert len(covered) > 0.98 * draws
    assert lowest < np.mean(covered) < 0.985
