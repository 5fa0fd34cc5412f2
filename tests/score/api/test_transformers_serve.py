"""The default model behind a real server on loopback, with and without faults on the way."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import transformers
from tests.ports import free_port
from tests.score.api.conftest import RATING, once, openai_model
from tests.score.api.servers import (
    FaultProxy,
    answered_twice,
    drops,
    hangs,
    says,
    sent_twice,
    status,
    truncated,
)

from isogloss.fetch.obtain import cache_dir
from isogloss.models.local import LocalModel
from isogloss.score.api import ApiBackend, Backoff
from isogloss.score.backend import Answer, Decoding, Reply, ScoreTask, WriteTask
from isogloss.score.prompts import Message, Prompt

pytestmark = pytest.mark.slow

QUESTIONS = (
    "What is the capital of France?",
    "Name a colour.",
    "How many legs does a spider have?",
    "Rate this answer from 1 to 5: I check every invoice twice.",
)
FAULTS = {
    1: status(429, retry_after="0.2"),
    2: status(500),
    3: hangs,
    4: truncated,
    5: says(b"{"),
    6: says(b'{"choices": []}'),
    7: sent_twice,
    8: answered_twice,
    9: drops,
    10: status(429, retry_after_ms="100"),
}


@dataclass(frozen=True)
class Server:
    """Where a server is, and what it calls its model."""

    url: str
    model: str


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/models", timeout=5) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 180
    while not _answers(url):
        if process.poll() is not None or time.monotonic() > deadline:
            pytest.fail(f"transformers serve did not start:\n{log.read_text()[-2000:]}")
        time.sleep(0.2)


@contextmanager
def _serving(folder: Path, log: Path) -> Iterator[Server]:
    port = free_port()
    command = [
        str(Path(sys.executable).with_name("transformers")),
        *("serve", str(folder), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"),
    ]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    with log.open("wb") as written:
        process = subprocess.Popen(
            command, stdout=written, stderr=written, env=environment, start_new_session=True
        )
    url = f"http://127.0.0.1:{port}/v1"
    try:
        _wait_for(url, process, log)
        yield Server(url, str(folder))
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture(scope="module")
def server(smollm: LocalModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`transformers serve` with the folder that the default model was converted to."""
    converted = f"{smollm.identity.weights_sha256}-transformers-{transformers.__version__}"
    folder = cache_dir() / "converted" / converted
    log = tmp_path_factory.mktemp("serve") / "serve.log"
    with _serving(folder, log) as running:
        yield running


def _backend(server: Server, url: str) -> ApiBackend:
    config = openai_model(
        url,
        model=server.model,
        api_key_env=None,
        concurrency=2,
        timeout_s=20.0,
        max_tokens=8,
        max_attempts=12,
    )
    return ApiBackend("smollm2", config, backoff=Backoff(first_s=0.02, most_s=0.1))


def _prompts() -> list[Prompt]:
    return [Prompt("", messages=(Message("user", question),)) for question in QUESTIONS]


def _score(backend: ApiBackend) -> dict[int, Answer]:
    return once(backend.read([ScoreTask(prompt, RATING) for prompt in _prompts()]))


def _write(backend: ApiBackend) -> dict[int, Answer]:
    greedy = Decoding(max_new_tokens=8)
    return once(backend.write([WriteTask(prompt, greedy) for prompt in _prompts()]))


def _texts(answers: dict[int, Answer]) -> list[tuple[str, str]]:
    replies = [answers[index] for index in range(len(QUESTIONS))]
    assert all(isinstance(reply, Reply) for reply in replies)
    return [(r.text, r.finish) for r in replies if isinstance(r, Reply)]


@pytest.mark.parametrize("ask", [_score, _write])
def test_faults_on_the_way_change_no_reply(
    server: Server, ask: Callable[[ApiBackend], dict[int, Answer]]
) -> None:
    plain = _texts(ask(_backend(server, server.url)))
    with FaultProxy(server.url, FAULTS) as proxy:
        backend = _backend(server, proxy.url)
        assert _texts(ask(backend)) == plain
        assert len(proxy.heard) > len(FAULTS)
        assert backend.tally.retries == 8
    assert len(set(plain)) == len(QUESTIONS)


def test_a_server_without_log_probabilities_gives_texts(server: Server) -> None:
    for reply in _score(_backend(server, server.url)).values():
        assert isinstance(reply, Reply)
        assert reply.text
        assert reply.distribution is None
        assert reply.model == server.model
        assert reply.prompt_tokens is not None
        assert reply.prompt_tokens > 20


def test_what_is_written_is_bounded(server: Server) -> None:
    replies = _write(_backend(server, server.url)).values()
    for reply in replies:
        assert isinstance(reply, Reply)
        assert reply.completion_tokens is not None
        assert reply.completion_tokens <= 8
        assert (reply.finish == "length") == (reply.completion_tokens == 8)
