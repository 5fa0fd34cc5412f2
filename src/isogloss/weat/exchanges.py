"""The ways in which items may be exchanged between two sets, numbered, and their statistics."""

from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from isogloss.stats.arrays import Values
from isogloss.weat.ranks import Ranks


class Exchanges(Protocol):
    """Every exchange that leaves the data as likely as they are if the sets do not differ."""

    @property
    def count(self) -> int:
        """How many there are; number 0 leaves everything where it was."""

    @property
    def observed(self) -> float:
        """Difference in means, first set minus second, without any exchange."""

    def statistics(self, ranks: Ranks) -> Values:
        """The same after each of the exchanges numbered; `count` is at most `MAX_COUNT`."""

    def drawn(self, rng: np.random.Generator, draws: int) -> Values:
        """The same after exchanges drawn independently of each other."""


@dataclass(frozen=True)
class Partitions:
    """All partitions of the pooled items into sets of the sizes observed.

    They are numbered by the combinatorial number system: the partition whose first set has the
    places c_1 < ... < c_k has the number sum_j C(c_j, j).
    """

    values: Values
    """Associations of the pooled items less their mean, those of the first set in front."""
    size: int
    """Items of the first set, k; at most half of all."""

    @cached_property
    def count(self) -> int:
        """C(n, k)."""
        return comb(self.values.size, self.size)

    @property
    def observed(self) -> float:
        """Mean of the items in front minus mean of the others."""
        return float(self._difference(self.values[: self.size].sum()))

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        """C(place, j) by j - 1 and place, none above `count`."""
        places = range(self.values.size)
        return np.array([[comb(p, j + 1) for p in places] for j in range(self.size)], np.int64)

    def statistics(self, ranks: Ranks) -> Values:
        """Unrank each partition from its largest place down, and sum as it is unranked."""
        left, total = ranks.copy(), np.zeros(ranks.size)
        for numbers in self._numbers[::-1]:
            places = np.searchsorted(numbers, left, side="right") - 1
            left -= numbers[places]
            total += self.values[places]
        return self._difference(total)

    def drawn(self, rng: np.random.Generator, draws: int) -> Values:
        """Shuffle the pooled items `draws` times."""
        pooled = np.broadcast_to(self.values, (draws, self.values.size))
        return self._difference(rng.permuted(pooled, axis=1)[:, : self.size].sum(axis=1))

    def _difference(self, total: Values | np.float64) -> Values:
        rest = self.values.size - self.size
        return np.asarray(total / self.size - (self.values.sum() - total) / rest)


@dataclass(frozen=True)
class Swaps:
    """All ways to swap, or not, the two partners of each pair; bit i of the number swaps pair i."""

    differences: Values
    """Association of the first partner minus that of the second, by pair."""

    @property
    def count(self) -> int:
        """2^n."""
        return 1 << self.differences.size

    @property
    def observed(self) -> float:
        """Mean of the differences."""
        return float(self.differences.mean())

    def statistics(self, ranks: Ranks) -> Values:
        """Mean of the differences, of which the swapped ones have the other sign."""
        total = np.zeros(ranks.size)
        for bit, difference in enumerate(self.differences):
            total += difference * (1 - 2 * ((ranks >> bit) & 1))
        return total / self.differences.size

    def drawn(self, rng: np.random.Generator, draws: int) -> Values:
        """Toss a coin for each pair."""
        signs = 1 - 2 * rng.integers(0, 2, (draws, self.differences.size))
        return np.asarray((signs * self.differences).mean(axis=1))
