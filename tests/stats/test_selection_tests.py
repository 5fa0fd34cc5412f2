from itertools import product
from math import isnan, sqrt

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest

from isogloss.errors import StatisticsError
from isogloss.stats.permutation import cluster_sign_flip
from isogloss.stats.selection_tests import paired_selection, selection_tests, standard_deviations
from isogloss.stats.shares import paired_share_difference

HAND = 1e-9
SAME_FORMULA = 1e-9
BINOMIAL = 3.5
"""Standard errors of a simulated rate; a right procedure leaves them in 1 of 2,000 seeds."""


def binomial_error(rate: float, draws: int) -> float:
    return BINOMIAL * sqrt(rate * (1 - rate) / draws)


class TestStandardDeviations:
    def test_by_hand(self) -> None:
        # 40/100 and 60/100: pooled rate 1/2, variance 1/4 * 2/100, z = -.2 / sqrt(.005).
        result = standard_deviations(40, 100, 60, 100)
        assert result.estimate == pytest.approx(-0.2 / sqrt(0.005), abs=HAND)
        assert result.n == 200

    @pytest.mark.parametrize("table", [(5, 20, 12, 25), (0, 8, 3, 9), (9, 9, 1, 4)])
    def test_against_statsmodels(self, table: tuple[int, int, int, int]) -> None:
        x1, n1, x2, n2 = table
        z, p = proportions_ztest([x1, x2], [n1, n2])
        result = standard_deviations(*table)
        assert (result.estimate, result.p_value) == pytest.approx((z, p), rel=SAME_FORMULA)

    @pytest.mark.parametrize(
        ("table", "reason"),
        [
            ((0, 5, 0, 5), "both rates are 0"),
            ((5, 5, 4, 4), "both rates are 1"),
            ((0, 0, 4, 4), "groups of 0 and 4"),
        ],
    )
    def test_undefined(self, table: tuple[int, int, int, int], reason: str) -> None:
        result = standard_deviations(*table)
        assert (result.status, result.reason) == ("not_estimable", reason)
        assert isnan(result.p_value)


class TestSelectionTests:
    def test_every_group_but_the_reference(self) -> None:
        found = selection_tests([3, 9, 5], [10, 10, 10], family="f", groups=["a", "b", "c"])
        assert [(test.group, test.reference, test.family) for test in found] == [
            ("a", "b", "f"),
            ("c", "b", "f"),
        ]
        assert found[0].fisher.estimate == pytest.approx(-0.6, abs=HAND)

    def test_holm_counts_all_pairs_by_hand(self) -> None:
        # 3 of 3 against none of 3, twice: p = 2 / C(6, 3) = .1 each; of 3 pairs, Holm gives .3.
        found = selection_tests([3, 0, 0], [3, 3, 3], family="f")
        assert [test.fisher_adjusted for test in found] == pytest.approx([0.3, 0.3], abs=HAND)
        assert {test.family_size for test in found} == {3}

    def test_two_groups_need_no_adjustment(self) -> None:
        (test,) = selection_tests([20, 9], [40, 40], family="f")
        assert test.fisher_adjusted == test.fisher.p_value
        assert test.pooled_adjusted == test.pooled.p_value
        assert test.family_size == 1

    def test_a_larger_family(self) -> None:
        (test,) = selection_tests([20, 9], [40, 40], family="f", family_size=4)
        assert test.pooled_adjusted == pytest.approx(4 * test.pooled.p_value, abs=HAND)
        with pytest.raises(StatisticsError, match="family_size is 1"):
            selection_tests([1, 2, 3], [4, 4, 4], family="f", family_size=1)

    @pytest.mark.parametrize(
        ("selected", "total", "go_by"),
        [
            ([20, 25], [100, 100], "pooled"),
            ([20, 25], [29, 100], "fisher"),
            ([4, 5], [100, 100], "fisher"),  # 4.5 expected
            ([5, 5], [100, 100], "pooled"),
            ([96, 95], [100, 100], "fisher"),
        ],
    )
    def test_which_test_is_customary(
        self, selected: list[int], total: list[int], go_by: str
    ) -> None:
        assert selection_tests(selected, total, family="f")[0].go_by == go_by

    def test_without_selections_or_observations(self) -> None:
        (test,) = selection_tests([0, 0], [5, 5], family="f")
        assert (test.fisher.p_value, test.pooled.status) == (1.0, "not_estimable")
        assert isnan(test.pooled_adjusted)
        (test,) = selection_tests([0, 3], [0, 5], family="f")
        assert test.fisher.reason == "groups of 0 and 5"
        assert selection_tests([0, 0], [0, 0], family="f") == ()

    @pytest.mark.slow
    def test_comparing_with_the_highest_keeps_the_level_over_all_pairs_only(self) -> None:
        # Eight groups of one rate: some group is rejected in at most 5 % of experiments, while
        # with the seven tests as family it is more than twice as many (studentized range: 12 %).
        draws, rng = 500, np.random.default_rng(1)
        tables = rng.binomial(100, 0.5, size=(draws, 8))
        found = [selection_tests(table, [100] * 8, family="f") for table in tables]
        rejected = np.mean([min(t.pooled_adjusted for t in tests) < 0.05 for tests in found])
        assert 0.01 < rejected < 0.05 + binomial_error(0.05, draws)
        naive = np.mean([7 * min(t.pooled.p_value for t in tests) < 0.05 for tests in found])
        assert naive > 0.07


class TestPairedSelection:
    def test_one_pair_in_each_cluster_is_the_exact_mcnemar_test(self) -> None:
        a, b = [1, 1, 1, 1, 1, 0, 1, 0, 0], [0, 0, 0, 0, 0, 1, 1, 0, 0]
        result = paired_selection(a, b, range(9))
        # Discordant 5 and 1: 2 (C(6,0) + C(6,1)) / 2^6.
        assert result.p_value == pytest.approx(14 / 64, abs=HAND)
        assert result.estimate == pytest.approx(4 / 9, abs=HAND)
        mcnemar = paired_share_difference(a, b)
        assert result.p_value == pytest.approx(mcnemar.p_value, abs=HAND)

    def test_clusters_by_hand(self) -> None:
        # Sums 2, 1, 0, -1: of the 8 signs of 2, 1, 1 those with |sum| >= 2 are +-4, +-2, +-2.
        a, b = [1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1]
        result = paired_selection(a, b, ["p", "p", "q", "r", "r", "s"])
        assert result.p_value == pytest.approx(6 / 8, abs=HAND)
        assert (result.n, result.n_clusters) == (6, 4)

    def test_against_visiting_every_sign(self) -> None:
        rng = np.random.default_rng(2)
        for _ in range(20):
            a, b = rng.integers(0, 2, size=(2, 40))
            clusters = rng.integers(0, 12, size=40)
            reference = cluster_sign_flip(a - b, clusters).p_value
            assert paired_selection(a, b, clusters).p_value == pytest.approx(reference, abs=HAND)

    def test_many_clusters_are_still_exact(self) -> None:
        a, b = [1] * 2000, [0] * 1100 + [1] * 900
        a[1100:] = [0] * 900
        reference = stats.binomtest(1100, 2000).pvalue
        assert paired_selection(a, b, range(2000)).p_value == pytest.approx(reference, rel=1e-6)

    def test_no_difference_and_too_few_clusters(self) -> None:
        assert paired_selection([1, 0], [1, 0], [1, 2]).p_value == 1.0
        one = paired_selection([1, 1], [0, 0], [1, 1])
        assert (one.status, one.reason) == ("not_estimable", "1 clusters; 2 are needed")
        assert one.estimate == 1.0
        assert paired_selection([], [], []).status == "not_estimable"

    def test_swapping_flips_the_sign(self) -> None:
        a, b = np.random.default_rng(3).integers(0, 2, size=(2, 30))
        one, other = (paired_selection(*ab, np.arange(30) // 3) for ab in ((a, b), (b, a)))
        assert (other.estimate, other.p_value) == (-one.estimate, one.p_value)

    def test_errors(self) -> None:
        with pytest.raises(StatisticsError, match="pass booleans"):
            paired_selection([2, 0], [1, 0], [1, 2])
        with pytest.raises(StatisticsError, match="a has 1 values and b has 2"):
            paired_selection([1], [1, 0], [1])
        with pytest.raises(StatisticsError, match="label 1 is missing"):
            paired_selection([1, 0], [1, 0], [1, None])

    @pytest.mark.slow
    @pytest.mark.parametrize(("contexts", "clusters"), list(product([1, 4], [8, 25])))
    def test_level_with_dependence_in_clusters(self, contexts: int, clusters: int) -> None:
        # Both labels have one rate; a background shifts its answers, and each label its own way.
        draws, rng = 1500, np.random.default_rng(4)
        labels = np.repeat(np.arange(clusters), contexts)

        def rejected() -> bool:
            shared, own = rng.normal(size=clusters), rng.normal(size=(2, clusters))
            latent = (shared + own)[:, labels] + rng.normal(size=(2, labels.size))
            return paired_selection(*(latent > 0).astype(int), labels).p_value < 0.05

        rate = np.mean([rejected() for _ in range(draws)])
        assert 0 < rate < 0.05 + binomial_error(0.05, draws)
