"""Every number stands for one exchange, and number 0 for none."""

from itertools import combinations, product

import numpy as np
import pytest

from isogloss.weat.exchanges import Exchanges, Partitions, Swaps

ROUNDING = 1e-14
VALUES = np.array([0.31, -0.2, 0.07, 0.5, -0.44, 0.02, 0.9])


@pytest.mark.parametrize("size", [1, 2, 3])
def test_each_partition_comes_once(size: int) -> None:
    partitions = Partitions(VALUES, size)
    expected = []
    for chosen in combinations(range(VALUES.size), size):
        rest = np.delete(VALUES, chosen)
        expected.append(VALUES[list(chosen)].mean() - rest.mean())
    found = partitions.statistics(np.arange(partitions.count, dtype=np.int64))
    assert sorted(found) == pytest.approx(sorted(expected), abs=ROUNDING)
    assert found[0] == pytest.approx(partitions.observed, abs=ROUNDING)
    assert partitions.observed == pytest.approx(
        VALUES[:size].mean() - VALUES[size:].mean(), abs=ROUNDING
    )


def test_each_way_to_swap_comes_once() -> None:
    swaps = Swaps(VALUES)
    expected = [np.mean(np.array(signs) * VALUES) for signs in product((1, -1), repeat=7)]
    found = swaps.statistics(np.arange(swaps.count, dtype=np.int64))
    assert sorted(found) == pytest.approx(sorted(expected), abs=ROUNDING)
    assert found[0] == pytest.approx(VALUES.mean(), abs=ROUNDING) == swaps.observed


@pytest.mark.parametrize("exchanges", [Partitions(VALUES, 3), Swaps(VALUES)])
def test_independent_draws_are_exchanges_too(exchanges: Exchanges) -> None:
    every = exchanges.statistics(np.arange(exchanges.count, dtype=np.int64))
    drawn = exchanges.drawn(np.random.default_rng(0), 3_000)
    apart = np.abs(drawn[:, None] - every[None, :]).min(axis=1)
    assert apart.max() < ROUNDING
    assert drawn.std() == pytest.approx(every.std(), rel=0.1)
