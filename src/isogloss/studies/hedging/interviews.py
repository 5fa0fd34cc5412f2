"""Simulated interviews: which questions each asks, which ratings it shows, how it ends."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isogloss.errors import ItemError
from isogloss.score.parse import DECISIONS


@dataclass(frozen=True)
class Interview:
    """One interview's draw, shared by every guise, condition and model."""

    number: int
    item_ids: tuple[str, ...]
    uniforms: tuple[float, ...]
    """One draw from [0, 1) for each question; see `rating_at`."""
    option_order: tuple[str, ...]
    """Decisions in the order in which the prompt lists them."""


def draw_interviews(
    item_ids: Sequence[str], *, count: int, questions: int, seed: int, item_set: str
) -> list[Interview]:
    """Draw each interview: its questions without repetition, its ratings' draws, its options.

    Raises `ItemError` when there are fewer valid items than questions.
    """
    if len(item_ids) < questions:
        raise ItemError(
            f"item set {item_set} has {len(item_ids)} valid items, an interview asks {questions}; "
            "set interviews.questions lower or interviews.count to 0"
        )
    rng = np.random.default_rng([seed, zlib.crc32(f"interviews {item_set}".encode())])
    return [
        Interview(
            number,
            tuple(str(item) for item in rng.choice(sorted(item_ids), questions, replace=False)),
            tuple(float(u) for u in rng.random(questions)),
            tuple(str(option) for option in rng.permutation(DECISIONS)),
        )
        for number in range(1, count + 1)
    ]


def rating_at(uniform: float, probabilities: Sequence[float]) -> int:
    """Rating drawn from a distribution over 1..k by inversion.

    The smallest r with P(1) + ... + P(r) > u. One u for all guises of a question makes their
    ratings as alike as the distributions are, and leaves each guise's own distribution unchanged.
    """
    cumulative: NDArray[np.float64] = np.cumsum(probabilities)
    below = int(np.searchsorted(cumulative, uniform, side="right"))
    return min(below, len(probabilities) - 1) + 1


def sample_items(item_ids: Sequence[str], count: int, seed: int, item_set: str) -> list[str]:
    """Draw `count` items (all, when there are fewer), in the order of their ids."""
    rng = np.random.default_rng([seed, zlib.crc32(f"reasoned {item_set}".encode())])
    chosen = rng.permutation(sorted(item_ids))[:count]
    return sorted(str(item) for item in chosen)
