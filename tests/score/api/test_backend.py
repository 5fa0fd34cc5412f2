"""Requests as a server hears them, and replies as the caller gets them."""

import logging
import signal
import threading
import time
from dataclasses import FrozenInstanceError, replace

import pytest
from tests.score.api.conftest import (
    KEY,
    VARIABLE,
    Wire,
    once,
    openai_model,
    prompt,
    rating_tasks,
    writing_tasks,
)
from tests.score.api.servers import completion, says, status

from isogloss.config.schema import Prices
from isogloss.errors import ModelError
from isogloss.score.api import ApiBackend
from isogloss.score.api.transport import open_client
from isogloss.score.backend import Backend, Decoding, Reply, WriteTask
from isogloss.score.prompts import Message

NOWHERE = "http://127.0.0.1:9/v1"


def test_it_is_a_backend() -> None:
    backend: Backend = ApiBackend("served", openai_model(NOWHERE))
    assert backend.begins_replies is False
    assert len(backend.digest) == 64


def test_a_prompt_is_its_messages() -> None:
    backend = ApiBackend("served", openai_model(NOWHERE))
    messages = (Message("system", "Be fair."), Message("user", "Rate it."))
    rendered = backend.render(messages, "")
    assert (rendered.text, rendered.tokens) == ("system: Be fair.\n\nuser: Rate it.", ())
    assert rendered.messages == messages
    with pytest.raises(ModelError, match="cannot be begun"):
        backend.render(messages, "Rating: ")


def test_a_reply_says_where_it_comes_from(wire: Wire) -> None:
    reply = wire().score(1)[0]
    assert isinstance(reply, Reply)
    assert (reply.request_id, reply.model) == ("chatcmpl-1", "tiny-2026")
    assert reply.answered_at == "2026-01-01T00:00:00+00:00"
    assert (reply.prompt_tokens, reply.completion_tokens) == (10, 3)


def test_the_servers_own_request_id_comes_first(wire: Wire) -> None:
    reply = wire({1: says(completion("x"), x_request_id="req-7")}).write(1)[0]
    assert isinstance(reply, Reply)
    assert reply.request_id == "req-7"


def test_what_is_sent_is_what_was_asked(wire: Wire) -> None:
    wired = wire()
    decoding = Decoding(
        max_new_tokens=7, temperature=0.7, top_p=0.9, seed=5, stop=("\n",), json_schema=None
    )
    once(wired.backend.write([WriteTask(prompt(0), decoding, repeat=repeat) for repeat in (0, 1)]))
    bodies = [heard.body for heard in wired.stub.heard]
    assert {len(bodies), len({body.pop("seed") for body in bodies})} == {2}
    assert bodies[0] == bodies[1]
    assert bodies[0] == {
        "model": "tiny",
        "messages": [
            {"role": "system", "content": "Be fair."},
            {"role": "user", "content": "Rate answer 0."},
        ],
        "max_tokens": 7,
        "temperature": 0.7,
        "top_p": 0.9,
        "stop": ["\n"],
    }
    assert wired.stub.heard[0].path == "/v1/chat/completions"


@pytest.mark.parametrize("bound", [1, 3])
def test_no_more_requests_at_once_than_allowed(wire: Wire, bound: int) -> None:
    wired = wire(seconds=0.05, concurrency=bound)
    assert len(wired.score(12)) == 12
    assert wired.stub.most_at_once == bound
    assert len(wired.stub.heard) == 12


def test_answers_come_while_others_are_open(wire: Wire) -> None:
    wired = wire(seconds=0.1, concurrency=1)
    answers = wired.backend.read(rating_tasks(20))
    next(answers)
    assert len(wired.stub.heard) < 20
    answers.close()  # type: ignore[attr-defined]


def test_a_closed_iterator_sends_no_more(wire: Wire) -> None:
    wired = wire(seconds=0.05, concurrency=2)
    answers = wired.backend.read(rating_tasks(40))
    next(answers)
    answers.close()  # type: ignore[attr-defined]
    heard = len(wired.proxy.heard)
    assert heard < 40
    assert not [thread for thread in threading.enumerate() if thread.name == "requests"]


def test_an_interrupt_reaches_the_caller(wire: Wire) -> None:
    wired = wire(seconds=30.0)
    main = threading.main_thread().ident
    assert main is not None

    def interrupt() -> None:
        while not wired.stub.heard:
            time.sleep(0.01)
        signal.pthread_kill(main, signal.SIGINT)

    # A shell that runs the tests in the background has interrupts ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            wired.score(3)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not [thread for thread in threading.enumerate() if thread.name == "requests"]


def test_it_works_in_any_thread(wire: Wire) -> None:
    wired = wire()
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.extend(wired.score(3)))
    thread.start()
    thread.join()
    assert sorted(found) == [0, 1, 2]


def test_the_key_is_in_the_header_and_nowhere_else(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    wired = wire({1: status(500)})
    wired.score(2)
    for heard in wired.proxy.heard:
        assert heard.headers.pop("authorization") == f"Bearer {KEY}"
        assert KEY not in f"{heard.headers} {heard.raw!r} {heard.path}"
    assert KEY not in caplog.text


def test_prompts_and_replies_are_not_logged(wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    wire({1: status(500)}).score(2)
    assert "Rate answer" not in caplog.text
    assert "Rating: 4" not in caplog.text


@pytest.mark.parametrize("other", [KEY, ""])
def test_a_server_that_takes_no_key_gets_none(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", other)
    wired = wire(api_key_env=None)
    wired.score(1)
    assert "authorization" not in wired.proxy.heard[0].headers
    assert KEY not in str(wired.proxy.heard[0].headers)


ACCOUNT = {
    "OPENAI_ORG_ID": "org-1",
    "OPENAI_PROJECT_ID": "proj-1",
    "OPENAI_CUSTOM_HEADERS": "X-Mine: 1\nAuthorization: Bearer other",
}
"""What the client reads from the environment by itself."""


def test_no_other_server_learns_of_an_account_at_openai(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ACCOUNT.items():
        monkeypatch.setenv(name, value)
    wired = wire()
    wired.score(1)
    headers = wired.proxy.heard[0].headers
    assert headers["authorization"] == f"Bearer {KEY}"
    assert {"openai-organization", "openai-project", "x-mine"} & set(headers) == set()


def test_openais_own_server_does(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ACCOUNT.items():
        monkeypatch.setenv(name, value)
    client = open_client(openai_model("https://api.openai.com/v1"), KEY)
    assert (client.organization, client.project) == ("org-1", "proj-1")


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (None, f"environment variable {VARIABLE} with the server's key is not set"),
        ("  ", f"environment variable {VARIABLE} with the server's key is not set"),
        ("schlüssel", f"what {VARIABLE} holds cannot be a key"),
        ("two\nlines", f"what {VARIABLE} holds cannot be a key"),
    ],
)
def test_a_missing_key_is_named_before_anything_is_sent(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, held: str | None, said: str
) -> None:
    wired = wire()
    if held is None:
        monkeypatch.delenv(VARIABLE)
    else:
        monkeypatch.setenv(VARIABLE, held)
    with pytest.raises(ModelError, match=said):
        wired.score(1)
    assert wired.proxy.heard == []


def test_without_open_questions_no_key_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    backend = ApiBackend("served", openai_model(NOWHERE))
    assert list(backend.read([])) == list(backend.write([])) == []


def test_requests_and_tokens_are_counted(wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "isogloss")
    prices = {"input_per_million": 1000.0, "output_per_million": 10_000.0, "currency": "EUR"}
    bare = completion("x", usage=None)
    wired = wire({1: status(500), 2: says(bare)}, concurrency=1, prices=prices)
    wired.score(3)
    tally = wired.backend.tally
    assert (tally.requests, tally.retries, tally.uncounted) == (4, 1, 1)
    assert (tally.prompt_tokens, tally.completion_tokens) == (20, 6)
    # 20 x 1000 / 1e6 + 6 x 10000 / 1e6
    assert tally.cost == pytest.approx(0.08)
    assert caplog.messages == [
        "model served: 4 requests (1 of them repeated), 20 prompt tokens, 6 written tokens, "
        "0.0800 EUR, 1 replies without a token count so far"
    ]
    with pytest.raises(FrozenInstanceError):
        tally.requests = 0  # type: ignore[misc]


def test_an_estimate_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    prices = Prices(input_per_million=2.0, output_per_million=8.0)
    backend = ApiBackend("served", openai_model(NOWHERE, max_tokens=5, prices=prices))
    # 22 bytes make 6 tokens; 5 + 5 + 9 + (100 + 5) may be written.
    reasoned = replace(rating_tasks(1)[0], reasons_tokens=100)
    found = backend.estimate([*rating_tasks(2), *writing_tasks(1), reasoned])
    assert (found.requests, found.prompt_tokens, found.completion_tokens) == (4, 24, 124)
    assert found.cost == pytest.approx((24 * 2 + 124 * 8) / 1e6)
    assert found.currency == "USD"
