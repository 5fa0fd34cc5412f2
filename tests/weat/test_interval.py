"""The interval of d: where it lies, that it is turned with the data, and where there is none."""

import numpy as np
import pytest

from isogloss.weat.interval import Interval, bootstrap_interval

RNG = np.random.default_rng(2)
X, Y = RNG.normal(0.8, 1.0, 15), RNG.normal(0.0, 1.0, 25)


def interval(x: np.ndarray, y: np.ndarray, **options: object) -> Interval:
    given = {"design": "unpaired", "ddof": 1, "draws": 2_000, "alpha": 0.05, **options}
    return bootstrap_interval(x, y, seed=np.random.SeedSequence(1), **given)  # type: ignore[arg-type]


def effect_size(x: np.ndarray, y: np.ndarray, ddof: int = 1) -> float:
    return float((x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=ddof))


@pytest.mark.parametrize("ddof", [0, 1])
def test_it_lies_about_d_and_narrows_with_the_confidence(ddof: int) -> None:
    d = effect_size(X, Y, ddof)
    wide, narrow = interval(X, Y, ddof=ddof), interval(X, Y, ddof=ddof, alpha=0.5)
    assert -2 < wide.low < narrow.low < d < narrow.high < wide.high < 2
    assert wide.reason is None


def test_it_narrows_with_the_items() -> None:
    few, many = interval(X, Y), interval(np.tile(X, 9), np.tile(Y, 9))
    assert (many.high - many.low) * 2 < few.high - few.low


def test_the_scale_of_the_associations_does_not_matter() -> None:
    one, other = interval(X, Y), interval(1e-3 * X - 5, 1e-3 * Y - 5)
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-6)


def test_pairs_that_share_much_have_a_narrow_interval() -> None:
    x = RNG.normal(size=20)
    y = x - 0.3 + RNG.normal(0, 0.1, 20)
    apart, paired = interval(x, y), interval(x, y, design="paired")
    assert apart.low < 0 < paired.low < effect_size(x, y) < paired.high < apart.high


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        (X[:3], Y, "a set of 3; the bootstrap needs 4 items in each"),
        (np.full(4, 0.5), np.full(4, 0.1), "the associations do not vary within the sets"),
        (np.array([0.0] * 5 + [1.0]), np.zeros(6), "too few resamples vary within the sets"),
    ],
)
def test_no_interval_says_why(x: np.ndarray, y: np.ndarray, reason: str) -> None:
    found = interval(x, y)
    assert found.reason == reason
    assert np.isnan([found.low, found.high]).all()
