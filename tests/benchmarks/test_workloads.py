"""The workloads have the shapes that the documentation states."""

from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest
from benchmarks.work import work_of
from benchmarks.workloads import (
    RATING,
    WORKLOADS,
    YES_NO,
    Ask,
    BenchmarkError,
    Size,
    about_conversation,
)

from benchmarks import texts
from isogloss.score.answers import rating_scale

SMALL = Size(answers=30, texts=3, conversations=2, questions=20)


@pytest.mark.parametrize(
    ("name", "count", "answers"), [("W1", 30, RATING), ("W2", 36, RATING), ("W3", 40, YES_NO)]
)
def test_a_workload_has_as_many_different_prompts_as_asked(
    ask: Ask, project: Path, name: str, count: int, answers: object
) -> None:
    questions = list(WORKLOADS[name](ask, project, SMALL))
    assert len({question.tokens for question in questions}) == len(questions) == count
    assert all(question.task.answers == answers for question in questions)
    assert all(
        question.task.prompt.text.endswith(answers.reply_prefix)  # type: ignore[attr-defined]
        for question in questions
    )


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_workload_is_the_same_each_time(ask: Ask, project: Path, name: str) -> None:
    first, second = (list(WORKLOADS[name](ask, project, SMALL)) for _ in range(2))
    assert first == second


def test_too_many_answers_are_refused(ask: Ask, project: Path) -> None:
    with pytest.raises(BenchmarkError, match="201 answers wanted, 200 found"):
        list(WORKLOADS["W1"](ask, project, replace(SMALL, answers=201)))


def test_answers_of_several_tokens_are_refused(ask: Ask) -> None:
    with pytest.raises(BenchmarkError, match="single tokens"):
        ask(texts.conversation(0)[:1], rating_scale(1, 10, "Rating: "))


def test_the_whole_of_the_generated_texts_is_distinct() -> None:
    assert len(set(texts.short_texts(300))) == 300
    assert len({texts.conversation(index) for index in range(8_011)}) == 8_011
    assert len(set(texts.yes_no_questions())) == 100
    assert len(set(texts.TRAITS)) == 12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size", "shared", "rest"),
    [
        ("W1", Size(), 273, (75, 110)),
        ("W2", Size(texts=40), 68, (40, 55)),
        ("W3", Size(conversations=1), 570, (25, 32)),
    ],
)
def test_token_lengths_of_the_default_model(
    real_ask: Ask, project: Path, name: str, size: Size, shared: int, rest: tuple[int, int]
) -> None:
    """`rest` bounds the middle nine tenths of what follows the shared tokens, its tail included."""
    questions = list(WORKLOADS[name](real_ask, project, size))
    work = work_of([question.tokens for question in questions])
    assert work.shared == pytest.approx(shared, abs=1 if name != "W3" else 10)
    lengths = sorted(len(question.tokens) - work.shared for question in questions)
    margin = len(lengths) // 20
    assert rest[0] <= lengths[margin] <= lengths[-margin - 1] <= rest[1]


@pytest.mark.slow
def test_conversations_are_of_one_length(real_ask: Ask) -> None:
    lengths = [
        len(question.tokens)
        for index in range(50)
        for question in about_conversation(real_ask, index, 1)
    ]
    assert median(lengths) == pytest.approx(570 + 28, abs=8)
    assert max(lengths) - min(lengths) < 40
