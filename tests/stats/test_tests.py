from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from math import atan, isnan, nan, pi, sqrt
from typing import Literal

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

from isogloss.errors import StatisticsError
from isogloss.stats.results import Equivalence, Estimate, Verdict
from isogloss.stats.tests import (
    Adjustment,
    adjust,
    cluster_mean,
    equivalence_from,
    equivalence_paired,
    mann_whitney,
    paired_t,
    repeated_mean,
    verdict,
    welch_t,
)

HAND = 1e-6
"""Hand arithmetic is carried to seven digits."""
SAME_FORMULA = 1e-10
"""The same closed form in another order of operations: rounding, amplified by subtraction."""
BINOMIAL = 3.5
"""Standard errors of a simulated rate; a right procedure leaves them in 1 of 2,000 seeds."""

A, B = [3, 5, 4, 8], [1, 4, 4, 5]
# a - b = 2, 1, 0, 3: mean 1.5, squares of deviations .25 + .25 + 2.25 + 2.25 = 5, variance 5/3,
# se = sqrt(5/3 / 4) = sqrt(5/12), t = 1.5 / sqrt(5/12) = sqrt(5.4), df = 3.
# With 3 df, P(T <= t) = 1/2 + (u / (1 + u^2) + atan u) / pi with u = t / sqrt 3 = sqrt 1.8.
U = sqrt(1.8)
P_AB = 1 - 2 * (U / 2.8 + atan(U)) / pi
T_975_3 = 3.1824463053


def binomial_error(rate: float, draws: int) -> float:
    return BINOMIAL * sqrt(rate * (1 - rate) / draws)


def numbers_of(result: Estimate) -> tuple[float, ...]:
    return result.estimate, result.low, result.high, result.p_value


class TestPairedT:
    def test_by_hand(self) -> None:
        result = paired_t(A, B)
        margin = T_975_3 * sqrt(5 / 12)
        assert numbers_of(result) == pytest.approx(
            (1.5, 1.5 - margin, 1.5 + margin, P_AB), abs=HAND
        )
        assert (result.n, result.df, result.status, result.reason) == (4, 3, "ok", None)
        assert result.se == pytest.approx(sqrt(5 / 12), abs=HAND)

    @pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
    def test_against_scipy(self, alpha: float) -> None:
        a, b = np.random.default_rng(1).normal(3, 1, size=(2, 40))
        reference = stats.ttest_rel(a, b)
        low, high = reference.confidence_interval(1 - alpha)
        result = paired_t(a, b, alpha=alpha)
        expected = (np.mean(a - b), low, high, reference.pvalue)
        assert numbers_of(result) == pytest.approx(expected, rel=SAME_FORMULA)

    def test_swapping_flips_every_sign_exactly(self) -> None:
        a, b = np.random.default_rng(2).normal(3, 1, size=(2, 33))
        one, other = paired_t(a, b), paired_t(b, a)
        assert numbers_of(other) == (-one.estimate, -one.high, -one.low, one.p_value)

    @pytest.mark.parametrize(
        ("a", "b", "estimate", "reason"),
        [
            ([], [], nan, "0 pairs; 2 are needed"),
            ([4], [1], 3.0, "1 pairs; 2 are needed"),
            ([2, 3, 4], [1, 2, 3], 1.0, "all differences are equal"),
            ([2, 3, 4], [2, 3, 4], 0.0, "all differences are equal"),
            ([0.1 + 0.6, 0.2 + 0.6, 0.3 + 0.6], [0.1, 0.2, 0.3], 0.6, "all differences are equal"),
        ],
    )
    def test_without_variation_there_is_no_p_value(
        self, a: list[float], b: list[float], estimate: float, reason: str
    ) -> None:
        result = paired_t(a, b)
        assert result.status == "not_estimable"
        assert result.reason == reason
        assert result.estimate == pytest.approx(estimate, nan_ok=True)
        assert all(isnan(x) for x in (result.low, result.high, result.p_value, result.se))

    def test_a_missing_value_and_an_unpaired_one_are_errors(self) -> None:
        with pytest.raises(StatisticsError, match="b: value 1 is nan"):
            paired_t([1, 2], [1, nan])
        with pytest.raises(StatisticsError, match="a has 2 values and b has 3"):
            paired_t([1, 2], [1, 2, 3])
        with pytest.raises(StatisticsError, match="alpha is 1"):
            paired_t([1, 2], [2, 1], alpha=1)

    @pytest.mark.slow
    def test_null_rejections_and_coverage(self) -> None:
        draws, rng = 4000, np.random.default_rng(3)
        results = [paired_t(*rng.normal(size=(2, 15))) for _ in range(draws)]
        rejected = np.mean([r.p_value < 0.05 for r in results])
        covered = np.mean([r.low <= 0 <= r.high for r in results])
        assert rejected == pytest.approx(0.05, abs=binomial_error(0.05, draws))
        assert covered == pytest.approx(0.95, abs=binomial_error(0.95, draws))


class TestWelchT:
    def test_by_hand(self) -> None:
        # means 2 and 5; variances 1 and 20/3; se^2 = 1/3 + 5/3 = 2;
        # df = 2^2 / ((1/3)^2 / 2 + (5/3)^2 / 3) = 4 / (53/54) = 216/53.
        result = welch_t([1, 2, 3], [2, 4, 6, 8])
        assert result.estimate == -3
        assert result.se == pytest.approx(sqrt(2), abs=HAND)
        assert result.df == pytest.approx(216 / 53, abs=HAND)
        assert result.n == 7

    def test_against_scipy(self) -> None:
        rng = np.random.default_rng(4)
        x, y = rng.normal(0, 1, 12), rng.normal(1, 3, 30)
        reference = stats.ttest_ind(x, y, equal_var=False)
        low, high = reference.confidence_interval(0.95)
        expected = (x.mean() - y.mean(), low, high, reference.pvalue)
        assert numbers_of(welch_t(x, y)) == pytest.approx(expected, rel=SAME_FORMULA)

    def test_swapping_flips_every_sign_exactly(self) -> None:
        rng = np.random.default_rng(5)
        x, y = rng.normal(size=9), rng.normal(size=14)
        one, other = welch_t(x, y), welch_t(y, x)
        assert numbers_of(other) == (-one.estimate, -one.high, -one.low, one.p_value)

    @pytest.mark.parametrize(
        ("x", "y", "reason"),
        [
            ([1], [1, 2], "samples of 1 and 2; 2 are needed in each"),
            ([], [], "samples of 0 and 0; 2 are needed in each"),
            ([1, 1], [2, 2, 2], "both samples are constant"),
        ],
    )
    def test_undefined(self, x: list[float], y: list[float], reason: str) -> None:
        result = welch_t(x, y)
        assert (result.status, result.reason) == ("not_estimable", reason)
        assert isnan(result.p_value)

    def test_one_constant_sample_is_no_obstacle(self) -> None:
        # y alone varies: variance 4/3, se^2 = (4/3) / 4, and its 3 df.
        result = welch_t([5, 5, 5], [1, 3, 1, 3])
        assert result.se == pytest.approx(sqrt(4 / 3 / 4), abs=HAND)
        assert result.df == pytest.approx(3, abs=HAND)

    @pytest.mark.slow
    def test_null_rejections_with_unequal_variances(self) -> None:
        draws, rng = 4000, np.random.default_rng(6)
        results = [welch_t(rng.normal(0, 1, 30), rng.normal(0, 3, 20)) for _ in range(draws)]
        rejected = np.mean([r.p_value < 0.05 for r in results])
        # Satterthwaite's df are an approximation, at these sizes within 0.3 points of alpha.
        assert rejected == pytest.approx(0.05, abs=binomial_error(0.05, draws) + 0.003)


class TestMannWhitney:
    def test_exact_by_hand(self) -> None:
        # No x exceeds a y: U = 0, r = 1; 2 of the C(5, 2) = 10 splits are as extreme.
        result = mann_whitney([1, 2], [3, 4, 5])
        assert (result.estimate, result.n) == (1.0, 5)
        assert result.p_value == pytest.approx(0.2, abs=HAND)
        assert result.method.startswith("Mann-Whitney U, exact;")

    def test_ties_by_hand(self) -> None:
        # One tie in four pairs: U = 1/2, r = 1 - 2 (1/2) / 4 = 3/4. Ranks 1, 2.5, 2.5, 4; the rank
        # sums of the six splits are 3.5, 3.5, 5, 5, 6.5, 6.5, of which four lie 1.5 from 5.
        result = mann_whitney([1, 2], [2, 3])
        assert result.estimate == 0.75
        assert result.p_value == pytest.approx(2 / 3, abs=HAND)
        assert "exact by permutation" in result.method

    @pytest.mark.parametrize(
        ("x", "y", "expected"),
        [
            ([1], [1], 1.0),
            ([1], [2], 1.0),
            # Ranks 1.5, 1.5, 3, 4 around 2.5: three places are 1 or more from it, of four.
            ([1], [1, 2, 3], 3 / 4),
            ([1, 2, 3], [1], 3 / 4),
            # Ranks 1, 2.5, 2.5, 4: two places are 1.5 or more from the middle.
            ([9], [2, 2, 1], 2 / 4),
        ],
    )
    def test_a_sample_of_one_by_hand(self, x: list[float], y: list[float], expected: float) -> None:
        result = mann_whitney(x, y)
        assert result.status == "ok"
        assert result.p_value == pytest.approx(expected, abs=HAND)

    def test_ties_against_all_splits(self) -> None:
        rng = np.random.default_rng(7)
        x, y = rng.integers(1, 5, 6), rng.integers(2, 6, 5)
        ranks = stats.rankdata(np.concatenate([x, y]))
        sums = np.array([sum(split) for split in combinations(ranks, 6)])
        distance = np.abs(sums - 36)
        expected = np.mean(distance >= abs(ranks[:6].sum() - 36))
        assert mann_whitney(x, y).p_value == pytest.approx(expected, rel=SAME_FORMULA)

    @pytest.mark.parametrize("method", ["exact", "asymptotic"])
    def test_against_scipy(self, method: Literal["exact", "asymptotic"]) -> None:
        rng = np.random.default_rng(8)
        x, y = rng.normal(0, 1, 25), rng.normal(0.5, 1, 30)
        if method == "asymptotic":
            x, y = np.round(x), np.round(y)
        reference = stats.mannwhitneyu(x, y, method=method)
        result = mann_whitney(x, y)
        assert result.p_value == pytest.approx(reference.pvalue, rel=SAME_FORMULA)
        assert ("exact" in result.method) == (method == "exact")

    def test_equal_values_are_no_evidence(self) -> None:
        result = mann_whitney([3] * 20, [3] * 30)
        assert (result.estimate, result.p_value, result.status) == (0.0, 1.0, "ok")

    def test_swapping_flips_the_sign_exactly(self) -> None:
        rng = np.random.default_rng(9)
        x, y = rng.integers(1, 6, 21), rng.integers(1, 6, 34)
        one, other = mann_whitney(x, y), mann_whitney(y, x)
        assert other.estimate == -one.estimate
        assert other.p_value == pytest.approx(one.p_value, rel=SAME_FORMULA)

    def test_an_empty_sample_has_no_test(self) -> None:
        result = mann_whitney([], [1, 2])
        assert (result.status, result.reason) == (
            "not_estimable",
            "samples of 0 and 2; 1 is needed in each",
        )
        assert isnan(result.p_value)

    @pytest.mark.slow
    @pytest.mark.parametrize(("n1", "n2"), [(5, 6), (40, 50)])
    def test_null_rejections(self, n1: int, n2: int) -> None:
        draws, rng = 1000, np.random.default_rng(10)
        results = [
            mann_whitney(rng.integers(1, 6, n1), rng.integers(1, 6, n2)) for _ in range(draws)
        ]
        rejected = np.mean([r.p_value < 0.05 for r in results])
        # A discrete statistic rejects at most alpha; with few values, clearly less.
        assert 0.01 < rejected < 0.05 + binomial_error(0.05, draws)


class TestClusterMean:
    VALUES, CLUSTERS = [1, 3, 5, 7, 2], ["a", "a", "b", "b", "c"]

    def test_by_hand(self) -> None:
        # mean 18/5 = 3.6; sums of deviations 4 - 7.2 = -3.2, 12 - 7.2 = 4.8, 2 - 3.6 = -1.6;
        # squares 10.24 + 23.04 + 2.56 = 35.84; se^2 = 3/2 * 35.84 / 25 = 2.1504;
        # t^2 = 12.96 / 2.1504; with 2 df, p = 1 - t / sqrt(2 + t^2).
        result = cluster_mean(self.VALUES, self.CLUSTERS)
        t2 = 12.96 / 2.1504
        assert result.estimate == pytest.approx(3.6, abs=HAND)
        assert result.se == pytest.approx(sqrt(2.1504), abs=HAND)
        assert result.p_value == pytest.approx(1 - sqrt(t2 / (2 + t2)), abs=HAND)
        assert (result.n, result.n_clusters, result.df) == (5, 3, 2)

    def test_against_statsmodels(self) -> None:
        rng = np.random.default_rng(11)
        clusters = rng.integers(0, 12, 90)
        values = rng.normal(size=12)[clusters] + rng.normal(0.5, 1, 90)
        fit = sm.OLS(values, np.ones(90)).fit(
            cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": True}, use_t=True
        )
        # Its correction is G / (G - 1) * (n - 1) / (n - k), and with an intercept alone k = 1.
        result = cluster_mean(values, clusters)
        low, high = fit.conf_int(0.05)[0]
        expected = (fit.params[0], low, high, fit.pvalues[0])
        assert numbers_of(result) == pytest.approx(expected, rel=SAME_FORMULA)
        assert result.se == pytest.approx(fit.bse[0], rel=SAME_FORMULA)

    def test_one_value_per_cluster_is_the_paired_t_test(self) -> None:
        a, b = np.random.default_rng(12).normal(size=(2, 25))
        clustered, paired = cluster_mean(a - b, np.arange(25)), paired_t(a, b)
        assert numbers_of(clustered) == pytest.approx(numbers_of(paired), rel=SAME_FORMULA)

    def test_negated_values_flip_every_sign_exactly(self) -> None:
        values = np.random.default_rng(13).normal(size=20)
        one = cluster_mean(values, np.arange(20) % 6)
        other = cluster_mean(-values, np.arange(20) % 6)
        assert numbers_of(other) == (-one.estimate, -one.high, -one.low, one.p_value)

    @pytest.mark.parametrize(
        ("values", "clusters", "estimate", "reason"),
        [
            ([], [], nan, "0 clusters; 2 are needed"),
            ([1, 2, 3], ["a", "a", "a"], 2.0, "1 clusters; 2 are needed"),
            ([1, 3, 0, 4], ["a", "a", "b", "b"], 2.0, "the clusters do not differ"),
            ([0.1] * 7, list("abcdefg"), 0.1, "the clusters do not differ"),
        ],
    )
    def test_undefined_is_not_a_standard_error_of_0(
        self, values: list[float], clusters: list[str], estimate: float, reason: str
    ) -> None:
        result = cluster_mean(values, clusters)
        assert (result.status, result.reason) == ("not_estimable", reason)
        assert result.estimate == pytest.approx(estimate, nan_ok=True)
        assert all(isnan(x) for x in (result.se, result.low, result.high, result.p_value))
        assert (result.n, result.n_clusters) == (len(values), len(set(clusters)))

    def test_errors(self) -> None:
        with pytest.raises(StatisticsError, match="label 0 is missing"):
            cluster_mean([1, 2], [None, "a"])
        with pytest.raises(StatisticsError, match="values: value 0 is nan"):
            cluster_mean([nan, 2], ["b", "a"])
        with pytest.raises(StatisticsError, match="alpha is 0"):
            cluster_mean([1, 2], ["b", "a"], alpha=0)

    @pytest.mark.slow
    def test_null_rejections_where_ignoring_clusters_rejects_too_often(self) -> None:
        draws, rng = 3000, np.random.default_rng(14)
        clusters = np.repeat(np.arange(30), 5)
        clustered, ignored = [], []
        for _ in range(draws):
            values = rng.normal(size=30)[clusters] + rng.normal(size=150)
            clustered.append(cluster_mean(values, clusters).p_value < 0.05)
            ignored.append(cluster_mean(values, np.arange(150)).p_value < 0.05)
        assert np.mean(clustered) == pytest.approx(0.05, abs=binomial_error(0.05, draws))
        assert np.mean(ignored) > 0.15


class TestEquivalence:
    def test_by_hand(self) -> None:
        # Mean 1.5, se sqrt(5/12), bound 4: t = 2.5 / sqrt(5/12) = sqrt 15, u = sqrt 5, and
        # p = 1/2 - (sqrt 5 / 6 + atan sqrt 5) / pi. t(.95, 3) = 2.3533634.
        result = equivalence_paired(A, B, 4)
        margin = 2.3533634348 * sqrt(5 / 12)
        assert result.p_value == pytest.approx(0.5 - (sqrt(5) / 6 + atan(sqrt(5))) / pi, abs=HAND)
        assert (result.low, result.high) == pytest.approx((1.5 - margin, 1.5 + margin), abs=HAND)
        assert result.equivalent
        assert (result.bound, result.n, result.status) == (4, 4, "ok")

    @pytest.mark.parametrize("bound", [0.1, 0.3, 1.0])
    def test_against_statsmodels(self, bound: float) -> None:
        a, b = np.random.default_rng(15).normal(size=(2, 50))
        reference = ttost_paired(a, b, -bound, bound)[0]
        assert equivalence_paired(a, b, bound).p_value == pytest.approx(reference, rel=SAME_FORMULA)

    def test_the_p_value_agrees_with_the_interval(self) -> None:
        rng = np.random.default_rng(16)
        outcomes = set()
        for _ in range(200):
            a, b = rng.normal(size=(2, 12))
            result = equivalence_paired(a, b, 0.6)
            inside = result.low > -0.6 and result.high < 0.6
            assert result.equivalent == inside
            outcomes.add(inside)
        assert outcomes == {True, False}

    def test_swapping_flips_the_interval_exactly(self) -> None:
        a, b = np.random.default_rng(17).normal(size=(2, 21))
        one, other = equivalence_paired(a, b, 0.5), equivalence_paired(b, a, 0.5)
        assert (other.low, other.high, other.p_value) == (-one.high, -one.low, one.p_value)

    def test_from_a_clustered_mean(self) -> None:
        mean = cluster_mean(TestClusterMean.VALUES, TestClusterMean.CLUSTERS)
        result = equivalence_from(mean, 10)
        assert result.p_value == pytest.approx(stats.t.sf(6.4 / sqrt(2.1504), 2), rel=SAME_FORMULA)
        assert "clustering" in result.method

    def test_undefined_is_not_equivalent(self) -> None:
        equal = equivalence_paired([1, 2, 3], [1, 2, 3], 0.5)
        assert (equal.status, equal.reason) == ("not_estimable", "all differences are equal")
        assert isnan(equal.p_value)
        assert not equal.equivalent
        ranks = equivalence_from(mann_whitney([1, 2, 3], [2, 3, 4]), 0.5)
        assert ranks.reason == "the estimate has no standard error or degrees of freedom"

    @pytest.mark.parametrize("bound", [0.0, -1.0, nan, float("inf")])
    def test_a_bound_is_positive(self, bound: float) -> None:
        with pytest.raises(StatisticsError, match="bound is"):
            equivalence_paired(A, B, bound)

    def test_alpha_is_below_a_half(self) -> None:
        with pytest.raises(StatisticsError, match=r"between 0 and 0\.5"):
            equivalence_paired(A, B, 1, alpha=0.5)
        with pytest.raises(StatisticsError, match=r"between 0 and 0\.5"):
            equivalence_from(paired_t(A, B), 1, alpha=0.7)

    @pytest.mark.slow
    def test_a_difference_on_the_bound_passes_at_the_rate_alpha(self) -> None:
        draws, rng = 4000, np.random.default_rng(18)
        passed = [
            equivalence_paired(rng.normal(0.5, 0.5, 40), rng.normal(0, 0.5, 40), 0.5).equivalent
            for _ in range(draws)
        ]
        assert np.mean(passed) == pytest.approx(0.05, abs=binomial_error(0.05, draws))


class TestVerdict:
    DIFFERENCE, EQUIVALENCE = paired_t(A, B), equivalence_paired(A, B, 4)

    @pytest.mark.parametrize(
        ("p_difference", "p_equivalence", "expected"),
        [
            (0.01, 0.50, "different"),
            (0.01, 0.01, "different_but_negligible"),
            (0.50, 0.01, "equivalent"),
            (0.50, 0.50, "inconclusive"),
            (0.05, 0.05, "inconclusive"),
            (nan, 0.01, "not_estimable"),
            (0.01, nan, "not_estimable"),
        ],
    )
    def test_of_two_p_values(
        self, p_difference: float, p_equivalence: float, expected: Verdict
    ) -> None:
        difference = replace(self.DIFFERENCE, p_value=p_difference)
        equivalence = replace(self.EQUIVALENCE, p_value=p_equivalence)
        assert verdict(difference, equivalence) == expected

    def test_alpha_decides(self) -> None:
        difference = replace(self.DIFFERENCE, p_value=0.03)
        equivalence = replace(self.EQUIVALENCE, p_value=0.5)
        assert verdict(difference, equivalence, alpha=0.01) == "inconclusive"
        assert verdict(difference, equivalence, alpha=0.05) == "different"

    @pytest.mark.parametrize("undefined", ["difference", "equivalence"])
    def test_undefined(self, undefined: str) -> None:
        difference: Estimate = self.DIFFERENCE
        equivalence: Equivalence = self.EQUIVALENCE
        if undefined == "difference":
            difference = replace(difference, status="not_estimable")
        else:
            equivalence = replace(equivalence, status="not_estimable")
        assert verdict(difference, equivalence) == "not_estimable"


class TestAdjust:
    @pytest.mark.parametrize(
        ("method", "expected"),
        [
            # Sorted .01, .03, .04. Holm: .01*3, then max(.03, .03*2), then max(.06, .04*1).
            ("holm", [0.03, 0.06, 0.06]),
            ("bonferroni", [0.03, 0.12, 0.09]),
            # Benjamini-Hochberg: .04*3/3, then min(.04, .03*3/2), then min(.04, .01*3/1).
            ("fdr_bh", [0.03, 0.04, 0.04]),
        ],
    )
    def test_by_hand(self, method: Adjustment, expected: list[float]) -> None:
        np.testing.assert_allclose(adjust([0.01, 0.04, 0.03], method), expected, atol=HAND)

    @pytest.mark.parametrize(
        ("method", "expected"),
        [
            # A family of five: .01*5, then .03*4, then max(.12, .04*3).
            ("holm", [0.05, nan, 0.12, 0.12]),
            ("bonferroni", [0.05, nan, 0.20, 0.15]),
            # .04*5/3, then min(.0667, .03*5/2), then min(.0667, .01*5).
            ("fdr_bh", [0.05, nan, 0.2 / 3, 0.2 / 3]),
        ],
    )
    def test_nan_stays_and_counts_in_the_family(
        self, method: Adjustment, expected: list[float]
    ) -> None:
        adjusted = adjust([0.01, nan, 0.04, 0.03], method, family_size=5)
        np.testing.assert_allclose(adjusted, expected, atol=HAND)

    def test_nan_counts_by_default(self) -> None:
        np.testing.assert_allclose(adjust([0.01, nan], "bonferroni"), [0.02, nan], atol=HAND)

    def test_nan_counts_as_the_least_significant_of_the_family(self) -> None:
        # .6 is the first of two: .6*2/1, at most 1. As the second it would stay .6.
        np.testing.assert_allclose(adjust([0.6, nan], "fdr_bh"), [1.0, nan], atol=HAND)

    @pytest.mark.parametrize("method", ["holm", "bonferroni", "fdr_bh"])
    def test_against_statsmodels(self, method: Adjustment) -> None:
        p_values = np.random.default_rng(19).uniform(size=30) ** 2
        reference = multipletests(p_values, method=method)[1]
        np.testing.assert_allclose(adjust(p_values, method), reference, rtol=SAME_FORMULA)

    def test_the_values_given_are_not_changed(self) -> None:
        p_values = np.array([0.01, nan])
        adjust(p_values, "holm", 3)
        np.testing.assert_array_equal(p_values, [0.01, nan])

    def test_no_p_values(self) -> None:
        assert adjust([], "holm").shape == (0,)

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: adjust([0.1], "sidak"), "use one of holm, bonferroni, fdr_bh"),  # type: ignore[arg-type]
            (lambda: adjust([0.1, 1.2], "holm"), "value 1 is 1.2"),
            (lambda: adjust([-0.1], "holm"), "value 0 is -0.1"),
            (lambda: adjust([0.1, nan], "holm", 1), "family_size is 1, 2 p-values were given"),
            (lambda: adjust([[0.1], [0.2]], "holm"), "2 dimensions"),
        ],
    )
    def test_errors(self, call: Callable[[], object], message: str) -> None:
        with pytest.raises(StatisticsError, match=message):
            call()

    @pytest.mark.slow
    def test_a_family_with_a_failed_test_has_the_error_it_was_planned_with(self) -> None:
        draws, rng = 3000, np.random.default_rng(20)
        p_values = rng.uniform(size=(draws, 10))
        p_values[:, 3] = nan
        wrong = [np.nanmin(adjust(row, "bonferroni")) < 0.05 for row in p_values]
        # Nine tests at .05/10 reject in 1 - (1 - .005)^9 of families.
        expected = 1 - 0.995**9
        assert np.mean(wrong) == pytest.approx(expected, abs=binomial_error(expected, draws))

    @pytest.mark.slow
    def test_false_discovery_rate_with_a_failed_test(self) -> None:
        draws, rng = 3000, np.random.default_rng(21)
        p_values = rng.uniform(size=(draws, 10))
        p_values[:, 6:9] = stats.norm.sf(rng.normal(2, 1, size=(draws, 3)))
        p_values[:, 9] = nan
        found = np.array([adjust(row, "fdr_bh") < 0.05 for row in p_values])
        share_false = found[:, :6].sum(axis=1) / np.maximum(found.sum(axis=1), 1)
        # Benjamini and Hochberg: alpha times the share of true nulls, 6 of the 10 planned.
        error = BINOMIAL * share_false.std() / sqrt(draws)
        assert share_false.mean() == pytest.approx(0.05 * 6 / 10, abs=error)


def test_several_values_of_few_clusters_get_the_exact_test() -> None:
    """Sums 3, 2, 1: of four ways to give signs, all the same is the one most extreme."""
    found = repeated_mean([1.0, 2.0, 2.0, 1.0], ["a", "a", "b", "c"])
    assert found.p_value == 1 / 4
    assert "flipping the signs" in found.method


def test_one_value_of_each_cluster_gets_the_t_test() -> None:
    values = [1.0, 2.0, 2.5, 1.0]
    found = repeated_mean(values, list("abcd"))
    assert found == cluster_mean(values, list("abcd"))
    assert found.p_value == pytest.approx(stats.ttest_1samp(values, 0).pvalue)
