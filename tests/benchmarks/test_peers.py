"""The ways that are compared give the same numbers, and wrong ones are noticed."""

from collections.abc import Sequence
from typing import Any

import pytest
from benchmarks.peers import Batched, Naive, rows_of
from benchmarks.workloads import RATING, YES_NO, Ask, BenchmarkError, Question

from isogloss.score.backend import Answer, Distribution, Failed, Reply
from isogloss.score.prompts import Message

TEXTS = ("Short.", "A text of middling length, all in all.", "Another?", "Once more, and longer.")


@pytest.fixture(params=[RATING, YES_NO], ids=["rating", "yes or no"])
def questions(request: pytest.FixtureRequest, ask: Ask) -> Sequence[Question]:
    """Return prompts of different lengths."""
    return [ask([Message("user", text)], request.param) for text in TEXTS]


def test_batches_agree_with_one_prompt_at_a_time(model: Any, questions: Sequence[Question]) -> None:
    alone = Naive(model).read(questions)
    together = Batched(model, 3).read(questions)
    assert len({round(row[0], 6) for row in alone}) > 1
    for one, other in zip(alone, together, strict=True):
        assert one == pytest.approx(other, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("batch", [1, 3])
def test_the_harness_agrees_in_shares(
    model: Any, tokenizer: Any, questions: Sequence[Question], batch: int
) -> None:
    pytest.importorskip("lm_eval")
    from benchmarks.harness import Harness

    peer = Harness(model, tokenizer, batch)
    peer.prepare(questions)
    for own, row in zip(Naive(model).read(questions), peer.read(questions), strict=True):
        scaled = [value * sum(own) / sum(row) for value in row]
        assert own == pytest.approx(scaled, abs=1e-6)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([(0, Distribution((1.0,)))], "1 of 2"),
        ([(0, Distribution((1.0,))), (0, Distribution((1.0,)))], "twice"),
        ([(0, Distribution((1.0,))), (2, Distribution((1.0,)))], "2 of 2"),
        ([(0, Failed("gone"))], "no probabilities"),
        ([(0, Reply("Yes"))], "no probabilities"),
        ([(0, Distribution((0.5,), unseen=0.1))], "no probabilities"),
    ],
)
def test_a_backend_that_leaves_gaps_is_refused(
    answers: list[tuple[int, Answer]], message: str
) -> None:
    with pytest.raises(BenchmarkError, match=message):
        rows_of([answers[:1], answers[1:]], 2)


def test_answers_come_into_the_order_of_the_tasks() -> None:
    one, two, three = (Distribution((p,)) for p in (0.1, 0.2, 0.3))
    assert rows_of([[(2, three)], [(1, two), (0, one)]], 3) == [(0.1,), (0.2,), (0.3,)]
