"""Numbers drawn from a range are in it, different, seeded, and as likely as each other."""

import numpy as np
import pytest
from scipy import stats

from isogloss.weat.ranks import CHUNK, MAX_COUNT, all_ranks, distinct_ranks


def drawn(count: int, draws: int, seed: int = 0) -> np.ndarray:
    return np.concatenate(list(distinct_ranks(count, draws, np.random.SeedSequence(seed))))


@pytest.mark.parametrize("count", [2, 3, 5, 64, 65, 924, 70_000])
def test_drawing_all_gives_each_number_but_0_once(count: int) -> None:
    assert sorted(drawn(count, count - 1)) == list(range(1, count))


@pytest.mark.parametrize("count", [137_846_528_820, MAX_COUNT])
def test_draws_from_large_ranges_are_different_and_inside(count: int) -> None:
    found = drawn(count, 50_000)
    assert len(set(found.tolist())) == found.size == 50_000
    assert 1 <= found.min() <= found.max() < count


def test_the_seed_decides() -> None:
    assert (drawn(10_000, 50, 1) == drawn(10_000, 50, 1)).all()
    assert (drawn(10_000, 50, 1) != drawn(10_000, 50, 2)).any()


def test_chunks_are_bounded() -> None:
    sizes = [ranks.size for ranks in distinct_ranks(10**9, 3 * CHUNK + 1, np.random.SeedSequence())]
    assert sizes == [CHUNK, CHUNK, CHUNK, 1]
    assert np.concatenate(list(all_ranks(CHUNK + 2))).tolist() == list(range(CHUNK + 2))


@pytest.mark.slow
def test_every_number_and_pair_of_numbers_is_as_likely() -> None:
    """First and second of the draws from 1 to 12 over 6,600 seeds: all 132 pairs alike."""
    runs, size = 6_600, 12
    pairs = np.array([drawn(size + 1, 2, seed) for seed in range(runs)])
    counts = np.zeros((size, size))
    np.add.at(counts, (pairs[:, 0] - 1, pairs[:, 1] - 1), 1)
    assert (np.diag(counts) == 0).all()
    off = counts[~np.eye(size, dtype=bool)]
    assert stats.chisquare(off).pvalue > 1e-3


@pytest.mark.slow
def test_draws_from_a_large_range_are_spread_evenly() -> None:
    found = drawn(10**12, 200_000) / 10**12
    assert stats.kstest(found, "uniform").pvalue > 1e-3
    steps = np.diff(found) % 1.0
    assert stats.kstest(steps, "uniform").pvalue > 1e-3
