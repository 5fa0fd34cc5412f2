"""Asking through the store, with a backend that recites its answers."""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import pytest
from tests.score.local.reference import user

from isogloss.score.answers import AnswerSet, integer_field, rating_scale
from isogloss.score.ask import Asker
from isogloss.score.backend import (
    Answer,
    Batch,
    Decoding,
    Distribution,
    Failed,
    Reply,
    ScoreTask,
    WriteTask,
)
from isogloss.score.prompts import Message, Prompt
from isogloss.score.requests import Reading, ReasonedRequest, Request, TextRequest
from isogloss.score.store import Key, ResponseStore

RATING = rating_scale(1, 5, "Rating: ")
GREEDY = Decoding(4)


class Broken(Exception):
    """What a backend raises that fails for good."""


@dataclass
class Recited:
    """A backend that answers by rote, two tasks at a time and the last ones first."""

    digest: str = "d" * 64
    begins_replies: bool = True
    answers: dict[str, Answer] = field(default_factory=dict)
    """Answers by a word of the prompt; other prompts get what `_usual` says."""
    fitted: dict[str, AnswerSet] = field(default_factory=dict)
    """What answers become after a begun reply; others stay as they are."""
    breaks_after: int | None = None
    """Batches after which it fails."""
    asked: list[list[Any]] = field(default_factory=list)
    """Tasks of each call."""

    def render(self, messages: Sequence[Message], reply: str) -> Prompt:
        text = " ".join(f"{m.role}: {m.content}" for m in messages) + f" assistant: {reply}"
        return Prompt(text, tuple(text.encode()), tuple(messages))

    def fit(self, answers: AnswerSet, reply: str) -> AnswerSet:
        return self.fitted.get(reply, answers)

    def read(self, tasks: Sequence[ScoreTask]) -> Iterator[Batch]:
        return self._recite(tasks)

    def write(self, tasks: Sequence[WriteTask]) -> Iterator[Batch]:
        return self._recite(tasks)

    def estimate(self, tasks: Sequence[Any]) -> Any:
        raise NotImplementedError

    def _recite(self, tasks: Sequence[Any]) -> Iterator[Batch]:
        self.asked.append(list(tasks))
        numbered = list(enumerate(tasks))[::-1]
        for i in range(0, len(numbered), 2):
            if i // 2 == self.breaks_after:
                raise Broken
            yield [(number, self._answer(task)) for number, task in numbered[i : i + 2]]

    def _answer(self, task: Any) -> Answer:
        for word, answer in self.answers.items():
            if word in task.prompt.text:
                return answer
        return _usual(task)


def _usual(task: Any) -> Any:
    """An answer that tells prompts and repeats apart."""
    share = int(task.prompt.sha256[:6], 16) / 16**6
    if isinstance(task, WriteTask):
        return Reply(f"text {share} {task.repeat}")
    return Distribution((share, 0.1, 0.1, 0.1, 0.1))


@dataclass
class Counted:
    """Progress that only counts."""

    what: str
    total: int
    reused: int = 0
    advanced: int = 0
    closed: bool = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.closed = True

    def reuse(self, count: int) -> None:
        self.reused += count

    def advance(self, count: int) -> None:
        self.advanced += count


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ResponseStore]:
    with ResponseStore(tmp_path / "responses.sqlite") as opened:
        yield opened


@pytest.fixture
def bars() -> list[Counted]:
    """Progress of every call, as it was in the end."""
    return []


Asking = Callable[[Recited], Asker]


@pytest.fixture
def ask(store: ResponseStore, bars: list[Counted]) -> Asking:
    """Return a maker of askers with one store."""

    def progress(what: str, total: int) -> Any:
        bars.append(Counted(what, total))
        return bars[-1]

    return lambda backend: Asker(backend, store, progress=progress)


def _requests(count: int) -> list[Request]:
    return [Request(user(f"item {i}."), RATING) for i in range(count)]


def _raw(reading: Reading) -> list[float]:
    assert reading.probabilities is not None
    assert reading.answer_mass is not None
    return [reading.answer_mass * share for share in reading.probabilities]


def _first(reading: Reading) -> float:
    """Probability of `1` as `_usual` gave it."""
    return _raw(reading)[0]


def _expected_first(request: Request) -> float:
    prompt = Recited().render(request.messages, request.reply + request.answers.reply_prefix)
    return int(prompt.sha256[:6], 16) / 16**6


# --- order, duplicates, what is stored ------------------------------------------------------------


def test_answers_come_in_the_order_of_the_requests(ask: Asking) -> None:
    requests = _requests(7)
    readings = ask(Recited()).score(requests, "all")
    assert [_first(r) for r in readings] == pytest.approx(
        [_expected_first(r) for r in requests], abs=1e-12
    )


def test_nothing_to_ask_gives_nothing(ask: Asking) -> None:
    backend = Recited()
    asker = ask(backend)
    assert asker.score([], "none") == []
    assert asker.write([], "none") == []
    assert asker.reason([], "none") == []
    assert backend.asked == []


def test_stored_answers_are_not_asked_for_again(ask: Asking, bars: list[Counted]) -> None:
    requests = _requests(5)
    texts = [TextRequest(r.messages, GREEDY) for r in requests]
    first = ask(Recited())
    scored, written = first.score(requests[:3], "some"), first.write(texts[:3], "texts")
    backend = Recited()
    again = ask(backend)
    assert again.score(requests, "all")[:3] == scored
    assert again.write(texts, "texts")[:3] == written
    assert [len(tasks) for tasks in backend.asked] == [2, 2]
    assert [(b.total, b.reused, b.advanced) for b in bars[2:]] == [(5, 3, 2), (5, 3, 2)]
    third = Recited(breaks_after=0)
    ask(third).score(requests, "all")
    ask(third).write(texts, "texts")
    assert third.asked == []


def test_the_answer_that_another_run_stored_first_is_this_runs_too(ask: Asking) -> None:
    (request,) = _requests(1)
    text = TextRequest(request.messages, GREEDY)
    second: list[Any] = []

    class Overtaken(Recited):
        def _recite(self, tasks: Sequence[Any]) -> Iterator[Batch]:
            other = ask(Recited(answers={"": Reply("theirs")}))
            second.extend(other.write([text], "texts"))
            return super()._recite(tasks)

    (mine,) = ask(Overtaken(answers={"": Reply("mine")})).write([text], "texts")
    assert mine.reply == second[0].reply == Reply("theirs")


def test_equal_requests_are_asked_once(ask: Asking, bars: list[Counted]) -> None:
    one, other = _requests(2)
    backend = Recited()
    readings = ask(backend).score([one, other, one, one], "all")
    assert len(backend.asked[0]) == 2
    assert readings[0] == readings[2] == readings[3] != readings[1]
    assert (bars[0].total, bars[0].advanced) == (4, 4)


def test_what_was_answered_before_a_backend_failed_is_kept(
    ask: Asking, bars: list[Counted]
) -> None:
    requests = _requests(7)
    broken = Recited(breaks_after=2)
    with pytest.raises(Broken):
        ask(broken).score(requests, "all")
    assert bars[0].closed
    assert bars[0].advanced == 4
    backend = Recited()
    resumed = ask(backend).score(requests, "all")
    assert [task.prompt for task in backend.asked[0]] == [
        task.prompt for task in broken.asked[0][:3]
    ]
    assert [_first(r) for r in resumed] == pytest.approx(
        [_expected_first(r) for r in requests], abs=1e-12
    )


@pytest.mark.parametrize(
    "unfit", [Failed("no route"), Distribution((math.nan, 0.1, 0.1, 0.1, 0.1)),
              Distribution((math.inf, 0.1, 0.1, 0.1, 0.1))]
)  # fmt: skip
def test_what_is_no_answer_is_an_error_and_is_not_replayed(ask: Asking, unfit: Answer) -> None:
    requests = _requests(4)
    readings = ask(Recited(answers={"item 2.": unfit})).score(requests, "all")
    assert [r.outcome for r in readings] == ["ok", "ok", "error", "ok"]
    backend = Recited()
    again = ask(backend).score(requests, "all")
    assert [len(tasks) for tasks in backend.asked] == [1]
    assert [r.outcome for r in again] == ["ok"] * 4


def test_a_refusal_is_an_answer_and_is_replayed(ask: Asking) -> None:
    refused = Reply("I'm sorry, but I cannot rate this person's answer.")
    readings = ask(Recited(answers={"item 0.": refused})).score(_requests(1), "all")
    assert readings[0].outcome == "refusal"
    backend = Recited()
    assert ask(backend).score(_requests(1), "all") == readings
    assert backend.asked == []


def test_the_gate_is_applied_to_stored_answers_too(ask: Asking) -> None:
    (request,) = _requests(1)
    (open_,) = ask(Recited()).score([request], "one")
    assert open_.answer_mass is not None
    backend = Recited()
    gated = replace(request, min_answer_mass=open_.answer_mass * 1.01)
    (reading,) = ask(backend).score([gated], "one")
    assert (reading.outcome, reading.answer_mass) == ("low_mass", open_.answer_mass)
    assert backend.asked == []


# --- what tells answers apart ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"messages": user("another.")},
        {"answers": rating_scale(1, 4, "Rating: ")},
        {"answers": rating_scale(1, 5, "Score: ")},
        {"answers": replace(RATING, json_field="rating")},
        {"reply": "Reason: so.\n"},
    ],
)
def test_another_question_has_another_answer(ask: Asking, change: dict[str, Any]) -> None:
    (request,) = _requests(1)
    backend = Recited(answers={"": Reply("Rating: 2")})
    ask(backend).score([request, replace(request, **change)], "both")
    assert len(backend.asked[0]) == 2


SAMPLED = Decoding(4, temperature=1.0, top_p=0.9, seed=1, stop=("x",), json_schema="{}")


@pytest.mark.parametrize(
    "change",
    [
        {"max_new_tokens": 5},
        {"temperature": 1.1},
        {"top_p": 1.0},
        {"seed": 2},
        {"seed": None},
        {"stop": ()},
        {"json_schema": None},
    ],
)
def test_another_decoding_has_another_text(ask: Asking, change: dict[str, Any]) -> None:
    backend = Recited()
    other = replace(SAMPLED, **change)
    requests = [TextRequest(user("?"), decoding) for decoding in (SAMPLED, other, SAMPLED)]
    ask(backend).write(requests, "all")
    assert len(backend.asked[0]) == 2


def test_repeats_are_draws_of_their_own(ask: Asking) -> None:
    request = TextRequest(user("?"), SAMPLED)
    repeats = [replace(request, repeat=k) for k in (0, 1, 2)]
    texts = ask(Recited()).write(repeats[:2], "two")
    backend = Recited()
    again = ask(backend).write(repeats, "three")
    assert again[:2] == texts
    assert [task.repeat for task in backend.asked[0]] == [2]
    assert len({text.text for text in again}) == 3


def test_another_model_is_asked_anew(ask: Asking) -> None:
    ask(Recited()).score(_requests(2), "all")
    other = Recited(digest="e" * 64)
    ask(other).score(_requests(2), "all")
    assert [len(tasks) for tasks in other.asked] == [2]


def test_a_reply_is_begun_only_where_it_can_be(ask: Asking) -> None:
    backends = [Recited(), Recited(digest="e" * 64, begins_replies=False)]
    for backend in backends:
        ask(backend).score(_requests(1), "one")
    texts = [backend.asked[0][0].prompt.text for backend in backends]
    assert texts == ["user: item 0. assistant: Rating: ", "user: item 0. assistant: "]


def test_answers_are_asked_for_as_they_fit_the_tokenizer(ask: Asking) -> None:
    spaced = AnswerSet(RATING.labels, tuple((f" {v}",) for v in "12345"), "Rating:", numeric=True)
    plain, begun = Request(user("?"), RATING), Request(user("?"), RATING, reply="Reason: so.\n")
    backend = Recited(fitted={"Reason: so.\n": spaced})
    readings = ask(backend).score([plain, begun], "both")
    (tasks,) = backend.asked
    assert [task.answers for task in tasks] == [RATING, spaced]
    assert [task.prompt.text for task in tasks] == [
        "user: ? assistant: Rating: ",
        "user: ? assistant: Reason: so.\nRating:",
    ]
    again = Recited(fitted=backend.fitted)
    assert ask(again).score([plain, begun], "both") == readings
    assert again.asked == []
    ask(again).score([replace(begun, answers=spaced)], "spaced by the study itself")
    assert again.asked == []


def test_answers_that_a_server_writes_are_asked_for_as_they_are(ask: Asking) -> None:
    backend = Recited(begins_replies=False, fitted={"": rating_scale(1, 2, "")})
    ask(backend).score(_requests(1), "one")
    assert backend.asked[0][0].answers == RATING


def test_a_server_is_not_asked_how_a_number_ends(ask: Asking) -> None:
    """Its lists show it for the number that it wrote and for no other."""
    field = integer_field("score", 1, 5)
    backends = [Recited(), Recited(digest="e" * 64, begins_replies=False)]
    for backend in backends:
        ask(backend).score([Request(user("?"), field)], "one")
    assert [backend.asked[0][0].answers.closed for backend in backends] == [True, False]


def test_an_answer_to_an_open_set_is_not_replayed_for_a_closed_one(ask: Asking) -> None:
    closed = integer_field("score", 1, 5)
    requests = [Request(user("?"), replace(closed, closed=kept)) for kept in (False, True)]
    backend = Recited()
    ask(backend).score(requests[:1], "open")
    ask(backend).score(requests, "both")
    assert [[task.answers.closed for task in tasks] for tasks in backend.asked] == [[False], [True]]


def test_answers_stored_before_sets_could_be_closed_are_found(
    ask: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    specs: list[str] = []
    monkeypatch.setattr("isogloss.score.ask.Key", lambda *args: specs.append(args[2]) or Key(*args))
    ask(Recited()).score(_requests(1), "one")
    ask(Recited()).score([Request(user("?"), integer_field("score", 1, 5))], "one")
    assert ["closed" in json.loads(spec)["score"] for spec in specs] == [False, True]


# --- windows --------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3, 4, 6, 8])
def test_windows_change_nothing_but_how_many_are_asked_at_once(
    count: int, ask: Asking, bars: list[Counted], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isogloss.score.ask.WINDOW", 3)
    requests = _requests(count)
    backend = Recited()
    readings = ask(backend).score([*requests, requests[0]], "all")
    assert [_first(r) for r in readings[:-1]] == pytest.approx(
        [_expected_first(r) for r in requests], abs=1e-12
    )
    assert readings[-1] == readings[0]
    assert max(map(len, backend.asked)) <= 3
    assert sum(map(len, backend.asked)) == count  # what an earlier window answered is stored
    (bar,) = bars
    assert bar.reused + bar.advanced == bar.total == count + 1


def test_requests_are_taken_a_window_at_a_time(
    ask: Asking, bars: list[Counted], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isogloss.score.ask.WINDOW", 3)
    taken: list[int] = []

    def endless() -> Iterator[Request]:
        for i in range(1_000_000):
            taken.append(i)
            yield Request(user(f"item {i}."), RATING)

    stream: Any = ask(Recited()).stream(endless(), 1_000_000, "many")
    assert taken == []
    next(stream)
    assert len(taken) == 3
    for _ in range(3):
        next(stream)
    assert len(taken) == 6
    stream.close()
    assert bars[0].closed


# --- reasons, then an answer ----------------------------------------------------------------------


def _reasoned(count: int) -> list[ReasonedRequest]:
    return [
        ReasonedRequest(
            user(f"item {i}."),
            RATING,
            opening="Reason:",
            stop="\nRating",
            max_new_tokens=9,
            min_answer_mass=0.1,
        )
        for i in range(count)
    ]


def test_reasons_are_written_and_the_answer_is_read_after_them(ask: Asking) -> None:
    backend = Recited()
    readings = ask(backend).reason(_reasoned(3), "reasoned")
    written, read = backend.asked
    assert [task.prompt.text for task in written] == [
        f"user: item {i}. assistant: Reason:" for i in range(3)
    ]
    assert {task.decoding for task in written} == {Decoding(9, stop=("\nRating",))}
    texts = [_usual(task).text for task in written]
    assert [task.prompt.text for task in read] == [
        f"user: item {i}. assistant: Reason: {text}\nRating: " for i, text in enumerate(texts)
    ]
    assert {task.answers for task in read} == {RATING}
    assert [reading.text for reading in readings] == [f"Reason: {text}" for text in texts]
    assert [reading.prompt_sha256 for reading in readings] == [t.prompt.sha256 for t in read]
    assert all(reading.probabilities is not None for reading in readings)


def test_reasons_that_fail_leave_the_others_their_own(ask: Asking) -> None:
    backend = Recited(answers={"item 1.": Failed("no route")})
    readings = ask(backend).reason(_reasoned(3), "reasoned")
    assert [(r.outcome, r.reason) for r in readings] == [
        ("ok", None),
        ("error", "no route"),
        ("ok", None),
    ]
    assert readings[1].prompt_sha256 == backend.asked[0][1].prompt.sha256
    texts = [_usual(task).text for task in backend.asked[0]]
    assert [r.text for r in readings] == [f"Reason: {texts[0]}", None, f"Reason: {texts[2]}"]


def test_reasons_that_refuse_are_a_refusal_and_no_answer_is_read(ask: Asking) -> None:
    said = "I'm sorry, but I cannot rate this person's answer."
    backend = Recited(answers={"item 1.": Reply(said)})
    readings = ask(backend).reason(_reasoned(3), "reasoned")
    assert [reading.outcome for reading in readings] == ["ok", "refusal", "ok"]
    refused = readings[1]
    assert (refused.text, refused.expected, refused.modal) == (f"Reason: {said}", None, None)
    assert refused.reason
    assert ["item 1." in task.prompt.text for task in backend.asked[1]] == [False, False]
    texts = [_usual(task).text for task in backend.asked[0]]
    assert [readings[i].text for i in (0, 2)] == [f"Reason: {texts[i]}" for i in (0, 2)]


def test_white_space_around_reasons_is_one_space(ask: Asking) -> None:
    backend = Recited(answers={"assistant: Reason:": Reply("  it is so. \n")})
    ask(backend).reason(_reasoned(1), "reasoned")
    (task,) = backend.asked[1]
    assert task.prompt.text == "user: item 0. assistant: Reason: it is so.\nRating: "


def test_a_model_whose_reply_cannot_be_begun_reasons_and_answers_at_one_go(ask: Asking) -> None:
    replies: dict[str, Answer] = {
        "item 0.": Reply("It is so.\nRating: 4"),
        "item 1.": Reply("I'm sorry, but I cannot rate this person's answer."),
        "item 2.": Failed("no route"),
    }
    backend = Recited(begins_replies=False, answers=replies)
    readings = ask(backend).reason(_reasoned(3), "reasoned")
    (tasks,) = backend.asked
    assert all(isinstance(task, ScoreTask) for task in tasks)
    assert [task.prompt.text for task in tasks] == [
        f"user: item {i}. assistant: " for i in range(3)
    ]
    assert {task.reasons_tokens for task in tasks} == {9}
    assert [(r.outcome, r.modal, r.text) for r in readings] == [
        ("ok", "4", "It is so.\nRating: 4"),
        ("refusal", None, "I'm sorry, but I cannot rate this person's answer."),
        ("error", None, None),
    ]


def test_room_for_reasons_tells_answers_apart_where_they_are_written(ask: Asking) -> None:
    (reasoned,) = _reasoned(1)
    plain = Request(reasoned.messages, RATING)
    written = Recited(begins_replies=False, answers={"": Reply("Rating: 4")})
    ask(written).score([plain], "plain")
    ask(written).reason([reasoned], "reasoned")
    ask(written).reason([replace(reasoned, max_new_tokens=10)], "longer")
    assert [[task.reasons_tokens for task in tasks] for tasks in written.asked] == [[0], [9], [10]]
