"""Bodies of every shape: a reply is read from them, or it is said that there is none."""

import json
import math
from typing import Any

import pytest
from tests.score.api.servers import completion, listed, rating_logprobs

from isogloss.score.answers import AnswerSet, rating_scale
from isogloss.score.api.completion import read_reply
from isogloss.score.api.faults import Censor, PassingFault, PromptFault
from isogloss.score.backend import Reply

RATING = rating_scale(1, 5, "Rating: ")


def read(body: bytes, answers: AnswerSet | None = RATING) -> Reply:
    return read_reply(json.loads(body), {}, answers, Censor(None))


@pytest.mark.parametrize(
    ("said", "finish"),
    [
        ("stop", "stop"),
        ("eos_token", "stop"),
        ("length", "length"),
        ("content_filter", "content_filter"),
    ],
)
def test_why_a_reply_ended(said: str, finish: str) -> None:
    assert read(completion("Rating: 4", finish=said)).finish == finish


@pytest.mark.parametrize("said", [None, "abort", "", 3])
def test_a_reply_that_may_not_be_whole_is_none(said: Any) -> None:
    with pytest.raises(PassingFault):
        read(completion("Rating: 4", finish=said))


@pytest.mark.parametrize("content", [None, ""])
def test_a_refusal_in_a_field_of_its_own(content: str | None) -> None:
    body = completion("", message={"content": content, "refusal": "I cannot rate people."})
    reply = read(body)
    assert (reply.text, reply.finish, reply.distribution) == (
        "I cannot rate people.",
        "refusal",
        None,
    )


def test_a_filtered_reply_has_no_distribution() -> None:
    reply = read(completion("Rating: 4", rating_logprobs("4"), finish="content_filter"))
    assert (reply.text, reply.finish, reply.distribution) == (
        "Rating: 4",
        "content_filter",
        None,
    )


def test_an_empty_reply_is_a_reply() -> None:
    assert read(completion("", message={"content": None}, finish="length")).text == ""


def test_a_call_of_a_tool_is_no_reply() -> None:
    with pytest.raises(PromptFault, match="called a tool"):
        read(completion("", finish="tool_calls"))


@pytest.mark.parametrize(
    "body",
    [
        b"null",
        b"3",
        b"{}",
        b'{"choices": null}',
        b'{"choices": [{}]}',
        b'{"choices": [{"message": null, "finish_reason": "stop"}]}',
        b'{"choices": [{"message": {"content": ["4"]}, "finish_reason": "stop"}]}',
        b'{"choices": [{"message": {"content": 4}, "finish_reason": "stop"}]}',
    ],
)
def test_other_shapes_are_no_reply(body: bytes) -> None:
    with pytest.raises(PassingFault, match="sent no reply"):
        read(body)


def test_the_servers_own_words_are_said() -> None:
    with pytest.raises(PassingFault, match="no reply but 'overloaded'"):
        read(b'{"error": {"message": "overloaded"}}')


def test_the_answers_probabilities() -> None:
    distribution = read(completion("Rating: 4", rating_logprobs("4"))).distribution
    assert distribution is not None
    assert distribution.probabilities == pytest.approx((0.0, 0.0625, 0.25, 0.5, 0.125))
    assert distribution.unseen == pytest.approx(0.0625)


def test_the_probabilities_of_another_number_are_not_those_of_the_answer() -> None:
    said = ["Rating: ", "4", " at first. ", "Score: ", "2"]
    logprobs = {"content": [{**listed(t, 1.0), "top_logprobs": [listed(t, 1.0)]} for t in said]}
    assert read(completion("".join(said), logprobs)).distribution is None


def test_a_written_text_has_no_answers() -> None:
    assert read(completion("Rating: 4", rating_logprobs("4")), None).distribution is None


def one_token(**changes: Any) -> dict[str, Any]:
    """Log-probabilities of the reply `4`, one field changed."""
    return {"content": [{**listed("4", 0.5), "top_logprobs": [listed("4", 0.5)], **changes}]}


def test_one_token() -> None:
    distribution = read(completion("4", one_token())).distribution
    assert distribution is not None
    assert distribution.probabilities[3] == pytest.approx(0.5)


@pytest.mark.parametrize(
    "logprobs",
    [
        None,
        [],
        {},
        {"content": None},
        {"content": []},
        {"content": ["4"]},
        {"tokens": ["4"], "token_logprobs": [-0.1], "top_logprobs": [{"4": -0.1}]},
        one_token(logprob=None),
        one_token(logprob="high"),
        one_token(logprob=float("nan")),
        one_token(logprob=0.7),
        one_token(logprob=-1e6, top_logprobs=[]),
        one_token(token=4),
        one_token(bytes=[300]),
        one_token(top_logprobs=None),
        one_token(top_logprobs=[listed("4", 0.6), listed("5", 0.6)]),
        one_token(token="5", bytes=None),
    ],
)
def test_log_probabilities_of_another_shape_leave_the_text(logprobs: Any) -> None:
    reply = read(completion("4", logprobs))
    assert (reply.text, reply.distribution) == ("4", None)


def test_a_chosen_token_outside_the_list_is_added_to_it() -> None:
    logprobs = one_token(top_logprobs=[listed("3", 0.25)])
    distribution = read(completion("4", logprobs)).distribution
    assert distribution is not None
    assert distribution.probabilities == pytest.approx((0.0, 0.0, 0.25, 0.5, 0.0))
    assert distribution.unseen == pytest.approx(0.25)


FILLED = -9999.0
"""What servers write in place of a log-probability that they do not know."""


def test_a_place_that_is_filled_in_a_list_holds_no_token() -> None:
    filled = [{"token": t, "logprob": FILLED} for t in ("2", "I")]
    logprobs = one_token(top_logprobs=[listed("4", 0.5), listed("3", 0.25), *filled])
    distribution = read(completion("4", logprobs)).distribution
    assert distribution is not None
    assert distribution.probabilities == pytest.approx((0.0, 0.0, 0.25, 0.5, 0.0))
    assert distribution.unseen == pytest.approx(0.25)


@pytest.mark.parametrize(
    "logprobs",
    [
        one_token(logprob=FILLED, top_logprobs=[listed("3", 0.5), listed("2", 0.3)]),
        one_token(logprob=0.0, top_logprobs=[]),
        one_token(logprob=0.0, top_logprobs=[{"token": "3", "logprob": FILLED}]),
    ],
)
def test_an_answer_whose_probability_is_only_filled_in_has_none(logprobs: Any) -> None:
    reply = read(completion("4", logprobs))
    assert (reply.text, reply.distribution) == ("4", None)


def test_words_before_the_answer_may_have_filled_places() -> None:
    logprobs = rating_logprobs("4")
    for token in logprobs["content"][:2]:
        token["top_logprobs"] = []
    distribution = read(completion("Rating: 4", logprobs)).distribution
    assert distribution is not None
    assert distribution.probabilities == pytest.approx((0.0, 0.0625, 0.25, 0.5, 0.125))


def _thinking(reply: str) -> dict[str, Any]:
    """Lists of a reply of one token after thoughts in which another list stands at the same one."""
    certain = [
        {**listed(t, 1.0), "top_logprobs": [listed(t, 1.0)]}
        for t in ("<think>", "Rating: ", "? Hmm.", "</think>", "\n\n")
    ]
    doubted = {**listed("4", 0.3), "top_logprobs": [listed("5", 0.4), listed("4", 0.3)]}
    sure = {**listed(reply, 0.75), "top_logprobs": [listed(reply, 0.75), listed("3", 0.25)]}
    return {"content": [*certain[:2], doubted, *certain[2:], sure]}


@pytest.mark.parametrize("shown", ["", "<think>Rating: 4? Hmm.</think>\n\n"])
def test_the_probabilities_of_thoughts_are_not_those_of_the_answer(shown: str) -> None:
    """Whether the server leaves them out of the text or not."""
    distribution = read(completion(f"{shown}4", _thinking("4"))).distribution
    assert distribution is not None
    assert distribution.probabilities == pytest.approx((0.0, 0.0, 0.25, 0.75, 0.0))


@pytest.mark.parametrize(("key", "text"), [("1", "Rating: 1"), ("sk-12345", "Rating: [key]")])
def test_a_short_key_that_occurs_by_chance_changes_no_reply(key: str, text: str) -> None:
    said = "Rating: 1" if key == "1" else f"Rating: {key}"
    body = json.loads(completion(said))
    assert read_reply(body, {}, RATING, Censor(key)).text == text


def test_a_probability_of_nothing() -> None:
    logprobs = one_token(top_logprobs=[listed("4", 0.5), {"token": "5", "logprob": -math.inf}])
    distribution = read(completion("4", logprobs)).distribution
    assert distribution is not None
    assert distribution.probabilities[4] == 0.0


@pytest.mark.parametrize("created", [None, "soon", 1e30, float("nan"), {}])
def test_a_date_that_is_none_is_left_out(created: Any) -> None:
    assert read(completion("4", created=created)).answered_at is None


@pytest.mark.parametrize(
    "usage",
    [None, 3, {}, {"prompt_tokens": None}, {"prompt_tokens": -1, "completion_tokens": "3"}],
)
def test_tokens_that_are_not_counted_are_not_known(usage: Any) -> None:
    reply = read(completion("4", usage=usage))
    assert (reply.prompt_tokens, reply.completion_tokens) == (None, None)
