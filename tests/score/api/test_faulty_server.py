"""What a server and the wire before it do wrong, and what comes of it."""

import time

import pytest
from tests.score.api.conftest import KEY, Wire, Wired, prompt, rating_tasks
from tests.score.api.servers import (
    Fault,
    answered_twice,
    completion,
    drops,
    hangs,
    huge,
    says,
    sent_twice,
    slow_header,
    status,
    truncated,
    without_logprobs,
)

from isogloss.errors import ModelError
from isogloss.score.backend import Distribution, Failed, Reply

SHOWN = Distribution((0.0, 0.0625, 0.25, 0.5, 0.125), 0.0625)
"""The stub's probabilities; label 1 is not listed."""


def assert_all_rated(wired: Wired, count: int) -> None:
    """Every prompt has the reply that it has without faults."""
    answers = wired.score(count)
    assert sorted(answers) == list(range(count))
    for answer in answers.values():
        assert isinstance(answer, Reply)
        assert (answer.text, answer.finish) == ("Rating: 4", "stop")
        assert answer.distribution is not None
        assert answer.distribution.probabilities == pytest.approx(SHOWN.probabilities, abs=1e-12)
        assert answer.distribution.unseen == pytest.approx(SHOWN.unseen, abs=1e-12)


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(status(500), id="500"),
        pytest.param(status(502, "<html>"), id="502"),
        pytest.param(status(408), id="408"),
        pytest.param(status(409), id="409"),
        pytest.param(status(429), id="429"),
        pytest.param(status(429, retry_after="0.1"), id="429 in seconds"),
        pytest.param(status(429, retry_after_ms="100"), id="429 in milliseconds"),
        pytest.param(status(503, retry_after="0.1"), id="503"),
        pytest.param(truncated, id="truncated"),
        pytest.param(drops, id="dropped"),
        pytest.param(says(b"{"), id="wrong JSON"),
        pytest.param(says(b'"\xff"'), id="wrong encoding"),
        pytest.param(says(b"[" * 100_000), id="deep JSON"),
        pytest.param(says(b"[]"), id="other JSON"),
        pytest.param(says(b'{"choices": []}'), id="no choices"),
        pytest.param(says(b'{"error": {"message": "overloaded"}}'), id="an error as a reply"),
        pytest.param(says(completion("Rating: 1", finish=None)), id="no finish"),
        pytest.param(says(completion("Rating: 1", finish="abort")), id="unknown finish"),
        pytest.param(sent_twice, id="request sent twice"),
        pytest.param(answered_twice, id="reply sent twice"),
    ],
)
def test_a_fault_in_passing_changes_no_reply(wire: Wire, fault: Fault) -> None:
    assert_all_rated(wire({1: fault, 2: fault, 4: fault}, concurrency=2), 5)


@pytest.mark.parametrize("fault", [hangs, slow_header])
def test_a_reply_that_does_not_come_is_asked_for_again(wire: Wire, fault: Fault) -> None:
    wired = wire({1: fault}, timeout_s=0.5)
    assert_all_rated(wired, 2)
    assert (wired.backend.tally.requests, wired.backend.tally.retries) == (3, 1)


def test_a_reply_sent_twice_is_not_the_reply_to_the_next_prompt(wire: Wire) -> None:
    wired = wire({0: answered_twice}, concurrency=1)
    answers = wired.write(4)
    for number, answer in answers.items():
        assert isinstance(answer, Reply)
        assert answer.text == f"Rate answer {number}., and so on"
    assert len(wired.proxy.heard) == 4


def test_a_reply_without_log_probabilities_keeps_its_text(wire: Wire) -> None:
    answers = wire({1: without_logprobs}, concurrency=1).score(2)
    first, second = answers[0], answers[1]
    assert isinstance(first, Reply)
    assert isinstance(second, Reply)
    assert (first.text, first.distribution) == ("Rating: 4", None)
    assert second.distribution is not None


@pytest.mark.parametrize("header", [{"retry_after": "0.4"}, {"retry_after_ms": "400"}])
def test_all_wait_as_long_as_the_server_asks(wire: Wire, header: dict[str, str]) -> None:
    wired = wire({3: status(429, **header)}, concurrency=3, seconds=0.1)
    assert_all_rated(wired, 9)
    times = [heard.at for heard in wired.proxy.heard]
    assert len(times) == 10
    # The other two requests under way may have been heard just after the one that was refused.
    assert all(at - times[2] >= 0.4 for at in times[5:])


def test_requests_wait_before_the_limit_is_hit(wire: Wire) -> None:
    body = completion("Rating: 4")
    limits = {"x_ratelimit_remaining_requests": "0", "x_ratelimit_reset_requests": "400ms"}
    wired = wire({1: says(body, **limits)}, concurrency=1)
    wired.score(3)
    times = [heard.at for heard in wired.proxy.heard]
    assert len(times) == 3
    assert times[1] - times[0] >= 0.4


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (401, "check the key in the variable that api_key_env names"),
        (403, "check what the key may do"),
        (404, "check base_url and model"),
        (307, "give the address that it redirects to as base_url"),
    ],
)
def test_what_no_prompt_can_pass_ends_the_job(wire: Wire, code: int, said: str) -> None:
    wired = wire({3: status(code, location="http://127.0.0.1:9/v1")}, concurrency=1)
    answers = wired.backend.read(rating_tasks(6))
    assert [index for _ in range(2) for index, _ in next(answers)] == [0, 1]
    with pytest.raises(ModelError) as ended:
        next(answers)
    message = str(ended.value)
    assert message.startswith(f"model served: the server answered with status {code}: not now; ")
    assert "2 prompts were answered and are kept, 4 are left (" in message
    assert ", ".join(prompt(number).sha256[:12] for number in (2, 3, 4)) + ", …)" in message
    assert message.endswith(said)
    assert len(wired.proxy.heard) == 3


def test_a_fault_that_does_not_pass_ends_the_job(wire: Wire) -> None:
    wired = wire({0: status(500)}, concurrency=1, max_attempts=3)
    with pytest.raises(ModelError, match="3 attempts failed, at last: the server answered with"):
        wired.score(2)
    assert len(wired.proxy.heard) == 3
    assert (wired.backend.tally.requests, wired.backend.tally.retries) == (3, 2)


def test_a_used_up_account_is_not_asked_again(wire: Wire) -> None:
    body = {"error": {"message": "pay first", "code": "insufficient_quota"}}
    wired = wire({0: status(429, body)}, concurrency=1)
    with pytest.raises(ModelError, match=r"pay first; 0 prompts .*; check the account"):
        wired.score(2)
    assert len(wired.proxy.heard) == 1


def test_a_server_that_asks_for_a_day_is_not_waited_for(wire: Wire) -> None:
    wired = wire({0: status(429, retry_after="86400")}, concurrency=1)
    with pytest.raises(ModelError, match=r"asks to wait 86400 s .* run again then"):
        wired.score(1)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (status(400), "the server answered with status 400: not now"),
        (status(422), "the server answered with status 422: not now"),
        (huge, "the reply is longer than 1000000 bytes"),
        (says(b"\x1f\x8b", content_encoding="gzip"), "the reply is compressed"),
        (says(completion("", finish="tool_calls")), "the model called a tool"),
        (
            says(completion("", finish="length", message={"content": None})),
            "the bound on tokens was reached before the reply began; give it more room (max_t",
        ),
    ],
)
def test_what_one_prompt_cannot_pass_fails_alone(wire: Wire, fault: Fault, reason: str) -> None:
    wired = wire({2: fault}, concurrency=1)
    answers = wired.score(3)
    assert [type(answers[number]) for number in range(3)] == [Reply, Failed, Reply]
    failed = answers[1]
    assert isinstance(failed, Failed)
    assert failed.reason.startswith(reason)
    assert len(wired.proxy.heard) == 3


def test_a_job_whose_first_ten_prompts_are_refused_is_ended(wire: Wire) -> None:
    wired = wire({0: status(400)}, concurrency=1)
    answers = wired.backend.read(rating_tasks(12))
    refused = [answer for _ in range(10) for _, answer in next(answers)]
    assert [type(answer) for answer in refused] == [Failed] * 10
    with pytest.raises(ModelError, match=r"first 10 prompts all failed .* 2 are left"):
        next(answers)


def test_ten_refusals_after_an_answer_end_nothing(wire: Wire) -> None:
    wired = wire({number: status(400) for number in range(2, 13)}, concurrency=1)
    assert sum(isinstance(answer, Failed) for answer in wired.score(13).values()) == 11


def test_a_reason_is_short_clean_and_without_the_key_and_the_prompt(wire: Wire) -> None:
    said = f"\x1b[31m{KEY}\r\n{prompt(0).messages[1].content} " + "long " * 200
    wired = wire({1: status(400, {"error": {"message": said}})}, concurrency=1)
    failed = wired.score(1)[0]
    assert isinstance(failed, Failed)
    assert failed.reason.startswith("the server answered with status 400: [31m[key] [prompt] long")
    assert len(failed.reason) == 300


def test_the_inputs_that_a_validation_error_repeats_are_left_out(wire: Wire) -> None:
    detail = [{"loc": ["body", "top_logprobs"], "msg": "not known", "input": "the whole prompt"}]
    failed = wire({1: status(422, {"detail": detail})}).score(1)[0]
    assert failed == Failed("the server answered with status 422: body.top_logprobs: not known")


def test_half_a_character_becomes_a_question_mark(wire: Wire) -> None:
    reply = wire({1: says(completion("so \ud83d \U0001f600"))}).write(1)[0]
    assert isinstance(reply, Reply)
    assert reply.text == "so ? \U0001f600"


def test_a_key_that_the_server_repeats_is_not_kept(wire: Wire) -> None:
    body = completion(f"your key is {KEY}", model=f"model {KEY}", id=KEY)
    reply = wire({1: says(body)}).write(1)[0]
    assert KEY not in repr(reply)
    assert isinstance(reply, Reply)
    assert reply.text == "your key is [key]"


def test_time_passes_between_attempts(wire: Wire) -> None:
    before = time.monotonic()
    wired = wire({1: status(429, retry_after="0.3"), 2: status(429, retry_after="0.3")})
    wired.score(1)
    assert wired.proxy.heard[2].at - before >= 0.6
