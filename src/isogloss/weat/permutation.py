"""Permutation tests whose exchanges are looked at as they come and never kept."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isogloss.stats.arrays import Values
from isogloss.weat.exchanges import Exchanges
from isogloss.weat.ranks import CHUNK, MAX_COUNT, all_ranks, distinct_ranks
from isogloss.weat.results import Alternative

ROUNDING = 64 * float(np.finfo(np.float64).eps)
"""What rounding can do to an association, which is a difference of mean cosines."""

_TIE = 1e-10
"""Share of the range of the associations within which two statistics count as equal."""

_CELLS = 1 << 20
"""Cells of the largest table of independent draws."""


@dataclass(frozen=True)
class Permutation:
    """Outcome of a permutation test."""

    p_value: float
    exact: bool
    n_draws: int
    """Exchanges visited, not counting the observed one where they were drawn."""
    how: str
    """Which exchanges were visited, in words."""


def permutation_test(
    exchanges: Exchanges,
    spread: float,
    items: int,
    alternative: Alternative,
    max_exact: int,
    n_permutations: int,
    seed: np.random.SeedSequence,
) -> Permutation:
    """Test the difference that `exchanges` has at number 0, whose p-value is

    - exact, hits / count, where there are at most `max_exact` exchanges;
    - else (1 + hits) / (1 + draws) over `n_permutations` different exchanges other than the
      observed one, or all of those where there are no more;
    - above 2^62 exchanges the same over independent draws, of which two are the same with a
      probability below draws^2 / 2^63.

    In the second case observed and drawn exchanges are together a random subset, without
    replacement, in which under the null hypothesis each is equally likely to be the observed one;
    in the third they are independent and equally likely. So P(p <= a) <= a in both (Phipson and
    Smyth 2010). A hit is at least as extreme as the observed difference, two-sided in absolute
    value; `spread`, the range of the associations, sets the tolerance for ties.
    """
    tie = max(_TIE * spread, ROUNDING)
    observed = exchanges.observed
    exact = exchanges.count <= max_exact
    draws = exchanges.count if exact else min(n_permutations, exchanges.count - 1)
    hits = 0
    for statistics in _visited(exchanges, items, draws, seed, exact=exact):
        hits += int(_extreme(statistics, observed, alternative, tie).sum())
    p_value = hits / draws if exact else (1 + hits) / (1 + draws)
    return Permutation(p_value, exact, draws, _how(exchanges.count, draws, exact=exact))


def _visited(
    exchanges: Exchanges, items: int, draws: int, seed: np.random.SeedSequence, *, exact: bool
) -> Iterator[Values]:
    if exact:
        yield from map(exchanges.statistics, all_ranks(draws))
    elif exchanges.count <= MAX_COUNT:
        yield from map(exchanges.statistics, distinct_ranks(exchanges.count, draws, seed))
    else:
        rng, step = np.random.default_rng(seed), max(1, min(CHUNK, _CELLS // items))
        for start in range(0, draws, step):
            yield exchanges.drawn(rng, min(step, draws - start))


def _extreme(
    statistics: Values, observed: float, alternative: Alternative, tie: float
) -> NDArray[np.bool_]:
    if alternative == "two-sided":
        return np.abs(statistics) >= abs(observed) - tie
    if alternative == "greater":
        return statistics >= observed - tie
    return statistics <= observed + tie


def _how(count: int, draws: int, *, exact: bool) -> str:
    if exact:
        return f"exact permutation test over all {count}"
    if count <= MAX_COUNT:
        return f"permutation test over {draws} different ones of"
    return f"permutation test over {draws} independent draws of"
