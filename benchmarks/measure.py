"""Time the peers in rounds, and hold every peer's probabilities against one prompt at a time."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, isnan
from statistics import median

import torch

from benchmarks.machine import gemm_peak
from benchmarks.peers import Peer, Row
from benchmarks.work import Shape, Work, work_of
from benchmarks.workloads import BenchmarkError, Question

TOLERANCE = 1e-5
"""Largest difference in a probability with which figures of ours may be shown."""


@dataclass(frozen=True)
class Timing:
    """One peer on one workload."""

    workload: str
    peer: str
    prompts: int
    """Prompts in each round."""
    seconds: tuple[float, ...]
    """CPU seconds for each prompt, one number for each round."""
    difference: float
    """Largest absolute difference in a probability from one prompt at a time."""
    share_difference: float
    """The same after the probabilities of a prompt are divided by their sum."""

    @property
    def typical(self) -> float:
        """Median over rounds of the CPU seconds for each prompt."""
        return median(self.seconds)


@dataclass(frozen=True)
class Measurement:
    """All peers on one workload."""

    workload: str
    work: Work
    timings: tuple[Timing, ...]
    operations: float
    """Floating-point operations for each prompt when equal beginnings are read once."""
    peak: float
    """Most floating-point operations per CPU second that a matrix product reached meanwhile."""
    checked: int
    """Prompts whose probabilities were compared."""

    def timing(self, peer: str) -> Timing:
        """Return the timing of a peer; raises `KeyError` for one that was not measured."""
        return {timing.peer: timing for timing in self.timings}[peer]

    def ratio(self, peer: str, other: str) -> float:
        """How many times faster `peer` is than `other`."""
        return self.timing(other).typical / self.timing(peer).typical

    def utilisation(self, peer: str) -> float:
        """Share of the peak that a peer reaches, counting only operations that are needed."""
        return self.operations / (self.timing(peer).typical * self.peak)


@dataclass(frozen=True)
class _Reading:
    seconds: float
    rows: dict[int, Row]


def measure(
    workload: str,
    questions: Sequence[Question],
    peers: Sequence[Peer],
    shape: Shape,
    *,
    rounds: int,
    sample: int,
    peak: Callable[[], float] = gemm_peak,
) -> Measurement:
    """Measure all peers in `rounds` rounds; the first peer is what the others are held against.

    Within a round peers follow each other, each round beginning with another one, so that a change
    of the machine's pace hits all. A peer that does not read all prompts gets `sample` of them,
    other ones in each round, the same for all such peers.
    """
    everything = range(len(questions))
    samples = [spread(len(questions), sample, turn, rounds) for turn in range(rounds)]
    for peer in peers:
        _prepare(peer, questions, everything if peer.reads_all else sorted(set().union(*samples)))
    peaks = []
    readings: dict[str, list[_Reading]] = {peer.name: [] for peer in peers}
    for turn, chosen in enumerate(samples):
        peaks.append(peak())
        for peer in rotated(peers, turn):
            places = everything if peer.reads_all else chosen
            readings[peer.name].append(_read(peer, questions, places))
    work = work_of([question.tokens for question in questions])
    return Measurement(
        workload=workload,
        work=work,
        timings=tuple(_timing(workload, peer, peers[0], readings) for peer in peers),
        operations=work.operations(shape) / work.prompts,
        peak=max(peaks),
        checked=len({place for reading in readings[peers[0].name] for place in reading.rows}),
    )


def check(measurements: Sequence[Measurement], peer: str) -> None:
    """Raise `BenchmarkError` where a peer's probabilities are not those of one prompt at a time."""
    for measurement in measurements:
        difference = measurement.timing(peer).difference
        if not difference <= TOLERANCE:
            raise BenchmarkError(
                f"{measurement.workload}: {peer} differs by {difference:.1e} from one prompt at a "
                f"time, more than {TOLERANCE:.0e}; its speed means nothing and is not written"
            )


def spread(count: int, sample: int, turn: int, turns: int) -> list[int]:
    """Return `sample` places out of `count`, evenly spread, other ones in each turn."""
    size = min(sample, count)
    return [(i * count + turn * count // turns) // size for i in range(size)]


def largest_difference(pairs: Iterable[tuple[Row, Row]]) -> float:
    """Largest absolute difference of two rows' numbers; infinite where one is not a number."""
    apart = [abs(a - b) for first, second in pairs for a, b in zip(first, second, strict=True)]
    return inf if any(map(isnan, apart)) else max(apart)


def rotated(peers: Sequence[Peer], turn: int) -> list[Peer]:
    """Return the peers beginning with another one in each turn."""
    start = turn % len(peers)
    return [*peers[start:], *peers[:start]]


def _prepare(peer: Peer, questions: Sequence[Question], places: Sequence[int]) -> None:
    """Prepare, and read a little so that what is made on first use is there."""
    peer.prepare([questions[place] for place in places])
    peer.read([questions[place] for place in places[:2]])


def _read(peer: Peer, questions: Sequence[Question], places: Sequence[int]) -> _Reading:
    chosen = [questions[place] for place in places]
    seconds, rows = timed(lambda: peer.read(chosen))
    return _Reading(seconds / len(chosen), dict(zip(places, rows, strict=True)))


def timed(read: Callable[[], list[Row]]) -> tuple[float, list[Row]]:
    """Return the CPU seconds of a reading and what it read.

    Raises `BenchmarkError` when the reading changed how many threads there are.
    """
    threads = torch.get_num_threads()
    start = time.process_time()
    rows = read()
    seconds = time.process_time() - start
    if torch.get_num_threads() != threads:
        raise BenchmarkError("the number of threads changed while the clock ran")
    return seconds, rows


def _timing(workload: str, peer: Peer, base: Peer, readings: dict[str, list[_Reading]]) -> Timing:
    own = readings[peer.name]
    pairs = [
        (reading.rows[place], row)
        for reading, truth in zip(own, readings[base.name], strict=True)
        for place, row in truth.rows.items()
    ]
    return Timing(
        workload=workload,
        peer=peer.name,
        prompts=len(own[0].rows),
        seconds=tuple(reading.seconds for reading in own),
        difference=largest_difference(pairs),
        share_difference=largest_difference((_shares(a), _shares(b)) for a, b in pairs),
    )


def _shares(row: Row) -> Row:
    total = sum(row)
    return tuple(value / total for value in row)
