"""Distinct numbers drawn at random from a range, without a list of those drawn before."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Ranks = NDArray[np.int64]

MAX_COUNT = 2**62
"""Largest range from which distinct numbers can be drawn."""

CHUNK = 1 << 14
"""Numbers that are held at a time."""

_ROUNDS = 8
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def all_ranks(count: int) -> Iterator[Ranks]:
    """Yield 0 to `count` - 1 in chunks."""
    for start in range(0, count, CHUNK):
        yield np.arange(start, min(start + CHUNK, count), dtype=np.int64)


def distinct_ranks(count: int, draws: int, seed: np.random.SeedSequence) -> Iterator[Ranks]:
    """Yield `draws` different numbers of 1 to `count` - 1 in chunks, in a seeded random order.

    A keyed permutation of the whole range (a Feistel network of eight rounds, walked along until
    it is back in the range) is applied to 0, 1, 2, ...: no number comes twice, and what is held
    does not grow with `draws`. `draws` is at most `count` - 1, and `count` at most `MAX_COUNT`.
    """
    size = count - 1
    half = np.uint64(max(1, -(-(size - 1).bit_length() // 2)))
    keys = seed.generate_state(_ROUNDS, np.uint64).astype(np.uint64)
    for start in range(0, draws, CHUNK):
        places = np.arange(start, min(start + CHUNK, draws), dtype=np.uint64)
        yield 1 + _walk(places, np.uint64(size), half, keys).astype(np.int64)


def _walk(
    places: NDArray[np.uint64], size: np.uint64, half: np.uint64, keys: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Permute, and permute again what left the range: a permutation of the range itself."""
    found = _permuted(places, half, keys)
    outside = np.flatnonzero(found >= size)
    while outside.size:
        found[outside] = _permuted(found[outside], half, keys)
        outside = outside[found[outside] >= size]
    return found


def _permuted(
    places: NDArray[np.uint64], half: np.uint64, keys: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    mask = (np.uint64(1) << half) - np.uint64(1)
    left, right = places >> half, places & mask
    for key in keys:
        left, right = right, left ^ (_mixed(right ^ key) & mask)
    return (left << half) | right


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    mixed = (values ^ (values >> np.uint64(30))) * _MIX[0]
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _MIX[1]
    return mixed ^ (mixed >> np.uint64(31))
