"""Exact sign-flip test: by hand, against scipy, and its level where the t-test's is wrong."""

import numpy as np
import pytest
from scipy import stats

from isogloss.errors import StatisticsError
from isogloss.stats.permutation import MAX_CLUSTERS, cluster_sign_flip, exact_where_few
from isogloss.stats.tests import cluster_mean

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


def test_few_clusters_get_the_exact_p_and_keep_the_interval() -> None:
    values, clusters = [1.0, 2.0, 2.0, 1.0], ["a", "a", "b", "c"]
    by_t = cluster_mean(values, clusters)
    found = exact_where_few(by_t, values, clusters)
    assert found.p_value == 0.25 != by_t.p_value  # by hand, as above
    assert (found.low, found.high, found.n_clusters) == (by_t.low, by_t.high, 3)
    assert found.method.startswith(by_t.method)


def test_many_clusters_and_no_estimate_stay_as_they_are() -> None:
    many = np.arange(MAX_CLUSTERS + 1)
    by_t = cluster_mean(many % 3, many)
    assert exact_where_few(by_t, many % 3, many) == by_t
    alone = cluster_mean([2.0, 2.5], ["a", "a"])
    assert alone.status == "not_estimable"
    assert exact_where_few(alone, [2.0, 2.5], ["a", "a"]) is alone
