from itertools import product
from math import isnan, nan, sqrt

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from isogloss.errors import StatisticsError
from isogloss.stats.results import Estimate
from isogloss.stats.shares import (
    paired_share_difference,
    share,
    share_difference,
    wilcoxon_signed,
)

HAND = 1e-6
"""Hand arithmetic is carried to seven digits."""
PRINTED = 6e-5
"""Printed references have four decimals."""
SAME_FORMULA = 1e-9
"""The same closed form in another order of operations."""
BINOMIAL = 3.5
"""Standard errors of a simulated rate; a right procedure leaves them in 1 of 2,000 seeds."""


def binomial_error(rate: float, draws: int) -> float:
    return BINOMIAL * sqrt(rate * (1 - rate) / draws)


def ends(result: Estimate) -> tuple[float, float]:
    return result.low, result.high


def paired(both: int, only_a: int, only_b: int, neither: int) -> tuple[list[bool], list[bool]]:
    """Two lists of booleans with this two-by-two table."""
    a = [True] * (both + only_a) + [False] * (only_b + neither)
    b = [True] * both + [False] * only_a + [True] * only_b + [False] * neither
    return a, b


class TestShare:
    def test_by_hand(self) -> None:
        # z^2 = 3.8414588, n = 10, p = .2: centre (.2 + z^2/20) / (1 + z^2/10) = .3920729/1.3841459;
        # half-width z sqrt(.016 + z^2/400) / 1.3841459.
        result = share(2, 10)
        z = stats.norm.isf(0.025)
        centre, half = 0.3920729 / 1.3841459, z * sqrt(0.016 + z**2 / 400) / 1.3841459
        assert ends(result) == pytest.approx((centre - half, centre + half), abs=HAND)
        assert (result.estimate, result.n, result.status) == (0.2, 10, "ok")
        assert isnan(result.p_value)

    @pytest.mark.parametrize("successes", [0, 1, 7, 19, 20])
    def test_against_statsmodels(self, successes: int) -> None:
        reference = proportion_confint(successes, 20, alpha=0.1, method="wilson")
        assert ends(share(successes, 20, alpha=0.1)) == pytest.approx(reference, abs=SAME_FORMULA)

    @pytest.mark.parametrize("n", [1, 3, 20, 1000])
    def test_none_and_all_have_an_interval_inside_0_and_1(self, n: int) -> None:
        none, every = share(0, n), share(n, n)
        assert none.low == 0.0 < none.high < 1.0
        assert 0.0 < every.low < every.high == 1.0
        assert every.low == pytest.approx(1 - none.high, abs=SAME_FORMULA)

    def test_no_observations(self) -> None:
        result = share(0, 0)
        assert (result.status, result.reason, result.n) == ("not_estimable", "no observations", 0)
        assert isnan(result.estimate)

    @pytest.mark.parametrize(("successes", "n"), [(3, 2), (-1, 2), (0, -1)])
    def test_counts_that_cannot_be(self, successes: int, n: int) -> None:
        with pytest.raises(StatisticsError, match=f"successes is {successes} and n is {n}"):
            share(successes, n)

    def test_counts_are_whole_and_alpha_a_level(self) -> None:
        with pytest.raises(StatisticsError, match=r"successes is 1\.5; pass a whole number"):
            share(1.5, 2)  # type: ignore[arg-type]
        with pytest.raises(StatisticsError, match="alpha is 1"):
            share(1, 2, alpha=1)
        assert share(np.int64(1), np.int64(2)).estimate == 0.5  # type: ignore[arg-type]

    @pytest.mark.slow
    def test_coverage(self) -> None:
        # Exact, by summing the binomial: around the level on average, never far below.
        n, shares = 30, np.linspace(0.05, 0.95, 181)
        intervals = [ends(share(k, n)) for k in range(n + 1)]
        low, high = np.array(intervals).T
        mass = stats.binom.pmf(np.arange(n + 1)[:, None], n, shares)
        covered = ((low[:, None] <= shares) & (shares <= high[:, None])) * mass
        assert covered.sum(axis=0).mean() == pytest.approx(0.95, abs=0.01)
        assert covered.sum(axis=0).min() > 0.90


class TestShareDifference:
    def test_p_value_by_hand(self) -> None:
        # All of 3 against none of 3: 2 of the C(6, 3) = 20 tables are as extreme.
        result = share_difference(3, 3, 0, 3)
        assert (result.estimate, result.n) == (1.0, 6)
        assert result.p_value == pytest.approx(2 / 20, abs=HAND)

    def test_interval_against_a_printed_example(self) -> None:
        # Survival under high and standard dose of epinephrine (Perondi et al. 2004), as analysed
        # in Fagerland, Lydersen and Laake, Statistical Analysis of Contingency Tables, chapter 4.
        result = share_difference(7, 34, 1, 34)
        assert (result.estimate, *ends(result)) == pytest.approx(
            (0.1765, 0.0189, 0.3404), abs=PRINTED
        )

    @pytest.mark.parametrize(
        ("x1", "n1", "x2", "n2"), [(5, 20, 12, 25), (0, 8, 0, 9), (9, 9, 0, 4)]
    )
    def test_against_statsmodels_and_scipy(self, x1: int, n1: int, x2: int, n2: int) -> None:
        reference = confint_proportions_2indep(x1, n1, x2, n2, method="newcomb", compare="diff")
        result = share_difference(x1, n1, x2, n2)
        assert ends(result) == pytest.approx(reference, abs=SAME_FORMULA)
        fisher = stats.fisher_exact(np.array([[x1, n1 - x1], [x2, n2 - x2]])).pvalue
        assert result.p_value == pytest.approx(fisher, rel=SAME_FORMULA)

    def test_swapping_flips_every_sign_exactly(self) -> None:
        one, other = share_difference(5, 21, 12, 25), share_difference(12, 25, 5, 21)
        assert (other.estimate, *ends(other)) == (-one.estimate, -one.high, -one.low)
        assert other.p_value == pytest.approx(one.p_value, rel=SAME_FORMULA)

    def test_an_empty_group(self) -> None:
        result = share_difference(0, 0, 3, 5)
        assert (result.status, result.reason) == ("not_estimable", "groups of 0 and 5")
        assert isnan(result.p_value)

    def test_errors(self) -> None:
        with pytest.raises(StatisticsError, match="x2 is 6 and n2 is 5"):
            share_difference(1, 5, 6, 5)
        with pytest.raises(StatisticsError, match="alpha is 0"):
            share_difference(1, 5, 1, 5, alpha=0)

    @pytest.mark.slow
    def test_exact_level_and_coverage(self) -> None:
        n, rates = 15, [0.2, 0.5, 0.8]
        results = {(i, j): share_difference(i, n, j, n) for i, j in product(range(n + 1), repeat=2)}
        for p1, p2 in product(rates, repeat=2):
            mass1, mass2 = (stats.binom.pmf(np.arange(n + 1), n, p) for p in (p1, p2))
            covered = sum(
                mass1[i] * mass2[j] for (i, j), r in results.items() if r.low <= p1 - p2 <= r.high
            )
            # Exact sums over all tables: an approximate interval, within 3 points of its level.
            assert covered == pytest.approx(0.95, abs=0.03)
            if p1 == p2:
                rejected = sum(
                    mass1[i] * mass2[j] for (i, j), r in results.items() if r.p_value < 0.05
                )
                assert 0 < rejected <= 0.05


class TestPairedShareDifference:
    def test_by_hand(self) -> None:
        # Discordant 5 and 1: p = 2 (C(6,0) + C(6,1)) / 2^6 = 14/64; difference (5 - 1) / 20.
        result = paired_share_difference(*paired(8, 5, 1, 6))
        assert result.estimate == pytest.approx(0.2, abs=HAND)
        assert result.p_value == pytest.approx(14 / 64, abs=HAND)
        assert (result.n, result.status) == (20, "ok")

    def test_interval_by_hand(self) -> None:
        # ad - bc = 8*6 - 5*1 = 43 exceeds n/2 = 10, so phi = 33 / sqrt(13 * 7 * 9 * 11).
        result = paired_share_difference(*paired(8, 5, 1, 6))
        phi = 33 / sqrt(13 * 7 * 9 * 11)
        l1, u1 = proportion_confint(13, 20, method="wilson")
        l2, u2 = proportion_confint(9, 20, method="wilson")
        below, above = 0.65 - l1, u2 - 0.45
        low = 0.2 - sqrt(below**2 - 2 * phi * below * above + above**2)
        below, above = 0.45 - l2, u1 - 0.65
        high = 0.2 + sqrt(below**2 - 2 * phi * below * above + above**2)
        assert ends(result) == pytest.approx((low, high), abs=HAND)

    def test_interval_against_a_printed_example(self) -> None:
        # Complete response before and after consolidation (Cavo et al. 2012), as analysed in
        # Fagerland, Lydersen and Laake, Statistical Analysis of Contingency Tables, chapter 8.
        result = paired_share_difference(*paired(59, 6, 16, 80))
        printed = (-0.0621, -0.1186, -0.0046)
        assert (result.estimate, *ends(result)) == pytest.approx(printed, abs=PRINTED)

    @pytest.mark.parametrize("table", [(3, 9, 2, 6), (0, 4, 4, 0), (10, 0, 7, 3)])
    def test_p_value_against_statsmodels(self, table: tuple[int, int, int, int]) -> None:
        both, only_a, only_b, neither = table
        reference = mcnemar([[both, only_a], [only_b, neither]], exact=True).pvalue
        result = paired_share_difference(*paired(*table))
        assert result.p_value == pytest.approx(reference, rel=SAME_FORMULA)

    @pytest.mark.parametrize("table", [(0, 0, 0, 12), (12, 0, 0, 0), (5, 0, 0, 7)])
    def test_without_discordant_pairs_there_is_an_interval(
        self, table: tuple[int, int, int, int]
    ) -> None:
        result = paired_share_difference(*paired(*table))
        assert (result.estimate, result.p_value, result.status) == (0.0, 1.0, "ok")
        assert -1 < result.low < 0 < result.high < 1

    def test_all_discordant_stays_inside_minus_1_and_1(self) -> None:
        result = paired_share_difference(*paired(0, 9, 0, 0))
        assert result.estimate == 1.0
        assert 0 < result.low < result.high == 1.0

    def test_swapping_flips_every_sign_exactly(self) -> None:
        a, b = paired(7, 5, 2, 9)
        one, other = paired_share_difference(a, b), paired_share_difference(b, a)
        assert (other.estimate, *ends(other)) == (-one.estimate, -one.high, -one.low)
        assert other.p_value == one.p_value

    def test_one_and_no_pair(self) -> None:
        one = paired_share_difference([True], [False])
        assert (one.estimate, one.p_value, one.status) == (1.0, 1.0, "ok")
        none = paired_share_difference([], [])
        assert (none.status, none.reason) == ("not_estimable", "no pairs")

    def test_errors(self) -> None:
        with pytest.raises(StatisticsError, match="a: value 1 is nan"):
            paired_share_difference([1, nan], [1, 0])
        with pytest.raises(StatisticsError, match=r"b: value 0 is 2\.0; pass booleans"):
            paired_share_difference([1, 0], [2, 0])
        with pytest.raises(StatisticsError, match="a has 1 values and b has 2"):
            paired_share_difference([True], [True, False])

    @pytest.mark.slow
    def test_level_and_coverage(self) -> None:
        draws, n, rng = 3000, 40, np.random.default_rng(1)
        # P(only a) = .25, P(only b) = .10, P(both) = .35: a true difference of .15.
        tables = rng.multinomial(n, [0.35, 0.25, 0.10, 0.30], size=draws)
        results = [paired_share_difference(*paired(*table)) for table in tables]
        covered = np.mean([r.low <= 0.15 <= r.high for r in results])
        # The correlation is taken smaller than observed, which makes the interval a little wide.
        assert covered == pytest.approx(0.955, abs=0.01 + binomial_error(0.95, draws))
        null = rng.multinomial(n, [0.35, 0.15, 0.15, 0.35], size=draws)
        rejected = np.mean([paired_share_difference(*paired(*t)).p_value < 0.05 for t in null])
        assert 0 < rejected < 0.05 + binomial_error(0.05, draws)


class TestWilcoxonSigned:
    def test_by_hand(self) -> None:
        # Differences 0, 1, 2, 2, -1; Pratt ranks of |d|: 1, 2.5, 4.5, 4.5, 2.5, zeros left out.
        # W+ = 11.5, W- = 2.5, r = 9/14. Of the 16 signs of 2.5, 4.5, 4.5, 2.5, those with a sum of
        # at least 9 in size: 14 twice and 9 (one 2.5 negative) four times, 6 in all.
        result = wilcoxon_signed([1, 2, 3, 3, 1], [1, 1, 1, 1, 2])
        assert result.estimate == pytest.approx(9 / 14, abs=HAND)
        assert result.p_value == pytest.approx(6 / 16, abs=HAND)
        assert result.n == 5
        assert "exact over signs" in result.method

    def test_small_against_scipy(self) -> None:
        a, b = np.random.default_rng(2).normal(size=(2, 12))
        reference = stats.wilcoxon(a, b, method="exact").pvalue
        assert wilcoxon_signed(a, b).p_value == pytest.approx(reference, rel=SAME_FORMULA)

    def test_large_against_scipy(self) -> None:
        a, b = np.random.default_rng(3).integers(1, 4, size=(2, 60))
        reference = stats.wilcoxon(
            a, b, zero_method="pratt", method="approx", correction=True
        ).pvalue
        result = wilcoxon_signed(a, b)
        assert result.p_value == pytest.approx(reference, rel=SAME_FORMULA)
        assert "normal approximation" in result.method

    def test_all_of_one_sign(self) -> None:
        # 13 differences of one size: 2 of 2^13 signs are as extreme.
        result = wilcoxon_signed([2] * 13, [1] * 13)
        assert result.estimate == 1.0
        assert result.p_value == pytest.approx(2 / 2**13, rel=SAME_FORMULA)

    def test_swapping_flips_the_sign_exactly(self) -> None:
        a, b = np.random.default_rng(4).integers(1, 4, size=(2, 35))
        one, other = wilcoxon_signed(a, b), wilcoxon_signed(b, a)
        assert (other.estimate, other.p_value) == (-one.estimate, one.p_value)

    def test_pairs_without_a_difference(self) -> None:
        result = wilcoxon_signed([1, 2, 3], [1, 2, 3])
        assert (result.estimate, result.p_value, result.status) == (0.0, 1.0, "ok")
        none = wilcoxon_signed([], [])
        assert (none.status, none.reason) == ("not_estimable", "no pairs")

    def test_errors(self) -> None:
        with pytest.raises(StatisticsError, match="a: value 1 is nan"):
            wilcoxon_signed([1, nan], [1, 2])
        with pytest.raises(StatisticsError, match="a has 1 values and b has 2"):
            wilcoxon_signed([1], [1, 2])

    @pytest.mark.slow
    @pytest.mark.parametrize("n", [20, 80])
    def test_null_rejections(self, n: int) -> None:
        draws, rng = 600, np.random.default_rng(5)
        results = [wilcoxon_signed(*rng.integers(1, 4, size=(2, n))) for _ in range(draws)]
        rejected = np.mean([r.p_value < 0.05 for r in results])
        # A discrete statistic rejects at most alpha.
        assert 0.01 < rejected < 0.05 + binomial_error(0.05, draws)
