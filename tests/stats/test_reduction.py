from math import isnan, nan, sqrt

import numpy as np
import pytest
from scipy import stats

from isogloss.errors import StatisticsError
from isogloss.stats.reduction import gap_change, gap_reduction
from isogloss.stats.tests import cluster_mean

HAND = 1e-9
"""Short sums of decimals, no iteration."""
BINOMIAL = 3.5
"""Standard errors of a simulated rate; a right procedure leaves them in 1 of 2,000 seeds."""
RESAMPLED = 2.0
"""Percentage points between a bootstrap and a Fieller interval at 200 clusters: their order of
approximation, and the noise of 4,000 draws at a tail of 2.5 %."""

# Four items, two of them in one cluster; mean gaps -1 and -0.6.
BASELINE = [-0.8, -1.2, -1.1, -0.9]
MITIGATED = [-0.5, -0.8, -0.4, -0.7]
CLUSTERS = ["q1", "q1", "q2", "q3"]

# Seven items in six clusters, the fewest with an interval; mean gaps -1 and -0.6.
GAPS = [-0.8, -1.2, -1.1, -0.9, -1.0, -1.3, -0.7]
SMALLER = [-0.5, -0.8, -0.4, -0.7, -0.5, -0.9, -0.4]
SIX = ["q1", "q1", "q2", "q3", "q4", "q5", "q6"]


def simulated(
    rng: np.random.Generator, clusters: int, mean: float = -0.666, kept: float = 0.5
) -> tuple[np.ndarray, np.ndarray]:
    """Baseline and mitigated gaps of items that share an item effect."""
    shared, own, other = rng.normal(0, 0.42, size=(3, clusters))
    return mean + shared + own, kept * mean + shared + other


def fieller(baseline: np.ndarray, mitigated: np.ndarray) -> tuple[float, float]:
    """Fieller's 95 % interval of 100 (1 - mean(mitigated) / mean(baseline))."""
    n = len(baseline)
    t2 = stats.t.isf(0.025, n - 1) ** 2
    (v_b, v_bm), (_, v_m) = np.cov(baseline, mitigated) / n
    b, m = baseline.mean(), mitigated.mean()
    roots = np.roots([b**2 - t2 * v_b, -2 * (b * m - t2 * v_bm), m**2 - t2 * v_m])
    return 100 * (1 - roots.max()), 100 * (1 - roots.min())


class TestGapChange:
    def test_by_hand(self) -> None:
        # Changes .3, .4, .7, .2: mean .4; cluster sums of deviations -.1, .3, -.2;
        # se^2 = 3/2 * (.01 + .09 + .04) / 16.
        result = gap_change(BASELINE, MITIGATED, CLUSTERS)
        assert result.estimate == pytest.approx(0.4, abs=HAND)
        assert result.se == pytest.approx(sqrt(1.5 * 0.14) / 4, abs=HAND)
        assert (result.n, result.n_clusters, result.df) == (4, 3, 2)

    def test_it_is_a_clustered_mean_and_swaps(self) -> None:
        change = gap_change(GAPS, SMALLER, SIX, alpha=0.1)
        back = gap_change(SMALLER, GAPS, SIX, alpha=0.1)
        assert (back.estimate, back.low, back.high) == (-change.estimate, -change.high, -change.low)
        mean = cluster_mean(np.subtract(SMALLER, GAPS), SIX, alpha=0.1)
        assert (change.estimate, change.se, change.df) == (mean.estimate, mean.se, mean.df)

    def test_few_clusters_of_several_pairs_are_tested_exactly(self) -> None:
        # Sums of changes .7, .7, .2, all above 0: only all signs alike reach 1.6, 2 of 8.
        result = gap_change(BASELINE, MITIGATED, CLUSTERS)
        assert result.p_value == pytest.approx(2 / 8, abs=HAND)
        assert "flipping the signs" in result.method

    def test_one_pair_a_cluster_is_the_paired_t_test(self) -> None:
        result = gap_change(BASELINE, MITIGATED, ["q1", "q2", "q3", "q4"])
        wanted = stats.ttest_rel(MITIGATED, BASELINE)
        assert result.p_value == pytest.approx(float(wanted.pvalue), rel=HAND)

    @pytest.mark.slow
    def test_its_level_holds_with_few_clusters_of_unequal_size(self) -> None:
        """The t-test rejects in 21 % of these samples."""
        rng = np.random.default_rng(5)
        sizes = [1, 1, 2, 2, 3, 12, 20]
        clusters = np.repeat(np.arange(len(sizes)), sizes)
        rejected = 0
        draws = 2000
        for _ in range(draws):
            change = rng.normal(0, 1, len(sizes))[clusters] + rng.normal(0, 0.3, clusters.size)
            rejected += gap_change(np.zeros(clusters.size), change, clusters).p_value <= 0.05
        # All 128 assignments of signs: a level of 6/128 can be reached, or less.
        level = 6 / 128
        assert abs(rejected / draws - level) < BINOMIAL * sqrt(level * (1 - level) / draws)

    def test_errors_name_the_gaps(self) -> None:
        with pytest.raises(StatisticsError, match="mitigated: value 0 is nan"):
            gap_change([1.0], [nan], ["a"])
        with pytest.raises(StatisticsError, match="baseline has 1 values and mitigated has 2"):
            gap_change([1.0], [1.0, 2.0], ["a", "b"])


class TestGapReduction:
    def test_by_hand(self) -> None:
        # Mean gaps -7.0/7 and -4.2/7: 40 percent.
        result = gap_reduction(GAPS, SMALLER, SIX, seed=1)
        assert result.estimate == pytest.approx(40, abs=HAND)
        assert result.low < 40 < result.high
        assert (result.n, result.n_clusters, result.status) == (7, 6, "ok")
        assert "2000 draws, seed 1" in result.method

    def test_interval_by_hand_over_all_draws(self) -> None:
        # Two clusters, sums (-1, 0) and (-1.1, -1.1): of four equally likely draws one has
        # reduction 100, one 0, two 100 (1 - 1.1/2.1). The tails of 2.5 % are the extremes.
        result = gap_reduction([-1.0, -1.1], [0.0, -1.1], ["a", "b"], seed=2)
        assert (result.low, result.high) == pytest.approx((0, 100), abs=HAND)
        assert result.estimate == pytest.approx(100 * (1 - 1.1 / 2.1), abs=HAND)

    def test_the_sign_convention_of_the_gap_does_not_matter(self) -> None:
        one = gap_reduction(GAPS, SMALLER, SIX, seed=1)
        other = gap_reduction(np.negative(GAPS), np.negative(SMALLER), SIX, seed=1)
        assert (other.estimate, other.low, other.high) == (one.estimate, one.low, one.high)

    def test_a_gap_that_grows_is_negative_and_one_that_turns_exceeds_100(self) -> None:
        grown = gap_reduction(GAPS, np.multiply(GAPS, [2, 2.1, 2, 2, 2, 2, 2]), SIX, seed=1)
        turned = gap_reduction(GAPS, [0.3, 0.2, 0.3, 0.1, 0.2, 0.2, 0.1], SIX, seed=1)
        assert grown.estimate < -100
        assert turned.estimate > 100

    def test_the_seed_decides_the_draws(self) -> None:
        one, same, other = (gap_reduction(GAPS, SMALLER, SIX, seed=s) for s in (1, 1, 2))
        assert one == same
        assert (one.estimate, one.p_value) == (other.estimate, other.p_value)
        assert one.se != other.se

    def test_p_value_is_that_of_the_change(self) -> None:
        result = gap_reduction(GAPS, SMALLER, SIX, seed=1)
        assert result.p_value == gap_change(GAPS, SMALLER, SIX).p_value

    def test_against_fieller(self) -> None:
        baseline, mitigated = simulated(np.random.default_rng(3), 200)
        result = gap_reduction(baseline, mitigated, np.arange(200), draws=4000, seed=4)
        assert (result.low, result.high) == pytest.approx(
            fieller(baseline, mitigated), abs=RESAMPLED
        )

    def test_clusters_are_drawn_whole(self) -> None:
        # Each pair four times: the same means, and intervals that do not shrink.
        baseline, mitigated = simulated(np.random.default_rng(5), 30)
        once = gap_reduction(baseline, mitigated, np.arange(30), seed=6)
        four = gap_reduction(
            np.repeat(baseline, 4), np.repeat(mitigated, 4), np.repeat(np.arange(30), 4), seed=6
        )
        assert (four.low, four.high) == pytest.approx((once.low, once.high), abs=1e-9)

    def test_a_baseline_gap_near_0_has_no_reduction_but_a_change(self) -> None:
        baseline, mitigated = simulated(np.random.default_rng(7), 40, mean=0.0)
        result = gap_reduction(baseline, mitigated, np.arange(40), seed=1)
        assert (result.status, result.reason) == (
            "not_estimable",
            "baseline gap not different from 0",
        )
        assert all(isnan(x) for x in (result.estimate, result.low, result.high, result.p_value))
        assert (result.n, result.n_clusters) == (40, 40)
        assert gap_change(baseline, mitigated, np.arange(40)).status == "ok"

    def test_a_gap_in_few_clusters_cannot_be_told_from_0(self) -> None:
        """Three clusters of several pairs have no interval, however alike they are."""
        result = gap_reduction(BASELINE, MITIGATED, CLUSTERS, seed=1)
        assert (result.status, result.reason) == (
            "not_estimable",
            "baseline gap not different from 0",
        )

    def test_one_cluster(self) -> None:
        result = gap_reduction([-1, -1.1], [-0.5, -0.4], ["a", "a"], seed=1)
        assert (result.status, result.reason) == (
            "not_estimable",
            "baseline gap: 1 clusters; 2 are needed",
        )

    def test_a_mitigation_that_changes_nothing(self) -> None:
        result = gap_reduction(GAPS, GAPS, SIX, seed=1)
        assert (result.status, result.reason) == (
            "not_estimable",
            "change of the gap: the clusters do not differ",
        )
        assert result.estimate == 0.0
        assert isnan(result.p_value)

    def test_a_draw_without_a_baseline_gap(self) -> None:
        # The first cluster alone has no gap; a draw of nothing but it divides by 0.
        baseline = [0.0, -1.0, -1.0, -1.1, -0.9, -1.0]
        result = gap_reduction(
            baseline, [0.1, 0, -0.5, -0.4, 0, 0], list("abcdef"), draws=200_000, seed=1
        )
        assert result.status == "not_estimable"
        assert result.reason is not None
        assert result.reason.startswith("baseline gap is 0 in ")

    def test_errors(self) -> None:
        with pytest.raises(StatisticsError, match="draws is 1"):
            gap_reduction(GAPS, SMALLER, SIX, draws=1, seed=1)
        with pytest.raises(StatisticsError, match="baseline: value 0 is nan"):
            gap_reduction([nan], [1.0], ["a"], seed=1)
        with pytest.raises(StatisticsError, match="alpha is 0"):
            gap_reduction(GAPS, SMALLER, SIX, seed=1, alpha=0)

    @pytest.mark.slow
    @pytest.mark.parametrize(("clusters", "shortfall"), [(20, 0.02), (100, 0.005)])
    def test_coverage(self, clusters: int, shortfall: float) -> None:
        draws, rng = 2000, np.random.default_rng(8)
        labels = np.arange(clusters)
        results = [
            gap_reduction(*simulated(rng, clusters), labels, draws=600, seed=i)
            for i in range(draws)
        ]
        estimable = [r for r in results if r.status == "ok"]
        covered = np.mean([r.low <= 50 <= r.high for r in estimable])
        # A percentile interval is short by about the factor sqrt(1 - 1/G), and normal, not t.
        assert len(estimable) > 0.95 * draws
        assert covered == pytest.approx(0.95 - shortfall, abs=binomial_error(draws))

    @pytest.mark.slow
    def test_the_p_value_rejects_no_reduction_at_the_rate_alpha(self) -> None:
        draws, rng = 2000, np.random.default_rng(9)
        results = [
            gap_reduction(*simulated(rng, 25, kept=1.0), np.arange(25), draws=2, seed=1)
            for _ in range(draws)
        ]
        rejected = [r.p_value < 0.05 for r in results if r.status == "ok"]
        assert len(rejected) > 0.99 * draws
        assert np.mean(rejected) == pytest.approx(0.05, abs=binomial_error(draws))


def binomial_error(draws: int) -> float:
    return BINOMIAL * sqrt(0.05 * 0.95 / draws)
