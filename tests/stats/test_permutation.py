"""Exact sign-flip test: by hand, against scipy, and its level where the t-test's is wrong."""

from math import isnan

import numpy as np
import pytest
from scipy import stats

from isogloss.errors import StatisticsError
from isogloss.stats.permutation import MAX_CLUSTERS, cluster_sign_flip, exact_where_few
from isogloss.stats.results import SignFlipEstimate
from isogloss.stats.tests import cluster_mean, equivalence_from

# Both sides count the same assignments, so that p-values agree up to rounding.
ROUNDING = 1e-12


def test_three_clusters_by_hand() -> None:
    # Sums 3, 2 and 1. Of the 8 assignments only +++ and --- reach |6|: p = 2/8.
    result = cluster_sign_flip([1.0, 2.0, 2.0, 1.0], ["a", "a", "b", "c"])
    assert result.p_value == 0.25
    assert result.estimate == 1.5
    assert (result.n, result.n_clusters, result.status) == (4, 3, "ok")


def test_ties_count_by_hand() -> None:
    # Sums 0.1, 0.2 and 0.3, and |0.6| is reached by +++ and --- only; with -0.3 the total is 0,
    # which every assignment reaches.
    assert cluster_sign_flip([0.1, 0.2, 0.3], [1, 2, 3]).p_value == 0.25
    assert cluster_sign_flip([0.1, 0.2, -0.3], [1, 2, 3]).p_value == 1.0


def test_equals_scipy() -> None:
    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(9), rng.integers(1, 5, 9))
    values = rng.normal(0.4, 1.0, clusters.size)
    sums = np.bincount(clusters, weights=values)
    reference = stats.permutation_test(
        (sums,), np.sum, permutation_type="samples", n_resamples=10**6, vectorized=False
    )
    found = cluster_sign_flip(values, clusters)
    assert found.p_value == pytest.approx(reference.pvalue, abs=ROUNDING)


def test_swapping_signs_keeps_p_and_flips_the_estimate() -> None:
    values, clusters = np.array([0.3, -0.1, 0.8, 0.2]), [1, 1, 2, 3]
    one, other = cluster_sign_flip(values, clusters), cluster_sign_flip(-values, clusters)
    assert (one.p_value, one.estimate) == (other.p_value, -other.estimate)


def test_no_values_is_not_estimable() -> None:
    result = cluster_sign_flip([], [])
    assert (result.status, result.reason) == ("not_estimable", "no values")
    assert np.isnan(result.p_value)


def test_too_many_clusters_are_refused() -> None:
    with pytest.raises(StatisticsError, match=f"at most|{MAX_CLUSTERS}"):
        cluster_sign_flip(np.ones(MAX_CLUSTERS + 1), np.arange(MAX_CLUSTERS + 1))


@pytest.mark.slow
def test_level_with_few_clusters_of_unequal_size() -> None:
    """Ten clusters of which one is large: the exact test holds 5 %, the t-test does not."""
    rng = np.random.default_rng(11)
    sizes = np.array([12, 1, 1, 1, 2, 1, 1, 2, 1, 1])
    clusters = np.repeat(np.arange(sizes.size), sizes)
    runs = 2000
    exact = approximate = 0
    for _ in range(runs):
        values = rng.normal(size=sizes.size)[clusters] + rng.normal(0.0, 0.5, clusters.size)
        exact += cluster_sign_flip(values, clusters).p_value < 0.05
        approximate += cluster_mean(values, clusters).p_value < 0.05
    error = 3.5 * np.sqrt(0.05 * 0.95 / runs)
    assert exact / runs <= 0.05 + error
    assert approximate / runs > 0.05 + error


def test_few_clusters_get_the_exact_p_and_no_interval_where_nothing_can_be_rejected() -> None:
    values, clusters = [1.0, 2.0, 2.0, 1.0], ["a", "a", "b", "c"]
    by_t = cluster_mean(values, clusters)
    found = exact_where_few(by_t, values, clusters)
    assert found.p_value == 0.25 != by_t.p_value  # by hand, as above
    # Of 8 ways to give signs one alone is 12.5 %, more than 2.5 % at either end.
    assert isnan(found.low)
    assert isnan(found.high)
    assert (found.se, found.df, found.n_clusters) == (by_t.se, by_t.df, 3)
    assert found.method.startswith(by_t.method)


def test_interval_of_three_clusters_by_hand() -> None:
    """Sums 3, 2, 1 over 2, 1, 1 values: the means of the seven sets, in order.

    c 1; a and c 4/3; a, b and c 6/4; a 3/2; b and c 3/2; a and b 5/3; b 2.
    """
    values, clusters = [1.0, 2.0, 2.0, 1.0], ["a", "a", "b", "c"]
    found = exact_where_few(cluster_mean(values, clusters), values, clusters, alpha=0.6)
    assert isinstance(found, SignFlipEstimate)
    assert found.subset_means.tolist() == pytest.approx([1, 4 / 3, 1.5, 1.5, 1.5, 5 / 3, 2])
    # One-sided at 0.3: (1 + c) / 8 is below it for c of 0 and 1, so the second mean from each end.
    assert (found.low, found.high) == pytest.approx((4 / 3, 5 / 3))


def test_equivalence_of_three_clusters_by_hand() -> None:
    values, clusters = [1.0, 2.0, 2.0, 1.0], ["a", "a", "b", "c"]
    estimate = exact_where_few(cluster_mean(values, clusters), values, clusters)
    # Means of 1.6 or more: 5/3 and 2. Of -1.6 or less: none. (1 + 2) / 8.
    assert equivalence_from(estimate, 1.6).p_value == 3 / 8
    assert equivalence_from(estimate, 2.0).p_value == 2 / 8  # a tie counts
    assert equivalence_from(estimate, 2.1).p_value == 1 / 8
    loose = equivalence_from(estimate, 2.1, alpha=0.3)
    assert loose.equivalent
    assert (loose.low, loose.high) == pytest.approx((4 / 3, 5 / 3))
    assert not equivalence_from(estimate, 1.6, alpha=0.3).equivalent


@pytest.mark.parametrize("seed", range(4))
def test_interval_and_equivalence_are_the_flips_of_moved_values(seed: int) -> None:
    """Against the test itself, of the values less each mean: rejected without, kept within."""
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(8), [1, 5, 2, 1, 3, 9, 1, 2])
    values = rng.normal(0.3, 1.0, 8)[clusters] + rng.normal(0, 0.4, clusters.size)
    found = exact_where_few(cluster_mean(values, clusters), values, clusters)
    step = 1e-9
    for end, inwards in ((found.low, step), (found.high, -step)):
        assert cluster_sign_flip(values - (end - inwards), clusters).p_value < 0.05
        assert cluster_sign_flip(values - (end + inwards), clusters).p_value >= 0.05
    bound = 0.9
    sides = [cluster_sign_flip(values + move, clusters).p_value / 2 for move in (bound, -bound)]
    assert abs(values.mean()) < bound  # so that each half is the p-value of the right side
    assert equivalence_from(found, bound).p_value == pytest.approx(max(sides), abs=1e-12)


def test_coverage_and_false_equivalence_with_few_clusters_of_unequal_size() -> None:
    """The true mean is 1, which is also the bound: equivalence at 5 % is false.

    The interval of the t distribution leaves out the truth in 20 % of these samples.
    """
    rng = np.random.default_rng(12)
    sizes = np.array([1, 1, 2, 2, 3, 12, 20])
    clusters = np.repeat(np.arange(sizes.size), sizes)
    runs = 2000
    missed = equivalent = by_t_missed = by_t_equivalent = 0
    for _ in range(runs):
        values = rng.normal(1, 1, sizes.size)[clusters] + rng.normal(0.0, 0.3, clusters.size)
        by_t = cluster_mean(values, clusters)
        exact = exact_where_few(by_t, values, clusters)
        missed += not exact.low <= 1 <= exact.high
        equivalent += equivalence_from(exact, 1.0).equivalent
        by_t_missed += not by_t.low <= 1 <= by_t.high
        by_t_equivalent += equivalence_from(by_t, 1.0).equivalent
    error = 3.5 * np.sqrt(0.05 * 0.95 / runs)
    assert missed / runs <= 0.05 + error
    assert equivalent / runs <= 0.05 + error
    assert by_t_missed / runs > 0.05 + error
    assert by_t_equivalent / runs > 0.05 + error


def test_many_clusters_and_no_estimate_stay_as_they_are() -> None:
    many = np.arange(MAX_CLUSTERS + 1)
    by_t = cluster_mean(many % 3, many)
    assert exact_where_few(by_t, many % 3, many) == by_t
    alone = cluster_mean([2.0, 2.5], ["a", "a"])
    assert alone.status == "not_estimable"
    assert exact_where_few(alone, [2.0, 2.5], ["a", "a"]) is alone
