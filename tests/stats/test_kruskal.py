from math import isnan, sqrt

import numpy as np
import pytest
from scipy import stats

from isogloss.errors import StatisticsError
from isogloss.stats.kruskal import friedman, kruskal_wallis

HAND = 1e-12
"""A few floating-point operations on numbers near 1."""
SAME_FORMULA = 1e-9
"""The same closed form in another order of operations."""
BINOMIAL = 3.5
"""Standard errors of a simulated rate; a right procedure leaves them in 1 of 2,000 seeds."""


class TestKruskalWallis:
    def test_by_hand(self) -> None:
        # Ranks 1 2 | 3 4 | 5 6: H = 12 / 42 * 2 * (2^2 + 0 + 2^2) = 32 / 7, chi-squared on 2 df.
        result = kruskal_wallis([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
        assert result.statistic == pytest.approx(32 / 7, abs=HAND)
        assert result.p_value == pytest.approx(np.exp(-16 / 7), abs=HAND)
        assert (result.df, result.n, result.status, result.reason) == (2, 6, "ok", None)

    def test_ties_by_hand(self) -> None:
        # 1 1 | 1 2: ranks 2 2 | 2 4, means 2 and 3; 12 / 20 * 2 * (0.25 + 0.25) = 0.6;
        # correction 1 - (27 - 3) / (64 - 4) = 0.6.
        assert kruskal_wallis([[1, 1], [1, 2]]).statistic == pytest.approx(1.0, abs=HAND)

    @pytest.mark.parametrize(
        ("groups", "why"),
        [([[1.0, 2.0]], "2 groups"), ([[1.0], []], "[1, 0]"), ([[3.0, 3.0], [3.0]], "equal")],
    )
    def test_undefined(self, groups: list[list[float]], why: str) -> None:
        result = kruskal_wallis(groups)
        assert (result.status, isnan(result.statistic), isnan(result.p_value)) == (
            "not_estimable",
            True,
            True,
        )
        assert why in (result.reason or "")

    def test_missing_values_are_refused(self) -> None:
        with pytest.raises(StatisticsError, match="group 1"):
            kruskal_wallis([[1.0, 2.0], [np.nan]])

    @pytest.mark.slow
    def test_holds_its_level(self) -> None:
        rng, draws = np.random.default_rng(3), 2_000
        groups = rng.integers(1, 6, size=(draws, 4, 20))
        rate = np.mean([kruskal_wallis(list(g)).p_value < 0.05 for g in groups])
        assert abs(rate - 0.05) < BINOMIAL * sqrt(0.05 * 0.95 / draws)


class TestFriedman:
    def test_by_hand(self) -> None:
        # Rank sums 3, 7, 8: 12 / (3 * 3 * 4) * (9 + 49 + 64) - 3 * 3 * 4 = 14 / 3.
        result = friedman([[1, 2, 3], [4, 9, 5], [0, 1, 2]])
        assert result.statistic == pytest.approx(14 / 3, abs=HAND)
        assert result.p_value == pytest.approx(np.exp(-7 / 3), abs=HAND)
        assert (result.df, result.n, result.status) == (2, 3, "ok")

    def test_two_groups_are_the_sign_test(self) -> None:
        # Four blocks favour one group, one the other: (4 - 1)^2 / 5; a tied block adds nothing.
        rows = [[2, 1], [5, 3], [2, 0], [9, 8], [1, 4]]
        assert friedman(rows).statistic == pytest.approx(9 / 5, abs=HAND)
        assert friedman([*rows, [7, 7]]).statistic == pytest.approx(9 / 5, abs=HAND)

    @pytest.mark.parametrize("seed", range(4))
    def test_against_scipy_with_ties(self, seed: int) -> None:
        scores = np.random.default_rng(seed).integers(0, 4, size=(12, 4))
        reference = stats.friedmanchisquare(*scores.T)
        result = friedman(scores)
        assert result.statistic == pytest.approx(reference.statistic, rel=SAME_FORMULA)
        assert result.p_value == pytest.approx(reference.pvalue, rel=SAME_FORMULA)

    def test_what_a_block_adds_to_all_its_groups_is_nothing(self) -> None:
        scores = np.random.default_rng(1).normal(size=(9, 3))
        shifted = scores + 100 * np.arange(9)[:, None]
        assert friedman(shifted).statistic == friedman(scores).statistic

    @pytest.mark.parametrize(
        ("scores", "why"),
        [([[1.0, 2.0]], "1 blocks"), ([[1.0], [2.0]], "1 groups"), ([[1, 1], [4, 4]], "differ")],
    )
    def test_undefined(self, scores: list[list[float]], why: str) -> None:
        result = friedman(scores)
        assert (result.status, isnan(result.p_value)) == ("not_estimable", True)
        assert why in (result.reason or "")

    def test_bad_arrays_are_refused(self) -> None:
        with pytest.raises(StatisticsError, match="dimensions"):
            friedman([1.0, 2.0])
        with pytest.raises(StatisticsError, match="finite"):
            friedman([[1.0, np.nan], [1.0, 2.0]])

    @pytest.mark.slow
    def test_holds_its_level_when_blocks_differ_widely(self) -> None:
        rng, draws = np.random.default_rng(5), 2_000
        scores = rng.normal(size=(draws, 30, 4)) + 10 * rng.normal(size=(draws, 30, 1))
        rate = np.mean([friedman(s).p_value < 0.05 for s in scores])
        assert abs(rate - 0.05) < BINOMIAL * sqrt(0.05 * 0.95 / draws)
