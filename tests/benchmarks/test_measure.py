"""Rounds, samples and agreement; how long anything takes is no matter here."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, nan

import pytest
from benchmarks.measure import (
    Measurement,
    Timing,
    check,
    largest_difference,
    measure,
    rotated,
    spread,
)
from benchmarks.peers import Row
from benchmarks.work import Shape, work_of
from benchmarks.workloads import RATING, Ask, BenchmarkError, Question

from isogloss.score.prompts import Message

ROW = (0.25, 0.5)


@dataclass
class Fixed:
    """A peer that gives the same row for every prompt and keeps what it was asked."""

    name: str
    row: Row = ROW
    reads_all: bool = False
    read_tokens: list[list[tuple[int, ...]]] = field(default_factory=list)

    def prepare(self, questions: Sequence[Question]) -> None:
        """Nothing to do."""

    def read(self, questions: Sequence[Question]) -> list[Row]:
        """Return the row and remember the prompts."""
        self.read_tokens.append([question.tokens for question in questions])
        return [self.row for _ in questions]


@pytest.fixture
def questions(ask: Ask) -> list[Question]:
    """Return ten prompts."""
    return [ask([Message("user", f"Text {number}")], RATING) for number in range(10)]


def run(questions: list[Question], *peers: Fixed) -> Measurement:
    shape = Shape(1, 1, 1)
    return measure("W1", questions, peers, shape, rounds=2, sample=3, peak=lambda: 1.0)


def test_samples_are_shared_by_slow_peers_and_differ_between_rounds(
    questions: list[Question],
) -> None:
    slow, slower, ours = Fixed("slow"), Fixed("slower"), Fixed("ours", reads_all=True)
    found = run(questions, slow, slower, ours)
    _, first, second = slow.read_tokens
    assert slower.read_tokens[1:] == [first, second]
    assert len(first) == len(second) == 3
    assert not set(first) & set(second)
    assert ours.read_tokens[1:] == [[question.tokens for question in questions]] * 2
    assert found.checked == 6
    assert [timing.prompts for timing in found.timings] == [3, 3, 10]


@pytest.mark.parametrize("row", [(0.25, 0.50002), (nan, 0.5)])
def test_wrong_numbers_are_noticed(questions: list[Question], row: Row) -> None:
    found = run(questions, Fixed("base"), Fixed("ours", row, reads_all=True))
    with pytest.raises(BenchmarkError, match="its speed means nothing"):
        check([found], "ours")


def test_numbers_within_the_tolerance_pass(questions: list[Question]) -> None:
    close = Fixed("ours", (0.25, 0.500009), reads_all=True)
    found = run(questions, Fixed("base"), close)
    check([found], "ours")
    assert found.timing("ours").difference == pytest.approx(9e-6)


def test_a_common_factor_leaves_the_shares_alone(questions: list[Question]) -> None:
    found = run(questions, Fixed("base"), Fixed("scaled", (0.125, 0.25)))
    assert found.timing("scaled").difference == pytest.approx(0.25)
    assert found.timing("scaled").share_difference == pytest.approx(0, abs=1e-12)


def test_the_largest_difference_sees_what_is_not_a_number() -> None:
    assert largest_difference([((0.0, 1.0), (0.0, nan))]) == inf


@pytest.mark.parametrize(("count", "sample", "turns"), [(300, 16, 3), (10, 3, 2), (4, 16, 3)])
def test_a_sample_is_spread_over_all_prompts(count: int, sample: int, turns: int) -> None:
    for turn in range(turns):
        places = spread(count, sample, turn, turns)
        assert len(set(places)) == min(sample, count)
        assert 0 <= min(places) < count / len(places)
        assert int(count - count / len(places)) <= max(places) < count


def test_each_round_begins_with_another_peer() -> None:
    peers = [Fixed("a"), Fixed("b"), Fixed("c")]
    assert ["".join(peer.name for peer in rotated(peers, turn)) for turn in range(3)] == [
        "abc",
        "bca",
        "cab",
    ]


def test_ratio_and_utilisation() -> None:
    timings = (
        Timing("W1", "slow", 1, (4.0, 6.0, 50.0), 0, 0),
        Timing("W1", "ours", 1, (2.0,), 0, 0),
    )
    found = Measurement("W1", work_of([(1,)]), timings, operations=30, peak=20, checked=1)
    assert found.ratio("ours", "slow") == pytest.approx(3)
    assert found.utilisation("ours") == pytest.approx(0.75)
