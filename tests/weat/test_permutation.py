"""Sampled tests: what they draw, what p means, and that nothing is kept."""

import tracemalloc

import numpy as np
import pytest
from scipy.stats import norm
from tests.weat.conftest import A, B, with_association

from isogloss.weat import WeatResult, weat

RNG = np.random.default_rng(12)
X, Y = RNG.uniform(-0.6, 0.9, 10), RNG.uniform(-0.9, 0.6, 10)


def of_ten(max_exact: int, n_permutations: int) -> WeatResult:
    return weat(
        with_association(*X),
        with_association(*Y),
        A,
        B,
        max_exact=max_exact,
        n_permutations=n_permutations,
        n_bootstrap=1,
    )


def test_sampled_p_is_near_the_exact_one() -> None:
    exact, sampled = of_ten(10**6, 1), of_ten(1, 40_000)
    assert (exact.exact, exact.n_draws, exact.n_partitions) == (True, 184_756, 184_756)
    assert (sampled.exact, sampled.n_draws, sampled.n_partitions) == (False, 40_000, 184_756)
    p = exact.p_value
    assert sampled.p_value == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 40_000))


def test_drawing_all_that_there_are_gives_the_exact_p() -> None:
    """Without replacement, and never the observed one: 69 draws of 70, and no more than that."""
    high, low = with_association(0.9, 0.8, 0.7, 0.6), with_association(0.1, 0.2, 0.3, 0.4)
    for n_permutations in (69, 10_000):
        found = weat(high, low, A, B, max_exact=69, n_permutations=n_permutations)
        assert (found.exact, found.n_draws, found.p_value) == (False, 69, 2 / 70)


def test_the_smallest_sampled_p_counts_the_observed_partition() -> None:
    high, low = with_association(*np.linspace(0.5, 0.9, 20)), with_association(*np.zeros(20))
    assert weat(high, low, A, B, n_permutations=999, n_bootstrap=1).p_value == 1 / 1000


def test_as_many_as_there_may_be_are_visited() -> None:
    assert of_ten(184_756, 1).exact
    assert not of_ten(184_755, 1).exact


@pytest.mark.parametrize("design", ["unpaired", "paired"])
def test_more_partitions_than_can_be_numbered(design: str) -> None:
    """Seventy against seventy: drawn independently, and the same difference is found."""
    x, y = RNG.uniform(-0.9, 0.9, 70), RNG.uniform(-0.9, 0.9, 70)
    found = weat(
        with_association(*x),
        with_association(*y),
        A,
        B,
        design=design,  # type: ignore[arg-type]
        n_permutations=20_000,
        n_bootstrap=1,
    )
    assert "20000 independent draws of more than 2^62" in found.method
    spread = (x - y).std() if design == "paired" else np.concatenate([x, y]).std() * np.sqrt(2)
    z = abs(x.mean() - y.mean()) / (spread / np.sqrt(70))
    assert found.p_value == pytest.approx(2 * norm.sf(z), abs=0.02)


def peak(x: np.ndarray, y: np.ndarray, max_exact: int, n_permutations: int) -> int:
    """Most bytes that were held at once."""
    sets = with_association(*x), with_association(*y)
    tracemalloc.start()
    weat(*sets, A, B, max_exact=max_exact, n_permutations=n_permutations, n_bootstrap=1)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def test_memory_does_not_grow_with_the_draws() -> None:
    """130,000 more draws, and less than half a byte for each."""
    few, many = (peak(X, Y, 1, draws) for draws in (50_000, 180_000))
    assert abs(many - few) < 50_000


def test_memory_does_not_grow_with_the_partitions() -> None:
    """All 92,378 partitions, and all 705,432."""
    x, y = RNG.uniform(-0.9, 0.9, 11), RNG.uniform(-0.9, 0.9, 11)
    few, many = peak(X, Y[:9], 10**6, 1), peak(x, y, 10**6, 1)
    assert abs(many - few) < 50_000
