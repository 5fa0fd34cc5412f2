"""Level of the permutation tests and coverage of the interval, by seeded simulation."""

from math import sqrt

import numpy as np
import pytest
from tests.weat.conftest import A, B, with_association

from isogloss.weat import weat
from isogloss.weat.interval import bootstrap_interval

pytestmark = pytest.mark.slow

RUNS = 2_000
LEVEL = 0.05
ERROR = 3.5 * sqrt(LEVEL * (1 - LEVEL) / RUNS)
"""What chance may do to a rate of 5 % in `RUNS` runs, at 3.5 standard errors."""


def rejections(design: str, max_exact: int, sizes: tuple[int, int], *, shared: float) -> float:
    """Share of runs without a difference in which p is at most 5 %."""
    rng = np.random.default_rng(17)
    rejected = 0
    for run in range(RUNS):
        common = sqrt(shared) * rng.exponential(size=max(sizes))
        x, y = (
            np.tanh(0.3 * (common[:n] + sqrt(1 - shared) * rng.exponential(size=n)) - 0.3)
            for n in sizes
        )
        found = weat(
            with_association(*x),
            with_association(*y),
            A,
            B,
            design=design,  # type: ignore[arg-type]
            max_exact=max_exact,
            n_permutations=199,
            n_bootstrap=1,
            seed=run,
        )
        rejected += found.p_value <= LEVEL
    return rejected / RUNS


@pytest.mark.parametrize(
    ("max_exact", "sizes"),
    [(10**6, (5, 5)), (10**6, (4, 7)), (1, (20, 20)), (1, (10, 25)), (1, (5, 5))],
)
def test_level_of_the_unpaired_test(max_exact: int, sizes: tuple[int, int]) -> None:
    """Skewed associations: exact and sampled, of sizes equal and not, at the level and not below.

    With five against five the attainable levels are multiples of 2/252.
    """
    rate = rejections("unpaired", max_exact, sizes, shared=0.0)
    assert LEVEL - 0.01 - ERROR <= rate <= LEVEL + ERROR


@pytest.mark.parametrize("max_exact", [10**6, 1])
def test_level_of_the_paired_test(max_exact: int) -> None:
    rate = rejections("paired", max_exact, (10, 10), shared=0.7)
    assert LEVEL - 0.01 - ERROR <= rate <= LEVEL + ERROR


def test_the_unpaired_test_is_too_careful_with_pairs() -> None:
    """Which is why texts that share their content are tested as pairs."""
    assert rejections("unpaired", 1, (10, 10), shared=0.7) < LEVEL / 2


@pytest.mark.parametrize(
    ("kind", "sizes", "shift", "least"),
    [
        ("normal", (20, 20), 0.0, 0.93),
        ("normal", (20, 20), 1.0, 0.93),
        ("normal", (8, 8), 1.0, 0.93),
        ("normal", (10, 30), 2.5, 0.92),
        ("skewed", (20, 20), 1.0, 0.89),
        ("skewed", (8, 8), 1.0, 0.89),
    ],
)
def test_coverage_of_the_interval(
    kind: str, sizes: tuple[int, int], shift: float, least: float
) -> None:
    """Between what `docs/weat.md` states and 98 %; a percentile interval falls to 77 % here."""
    rng = np.random.default_rng(23)
    (n_x, n_y), n, runs = sizes, sum(sizes), 1_000
    target = shift * sqrt((n - 1) / (n - 2 + n_x * n_y / n * shift**2))
    covered = 0
    for run in range(runs):
        x, y = (
            rng.normal(size=k) if kind == "normal" else rng.exponential(size=k) - 1 for k in sizes
        )
        found = bootstrap_interval(
            x + shift,
            y,
            "unpaired",
            ddof=1,
            draws=600,
            alpha=0.05,
            seed=np.random.SeedSequence(run),
        )
        covered += found.low <= target <= found.high
    assert least <= covered / runs <= 0.985


def test_coverage_of_the_paired_interval() -> None:
    rng = np.random.default_rng(29)
    n, shift, runs = 20, 0.5, 1_000
    target = shift * sqrt((2 * n - 1) / (2 * n - 2 + n / 2 * shift**2))
    covered = 0
    for run in range(runs):
        common = sqrt(0.7) * rng.normal(size=n)
        x, y = (common + sqrt(0.3) * rng.normal(size=n) for _ in range(2))
        found = bootstrap_interval(
            x + shift, y, "paired", ddof=1, draws=600, alpha=0.05, seed=np.random.SeedSequence(run)
        )
        covered += found.low <= target <= found.high
    assert 0.93 <= covered / runs <= 0.975
