"""A guise of two devices, items, and a server that gives the replies that a test lays out."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.score.api.servers import Handler, Loopback, completion

from isogloss.config.schema import OpenAIModel
from isogloss.guises.definition import Density, Device, GuiseDefinition
from isogloss.score.api import ApiBackend, Backoff
from isogloss.score.ask import Asker
from isogloss.score.progress import Progress
from isogloss.score.store import ResponseStore
from isogloss.stimuli.draft.ask import Drawing, Writer
from isogloss.stimuli.draft.records import Drafted, Item, Judged, Task

KEY = "sk-secret-0123456789"
VARIABLE = "TEST_SERVER_KEY"
PLAIN = "I fixed the pump in 40 minutes. The line ran again at noon."
HEDGED = "I think I fixed the pump in 40 minutes. The line probably ran again at noon."


def reply_of(text: str, changes: Sequence[tuple[str, str]] = (), **more: Any) -> str:
    """Return a reply in the form that is asked for."""
    spans = [{"before": before, "after": after} for before, after in changes]
    fields = {"text": text, "devices": ["lexical"], "spans_changed": spans, **more}
    return json.dumps(fields, ensure_ascii=False)


GOOD = reply_of(HEDGED, [("", "I think"), ("ran again", "probably ran again")])


def item(text: str = PLAIN, item_id: str = "a-1", context: str = "What did you repair?") -> Item:
    return Item(item_id, context, text)


def long_texts(drafted: Sequence[Drafted]) -> list[Judged]:
    """Judge by a rule that can be computed by hand: valid is what is longer than its reference."""
    return [
        Judged(len(d.guise_text) > len(d.reference_text), "not longer", 1 / len(d.guise_text))
        if len(d.guise_text) > len(d.reference_text)
        else Judged(False, "not longer", 0.0)
        for d in drafted
    ]


HEDGING = GuiseDefinition(
    name="hedged",
    title="Hedging",
    phenomenon="The speaker keeps some distance from what is said.",
    devices=(
        Device(name="lexical", what="A word of belief.", examples=("I think",), source="own"),
        Device(name="modal", what="A tentative modal.", examples=("may have",), source="own"),
    ),
    keep=("Who did what.",),
    lexicon="data/lexicons/hedges.yaml",
    density=Density(least=20, most=120, reference_most=8),
    moves=("length",),
    labels=("hedged", "tentative"),
    rule="hedges",
    sources={"own": "Made up for this test."},
)


@pytest.fixture
def guise() -> GuiseDefinition:
    return HEDGING


@pytest.fixture
def task(guise: GuiseDefinition) -> Task:
    return Task(guise, "confident")


class Script(Loopback):
    """Replies by what stands between the text's tags; a list is taken one after the other."""

    def __init__(self, replies: dict[str, list[Callable[[Handler], None] | str]]) -> None:
        super().__init__()
        self._replies = {text: list(given) for text, given in replies.items()}

    def answer(self, handler: Handler) -> None:
        prompt = handler.heard.prompt
        (given,) = (g for text, g in self._replies.items() if f"<text>\n{text}\n</text>" in prompt)
        reply = given.pop(0)
        if callable(reply):
            reply(handler)
        else:
            handler.reply(200, completion(reply), {"x-request-id": f"req-{handler.number}"})


Serve = Callable[..., Script]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Return a maker of running servers, with their key in the environment."""
    monkeypatch.setenv(VARIABLE, KEY)
    with ExitStack() as servers:
        yield lambda replies: servers.enter_context(Script(replies))


WriterFor = Callable[..., Writer]


@pytest.fixture
def writer_for(tmp_path: Path) -> Iterator[WriterFor]:
    """Return a maker of writers that ask a server, all with one store."""
    with ResponseStore(tmp_path / "responses.sqlite") as store:

        def make(url: str, **settings: Any) -> Writer:
            config = OpenAIModel.model_validate(
                {
                    "backend": "openai",
                    "base_url": url,
                    "model": "tiny",
                    "api_key_env": VARIABLE,
                    "concurrency": 1,
                    **settings,
                }
            )
            backend = ApiBackend("gpt", config, backoff=Backoff(first_s=0.01, most_s=0.02))
            return Writer("gpt", backend, Asker(backend, store, progress=Progress), config.prices)

        yield make


ONE = Drawing(seed=7, candidates=1)
