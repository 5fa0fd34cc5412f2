"""A backend wired to a stub, directly or through a proxy that makes trouble."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from tests.score.api.servers import Fault, FaultProxy, Stub

from isogloss.config import OpenAIModel
from isogloss.score.answers import rating_scale
from isogloss.score.api import ApiBackend, Backoff
from isogloss.score.backend import Answer, Batch, Decoding, ScoreTask, WriteTask
from isogloss.score.prompts import Message, Prompt

KEY = "sk-secret-0123456789"
VARIABLE = "TEST_SERVER_KEY"
RATING = rating_scale(1, 5, "Rating: ")


@dataclass(frozen=True)
class Wired:
    """A backend and the servers behind it."""

    backend: ApiBackend
    proxy: FaultProxy
    stub: Stub

    def score(self, count: int) -> dict[int, Answer]:
        """Rate so many prompts; each may be answered once."""
        return once(self.backend.read(rating_tasks(count)))

    def write(self, count: int) -> dict[int, Answer]:
        """Continue so many prompts."""
        return once(self.backend.write(writing_tasks(count)))


Wire = Callable[..., Wired]


def once(found: Iterator[Batch]) -> dict[int, Answer]:
    """Collect answers by index; none may come twice."""
    answers: dict[int, Answer] = {}
    for batch in found:
        for index, answer in batch:
            assert index not in answers
            answers[index] = answer
    return answers


def prompt(number: int) -> Prompt:
    """Return a prompt that tells its number."""
    messages = (Message("system", "Be fair."), Message("user", f"Rate answer {number}."))
    return Prompt("", messages=messages)


def rating_tasks(count: int) -> list[ScoreTask]:
    """Return prompts to be rated."""
    return [ScoreTask(prompt(number), RATING) for number in range(count)]


def writing_tasks(count: int) -> list[WriteTask]:
    """Return prompts to be continued."""
    return [WriteTask(prompt(number), Decoding(max_new_tokens=9)) for number in range(count)]


def openai_model(base_url: str, **settings: Any) -> OpenAIModel:
    """Return the configuration of a server."""
    given = {"model": "tiny", "api_key_env": VARIABLE, "timeout_s": 20.0, **settings}
    return OpenAIModel.model_validate({"backend": "openai", "base_url": base_url, **given})


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """Put the server's key into the environment."""
    monkeypatch.setenv(VARIABLE, KEY)
    return KEY


@pytest.fixture
def wire(key: str) -> Iterator[Wire]:
    """Return a maker of backends; `faults` maps the number of a request to what goes wrong."""
    with ExitStack() as servers:

        def make(
            faults: Mapping[int, Fault] | None = None, *, seconds: float = 0.0, **settings: Any
        ) -> Wired:
            stub = servers.enter_context(Stub(seconds=seconds))
            proxy = servers.enter_context(FaultProxy(stub.url, dict(faults or {})))
            backend = ApiBackend(
                "served",
                openai_model(proxy.url, **settings),
                backoff=Backoff(first_s=0.01, most_s=0.05),
            )
            return Wired(backend, proxy, stub)

        yield make
