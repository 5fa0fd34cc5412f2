"""Models that think before they reply."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.score.api.conftest import (
    RATING,
    once,
    openai_model,
    prompt,
    rating_tasks,
    writing_tasks,
)
from tests.score.api.servers import ThinkingStub

from isogloss.config.schema import Prices
from isogloss.errors import ModelError
from isogloss.score.api import ApiBackend
from isogloss.score.backend import Decoding, Failed, Reply, ScoreTask, WriteTask


@pytest.fixture
def stub(key: str) -> Iterator[ThinkingStub]:
    with ThinkingStub() as server:
        yield server


def thinker(stub: ThinkingStub, **settings: Any) -> ApiBackend:
    given = {"reasoning": True, "reasoning_tokens": 150, "max_tokens": 6, **settings}
    return ApiBackend("thinker", openai_model(stub.url, **given))


def test_an_answer_is_asked_for_in_the_words_that_such_a_model_takes(stub: ThinkingStub) -> None:
    reasoned = ScoreTask(prompt(1), RATING, reasons_tokens=40)
    answers = once(thinker(stub).read([*rating_tasks(1), reasoned]))
    for number in (0, 1):
        reply = answers[number]
        assert isinstance(reply, Reply)
        assert (reply.text, reply.distribution) == ("Rating: 4", None)
    bodies = sorted((heard.body for heard in stub.heard), key=lambda body: str(body["messages"]))
    assert [sorted(body) for body in bodies] == [["max_completion_tokens", "messages", "model"]] * 2
    assert [body["max_completion_tokens"] for body in bodies] == [150 + 6, 150 + 40 + 6]


def test_a_text_is_asked_for_in_the_words_that_such_a_model_takes(stub: ThinkingStub) -> None:
    replies = once(thinker(stub).write(writing_tasks(1)))
    assert isinstance(replies[0], Reply)
    assert sorted(stub.heard[0].body) == ["max_completion_tokens", "messages", "model"]
    assert stub.heard[0].body["max_completion_tokens"] == 150 + 9


@pytest.mark.parametrize(
    ("decoding", "said"),
    [
        (Decoding(9, temperature=0.7, seed=1), "asked for with temperature 0.7"),
        (Decoding(9, temperature=1.0, seed=1), "asked for with temperature 1"),
        (Decoding(9, top_p=0.9), "asked for with top_p 0.9"),
        (Decoding(9, stop=("\n",)), r"asked for with an end at '\\n'"),
    ],
)
def test_what_it_cannot_be_told_is_refused_before_anything_is_sent(
    stub: ThinkingStub, decoding: Decoding, said: str
) -> None:
    tasks = [*writing_tasks(2), WriteTask(prompt(2), decoding)]
    for ask in (thinker(stub).write, thinker(stub).estimate):
        with pytest.raises(ModelError, match=said):
            ask(tasks)
    assert stub.heard == []


def test_other_models_are_told_how_to_draw(stub: ThinkingStub) -> None:
    tasks = [WriteTask(prompt(0), Decoding(9, temperature=0.7, seed=1))]
    plain = ApiBackend("plain", openai_model(stub.url))
    assert plain.estimate(tasks).requests == 1


def test_thoughts_that_leave_no_room_for_a_reply_are_an_error(stub: ThinkingStub) -> None:
    backend = thinker(stub, reasoning_tokens=50)
    for answer in (
        *once(backend.read(rating_tasks(1))).values(),
        *once(backend.write(writing_tasks(1))).values(),
    ):
        assert answer == Failed(
            "the bound on tokens was reached before the reply began; give it more room "
            "(reasoning_tokens)"
        )
    # What it thought is paid for all the same.
    assert backend.tally.completion_tokens == 6


def test_such_a_model_taken_for_another_ends_the_job_with_the_remedy(stub: ThinkingStub) -> None:
    backend = ApiBackend("thinker", openai_model(stub.url))
    with pytest.raises(ModelError, match=r"'max_tokens' is not supported .* set reasoning: true"):
        once(backend.read(rating_tasks(12)))


def test_thoughts_are_in_the_estimate() -> None:
    prices = Prices(input_per_million=0.0, output_per_million=8.0)
    config = openai_model(
        "http://127.0.0.1:9/v1", reasoning=True, reasoning_tokens=150, max_tokens=6, prices=prices
    )
    found = ApiBackend("thinker", config).estimate([*rating_tasks(2), *writing_tasks(1)])
    assert found.completion_tokens == 3 * 150 + 2 * 6 + 9
    assert found.cost == pytest.approx(471 * 8 / 1e6)
