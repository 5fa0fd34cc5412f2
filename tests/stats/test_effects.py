from math import isnan, nan, sqrt

import numpy as np
import pytest
from scipy import stats

from isogloss.errors import StatisticsError
from isogloss.stats.effects import Standardiser, cohens_d_paired, rank_biserial

HAND = 1e-6
"""Hand arithmetic and printed references are carried to seven digits."""
FAR_TAIL = 1e-3
"""Relative error of scipy's noncentral t itself where t is in the hundreds."""
ROOT = 1e-6
"""Relative error of a root found by bracketing."""
BINOMIAL = 3.5
"""Standard errors of a simulated rate; a right procedure leaves them in 1 of 2,000 seeds."""

A, B = [3, 5, 4, 8], [1, 4, 4, 5]


def binomial_error(rate: float, draws: int) -> float:
    return BINOMIAL * sqrt(rate * (1 - rate) / draws)


def sample_with(n: int, correlation: float, sd: tuple[float, float]) -> np.ndarray:
    """Two samples with exactly these standard deviations and this correlation, and mean 0."""
    raw = np.random.default_rng(0).normal(size=(2, n))
    raw -= raw.mean(axis=1, keepdims=True)
    raw = np.linalg.inv(np.linalg.cholesky(np.cov(raw))) @ raw
    covariance = correlation * sd[0] * sd[1]
    target = np.array([[sd[0] ** 2, covariance], [covariance, sd[1] ** 2]])
    mixed: np.ndarray = np.linalg.cholesky(target) @ raw
    return mixed


class TestCohensD:
    def test_d_z_by_hand(self) -> None:
        # a - b = 2, 1, 0, 3: mean 3/2, variance 5/3.
        result = cohens_d_paired(A, B)
        assert result.estimate == pytest.approx(1.5 / sqrt(5 / 3), abs=HAND)
        assert (result.n, result.df, result.status) == (4, 3, "ok")
        assert isnan(result.p_value)

    def test_d_av_by_hand(self) -> None:
        # variances 14/3 and 9/3; their mean 23/6.
        result = cohens_d_paired(A, B, standardiser="d_av")
        assert result.estimate == pytest.approx(1.5 / sqrt(23 / 6), abs=HAND)
        assert "d_av" in result.method

    @pytest.mark.parametrize("shift", [-30.0, -0.4, 0.0, 0.1, 2.0, 100.0])
    @pytest.mark.parametrize("n", [3, 20, 400])
    def test_d_z_interval_against_the_noncentral_t(self, shift: float, n: int) -> None:
        a = sample_with(n, 0.0, (1.0, 1.0))[0] + shift
        result = cohens_d_paired(a, np.zeros(n), alpha=0.1)
        assert result.low < result.estimate < result.high
        t = result.estimate * sqrt(n)
        tails = [stats.nct.sf(t, n - 1, end * sqrt(n)) for end in (result.low, result.high)]
        assert tails == pytest.approx([0.05, 0.95], rel=FAR_TAIL)

    @pytest.mark.parametrize(("n", "d_z"), [(2, 1e3), (100, 90.0), (5000, 4.0)])
    def test_d_z_interval_far_from_0_against_quadrature(self, n: int, d_z: float) -> None:
        t, df = d_z * sqrt(n), n - 1
        a = sample_with(n, 0.0, (1.0, 1.0))[0] if n > 2 else np.array([-sqrt(0.5), sqrt(0.5)])
        result = cohens_d_paired(a + d_z, np.zeros(n))
        # P(t S + Z < nc), with Z integrated by Gauss-Hermite and S^2 chi-squared over df.
        nodes, weights = np.polynomial.hermite_e.hermegauss(80)
        for end, tail in ((result.low, 0.025), (result.high, 0.975)):
            below = stats.chi2.cdf(((end * sqrt(n) - nodes) / t).clip(0) ** 2 * df, df)
            assert weights @ below / weights.sum() == pytest.approx(tail, rel=FAR_TAIL)

    def test_d_z_interval_of_all_but_equal_differences(self) -> None:
        result = cohens_d_paired([1, 1 + 1e-12], [0, 0])
        ratio = np.sqrt(stats.chi2.ppf([0.025, 0.975], 1))
        ends = np.array([result.low, result.high]) / result.estimate
        assert ends == pytest.approx(ratio, rel=FAR_TAIL)

    def test_d_av_interval_against_a_printed_example(self) -> None:
        # The example of `ci.stdmean.ps` in the R package statpsych, by the author of the interval:
        # means 110.4 and 102.1, standard deviations 15.3 and 14.6, correlation .75, n 25.
        a, b = sample_with(25, 0.75, (15.3, 14.6))
        result = cohens_d_paired(a + 110.4, b + 102.1, standardiser="d_av")
        printed = (0.5550319, 0.2394905, 0.8705732, 0.1609934)
        assert (result.estimate, result.low, result.high, result.se) == pytest.approx(
            printed, abs=HAND
        )

    @pytest.mark.parametrize("standardiser", ["d_z", "d_av"])
    def test_swapping_flips_every_sign_exactly(self, standardiser: Standardiser) -> None:
        a, b = np.random.default_rng(1).normal(size=(2, 17))
        one = cohens_d_paired(a, b, standardiser=standardiser)
        other = cohens_d_paired(b, a, standardiser=standardiser)
        assert (other.estimate, other.low, other.high) == (-one.estimate, -one.high, -one.low)

    @pytest.mark.parametrize(
        ("a", "b", "standardiser", "reason"),
        [
            ([], [], "d_z", "0 pairs; 2 are needed"),
            ([1], [2], "d_av", "1 pairs; 2 are needed"),
            ([1, 2, 3], [0, 1, 2], "d_z", "all differences are equal"),
            ([0.7, 0.8, 0.9], [0.1, 0.2, 0.3], "d_z", "all differences are equal"),
            ([2, 2, 2], [1, 1, 1], "d_av", "both samples are constant"),
        ],
    )
    def test_without_a_standardiser_it_is_undefined(
        self, a: list[float], b: list[float], standardiser: Standardiser, reason: str
    ) -> None:
        result = cohens_d_paired(a, b, standardiser=standardiser)
        assert (result.status, result.reason) == ("not_estimable", reason)
        assert all(isnan(x) for x in (result.estimate, result.low, result.high))

    def test_errors(self) -> None:
        with pytest.raises(StatisticsError, match="a: value 0 is nan"):
            cohens_d_paired([nan, 1], [1, 2])
        with pytest.raises(StatisticsError, match="use one of d_z, d_av"):
            cohens_d_paired(A, B, standardiser="d_s")  # type: ignore[arg-type]
        with pytest.raises(StatisticsError, match="alpha is 2"):
            cohens_d_paired(A, B, alpha=2)

    @pytest.mark.slow
    @pytest.mark.parametrize("standardiser", ["d_z", "d_av"])
    def test_coverage(self, standardiser: Standardiser) -> None:
        draws, n, rng = 3000, 60, np.random.default_rng(2)
        # Common variance 1 and correlation 1/2: sd of the difference 1, so both d are 0.5.
        covered = []
        for _ in range(draws):
            shared, own_a, own_b = rng.normal(0, sqrt(0.5), size=(3, n))
            result = cohens_d_paired(
                shared + own_a + 0.5, shared + own_b, standardiser=standardiser
            )
            covered.append(result.low <= 0.5 <= result.high)
        # The normal interval of d_av is for large n; at 60 pairs it covers about a point less.
        allowed = binomial_error(0.95, draws) + (0.01 if standardiser == "d_av" else 0)
        assert np.mean(covered) == pytest.approx(0.95, abs=allowed)


class TestRankBiserial:
    def test_by_hand(self) -> None:
        # Pairs: 1=1 half, 1<2, 1<3, 2>1 one, 2=2 half, 2<3: U = 2, r = 1 - 4/6.
        result = rank_biserial([1, 2], [1, 2, 3])
        assert result.estimate == pytest.approx(1 / 3, abs=HAND)
        assert result.n == 5
        assert isnan(result.p_value)

    def test_it_is_positive_when_y_is_larger(self) -> None:
        assert rank_biserial([1, 2, 3], [4, 5]).estimate == 1.0
        assert rank_biserial([4, 5], [1, 2, 3]).estimate == -1.0

    def test_against_scipy_and_all_pairs(self) -> None:
        rng = np.random.default_rng(3)
        x, y = rng.integers(1, 6, 30), rng.integers(2, 7, 41)
        u = stats.mannwhitneyu(x, y).statistic
        signs = np.sign(y[None, :] - x[:, None])
        result = rank_biserial(x, y)
        assert result.estimate == pytest.approx(1 - 2 * u / (30 * 41), abs=HAND)
        assert result.estimate == pytest.approx(signs.mean(), abs=HAND)

    def test_interval_by_hand(self) -> None:
        # U = 0 with n1 = n2 = 1: theta = 1 and N = 1, so that the variance is t (1 - t), and
        # (1 - t)^2 = z^2 t (1 - t) gives t = 1 / (1 + z^2), r = 2 t - 1.
        result = rank_biserial([1], [2])
        z2 = stats.norm.isf(0.025) ** 2
        assert result.low == pytest.approx(2 / (1 + z2) - 1, abs=HAND)
        assert result.high == 1.0

    def test_interval_ends_solve_the_score_equation(self) -> None:
        rng = np.random.default_rng(4)
        x, y = rng.normal(0, 1, 20), rng.normal(1, 1, 35)
        result = rank_biserial(x, y)
        theta = (result.estimate + 1) / 2
        for end in (result.low, result.high):
            t = (end + 1) / 2
            q1, q2 = t / (2 - t), 2 * t**2 / (1 + t)
            m = (20 + 35) / 2 - 1
            variance = (t * (1 - t) + m * (q1 - t**2) + m * (q2 - t**2)) / (20 * 35)
            assert (theta - t) ** 2 / variance == pytest.approx(stats.chi2.isf(0.05, 1), rel=ROOT)

    def test_swapping_flips_every_sign_exactly(self) -> None:
        rng = np.random.default_rng(5)
        x, y = rng.integers(1, 6, 13), rng.integers(1, 6, 29)
        one, other = rank_biserial(x, y), rank_biserial(y, x)
        assert (other.estimate, other.low, other.high) == (-one.estimate, -one.high, -one.low)

    def test_undefined_and_errors(self) -> None:
        empty = rank_biserial([1, 2], [])
        assert (empty.status, empty.reason) == (
            "not_estimable",
            "samples of 2 and 0; 1 is needed in each",
        )
        assert isnan(empty.estimate)
        with pytest.raises(StatisticsError, match="y: value 1 is nan"):
            rank_biserial([1, 2], [1, nan])
        with pytest.raises(StatisticsError, match="alpha is 0"):
            rank_biserial([1, 2], [1, 2], alpha=0)

    @pytest.mark.slow
    @pytest.mark.parametrize(("n1", "n2"), [(20, 20), (20, 60)])
    def test_coverage(self, n1: int, n2: int) -> None:
        draws, rng = 3000, np.random.default_rng(6)
        # P(x < y) - P(x > y) for unit normals one apart is 2 Phi(1 / sqrt 2) - 1.
        true = 2 * stats.norm.cdf(sqrt(0.5)) - 1
        results = [rank_biserial(rng.normal(0, 1, n1), rng.normal(1, 1, n2)) for _ in range(draws)]
        covered = np.mean([r.low <= true <= r.high for r in results])
        # The Hanley-McNeil variance is that of exponential samples, close to normal ones.
        assert covered == pytest.approx(0.955, abs=0.01 + binomial_error(0.95, draws))
