"""Drafting with a server on loopback: every kind of answer, and the same again without a key."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.score.api.servers import Handler, completion, says, status
from tests.stimuli.draft.conftest import (
    GOOD,
    HEDGED,
    KEY,
    ONE,
    PLAIN,
    VARIABLE,
    Serve,
    WriterFor,
    item,
    long_texts,
    reply_of,
)

from isogloss.config.schema import TransformersModel
from isogloss.errors import ItemError, ModelError
from isogloss.fetch import load_sources
from isogloss.models.local import load_model
from isogloss.score.api.payload import draw_seed
from isogloss.score.ask import Asker
from isogloss.score.backend import Batch, Reply, WriteTask
from isogloss.score.local.backend import LocalBackend
from isogloss.score.progress import Progress
from isogloss.score.prompts import Message, Prompt
from isogloss.score.store import ResponseStore
from isogloss.stimuli.draft.ask import Drawing, Writer
from isogloss.stimuli.draft.records import Drafts, Item, Task
from isogloss.stimuli.draft.run import draft, estimate_draft, summary
from isogloss.stimuli.draft.table import write_drafts

NOWHERE = "http://127.0.0.1:9/v1"
PRICES = {"input_per_million": 2.0, "output_per_million": 8.0, "currency": "EUR"}


def _bytes(drafts: Drafts, folder: Path) -> list[bytes]:
    write_drafts(drafts, folder)
    return [(folder / name).read_bytes() for name in ("candidates.csv", "chosen.csv")]


def _hides(handler: Handler) -> None:
    handler.reply(200, completion("", finish="content_filter"))


def _declines(handler: Handler) -> None:
    handler.reply(200, completion("", message={"refusal": "I can't help with that."}))


def _cuts(handler: Handler) -> None:
    handler.reply(200, completion(GOOD[:-40], finish="length"))


KINDS = {
    "good": (GOOD, "ok"),
    "fenced": (f"```json\n{GOOD}\n```", "ok"),
    "emoji": (reply_of("I think it is done 🎉"), "ok"),
    "rtl": (reply_of("I think سلام means peace."), "ok"),
    "prose": ("Sure! I think the pump was fixed in 40 minutes.", "malformed"),
    "cut": (_cuts, "malformed"),
    "label": ("hedged", "malformed"),
    "empty": ("", "malformed"),
    "refuses": ("I'm sorry, but I can't help with that.", "refusal"),
    "declines": (_declines, "refusal"),
    "filtered": (_hides, "refusal"),
    "bad request": (status(400, {"error": {"message": "not this one"}}), "error"),
}


def test_each_kind_of_answer_has_its_outcome_and_the_others_go_on(
    task: Task, serve: Serve, writer_for: WriterFor
) -> None:
    server = serve({f"{kind} one": [reply] for kind, (reply, _) in KINDS.items()})
    items = [item(f"{kind} one", item_id=kind) for kind in KINDS]
    drafts = draft(items, task, writer_for(server.url), ONE, long_texts)
    assert {a.item.item_id: a.outcome for a in drafts.attempts} == {
        kind: outcome for kind, (_, outcome) in KINDS.items()
    }
    assert all(attempt.reason for attempt in drafts.attempts if attempt.outcome != "ok")
    assert Counter(choice.status for choice in drafts.choices) == {"chosen": 4, "none_valid": 8}
    assert summary(drafts) == (
        "12 candidates (4 ok, 3 refusal, 4 malformed, 1 error; 4 valid), 12 items: "
        "4 with a valid candidate, 8 without, 0 not asked for"
    )


def test_a_server_that_is_busy_is_asked_again(
    task: Task, serve: Serve, writer_for: WriterFor
) -> None:
    server = serve({PLAIN: [status(429, retry_after="0"), says(completion(GOOD))]})
    drafts = draft([item()], task, writer_for(server.url), ONE, long_texts)
    assert [a.outcome for a in drafts.attempts] == ["ok"]
    assert len(server.heard) == 2


def test_where_a_candidate_comes_from_is_recorded(
    task: Task, serve: Serve, writer_for: WriterFor
) -> None:
    server = serve({PLAIN: [GOOD, "prose", GOOD]})
    drawing = Drawing(seed=7, candidates=3, temperature=0.6, top_p=0.9, max_new_tokens=111)
    writer = writer_for(server.url, prices=PRICES)
    drafts = draft([item()], task, writer, drawing, long_texts)
    sources = [attempt.provenance for attempt in drafts.attempts]
    prompt = writer.backend.render([Message("user", "?")], "")
    for source in sources:
        assert source.by == f"model:gpt@{writer.backend.digest[:12]}"
        assert (source.model, source.model_digest) == ("gpt", writer.backend.digest)
        assert (source.answered_by, source.answered_at) == (
            "tiny-2026",
            "2026-01-01T00:00:00+00:00",
        )
        assert (source.temperature, source.top_p, source.seed) == (0.6, 0.9, 7)
        assert (source.max_new_tokens, source.prompt_tokens, source.completion_tokens) == (
            111,
            10,
            3,
        )
        # 10 tokens at 2 and 3 at 8 a million
        assert source.cost == pytest.approx(44e-6)
        assert source.currency == "EUR"
        assert source.prompt_sha256 not in (None, prompt.sha256)
    assert [source.request_id for source in sources] == ["req-1", "req-2", "req-3"]
    assert [attempt.candidate for attempt in drafts.attempts] == [1, 2, 3]
    sent = [heard.body["seed"] for heard in server.heard]
    sha = str(sources[0].prompt_sha256)
    assert sent == [draw_seed(7, sha, repeat) for repeat in range(3)]


def test_what_is_sent_asks_for_the_form(task: Task, serve: Serve, writer_for: WriterFor) -> None:
    server = serve({PLAIN: [GOOD]})
    draft([item()], task, writer_for(server.url), ONE, long_texts)
    body = server.heard[0].body
    assert (body["temperature"], body["top_p"]) == (0.8, 1.0)
    # 59 bytes of text make 45 tokens beside the room for the object.
    assert body["max_tokens"] == 301
    asked = body["response_format"]["json_schema"]
    assert asked["strict"] is True
    assert list(asked["schema"]["properties"]) == ["text", "devices", "spans_changed"]
    assert "maxLength" not in json.dumps(asked)


def test_a_recorded_run_is_the_same_without_server_and_key(
    task: Task,
    serve: Serve,
    writer_for: WriterFor,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = 'He said "go".\n🎉'
    server = serve({PLAIN: [GOOD, "prose"], other: ["hedged", reply_of(f"I guess: {other}")]})
    items = [item(), item(other, item_id="b-2"), replace(item("", "c-3"), fault="empty")]
    drawing, writer = Drawing(seed=7, candidates=2), writer_for(server.url)
    first = _bytes(draft(items, task, writer, drawing, long_texts), tmp_path / "first")
    server.__exit__(None, None, None)
    monkeypatch.delenv(VARIABLE)
    again = _bytes(draft(items, task, writer_for(server.url), drawing, long_texts), tmp_path / "2")
    assert again == first
    assert KEY.encode() not in b"".join(first)
    with pytest.raises(ModelError, match=VARIABLE):
        draft(items, task, writer_for(server.url), replace(drawing, seed=8), long_texts)


def test_items_of_equal_text_are_asked_for_once(
    task: Task, serve: Serve, writer_for: WriterFor
) -> None:
    server = serve({PLAIN: [GOOD]})
    items = [item(item_id="a"), item(item_id="b")]
    drafts = draft(items, task, writer_for(server.url), ONE, long_texts)
    assert [choice.attempt and choice.attempt.text for choice in drafts.choices] == [HEDGED] * 2
    assert len(server.heard) == 1


def test_an_estimate_counts_what_is_left_and_asks_nothing(
    task: Task, serve: Serve, writer_for: WriterFor, tmp_path: Path
) -> None:
    server = serve({PLAIN: [GOOD]})
    items = [item(), item("Other words.", item_id="b"), replace(item("", "c"), fault="empty")]
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        writer = writer_for(server.url, prices=PRICES)
        before = estimate_draft(items, task, writer.backend, store, ONE)
        assert (before.requests, before.completion_tokens) == (2, 301 + 265)
        assert before.cost is not None
        assert server.heard == []
        draft(items[:1], task, writer, ONE, long_texts)
        assert estimate_draft(items, task, writer.backend, store, ONE).requests == 1


def test_a_model_that_thinks_is_asked_without_temperature(
    task: Task, serve: Serve, writer_for: WriterFor
) -> None:
    server = serve({PLAIN: [GOOD, GOOD]})
    drawing = Drawing(seed=7, candidates=2, temperature=None)
    drafts = draft([item()], task, writer_for(server.url, reasoning=True), drawing, long_texts)
    assert [a.outcome for a in drafts.attempts] == ["ok", "ok"]
    assert {(a.provenance.temperature, a.provenance.top_p) for a in drafts.attempts} == {
        (None, None)
    }
    assert "temperature" not in server.heard[0].body


class Narrow(LocalBackend):
    """Runs here, reads 3,000 characters at once, and does not take a mark in a text."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    digest = "narrow"  # type: ignore[assignment]

    def render(self, messages: Sequence[Message], reply: str) -> Prompt:  # noqa: ARG002
        said = "".join(message.content for message in messages)
        if "<|end|>" in said:
            raise ItemError("a text contains '<|end|>'")
        return Prompt(said, messages=tuple(messages))

    def write(self, tasks: Sequence[WriteTask]) -> "list[Batch]":  # type: ignore[override]
        if max(len(task.prompt.text) for task in tasks) > 3000:
            raise ModelError("model narrow reads at most 3000 tokens")
        self.batches.append(len(tasks))
        return [[(i, Reply(GOOD)) for i in range(len(tasks))]]


def test_a_text_too_long_for_a_model_leaves_the_others(task: Task, tmp_path: Path) -> None:
    backend = Narrow()
    items = [item(item_id="a"), item("I fixed it. " * 100, item_id="b"), item("So.", item_id="c")]
    items.append(item("It said <|end|> then.", item_id="d"))
    with ResponseStore(tmp_path / "r.sqlite") as store:
        writer = Writer("narrow", backend, Asker(backend, store, progress=Progress))
        drafts = draft(items, task, writer, ONE, long_texts)
    assert [(a.item.item_id, a.outcome) for a in drafts.attempts] == [
        ("a", "ok"),
        ("b", "error"),
        ("c", "malformed"),
    ]
    assert "reads at most 3000 tokens" in drafts.attempts[1].reason
    assert [choice.status for choice in drafts.choices][3] == "not_asked"
    assert "<|end|>" in drafts.choices[3].reason


def test_a_server_that_cannot_be_asked_ends_the_run(task: Task, writer_for: WriterFor) -> None:
    with pytest.raises(ModelError, match=VARIABLE):
        draft([item()], task, writer_for(NOWHERE), ONE, long_texts)


@pytest.mark.slow
def test_a_small_model_drafts_in_the_form_and_again_from_the_store(
    project: Path, task: Task, tmp_path: Path
) -> None:
    config = TransformersModel(backend="transformers", source="smollm2-135m-instruct-q4_1")
    sources = load_sources(project / "data" / "sources.yaml")
    backend = LocalBackend(load_model("smollm2", config, sources, project))
    items: list[Item] = [item(), item("We moved to the new office in May.", "b-2", "")]
    drawing = Drawing(seed=7, candidates=2, max_new_tokens=160)
    with ResponseStore(tmp_path / "r.sqlite") as store:
        writer = Writer("smollm2", backend, Asker(backend, store, progress=Progress))
        drafts = draft(items, task, writer, drawing, long_texts)
        first = _bytes(drafts, tmp_path / "first")
        assert _bytes(draft(items, task, writer, drawing, long_texts), tmp_path / "2") == first
    assert len(drafts.attempts) == 4
    for attempt in drafts.attempts:
        # Held to the schema, a reply can only be cut, or say nothing of use.
        assert attempt.outcome in ("ok", "malformed", "refusal"), attempt.reason
        assert "valid JSON" not in attempt.reason
        assert "field required" not in attempt.reason
        tokens = attempt.provenance.completion_tokens
        assert tokens is not None
        assert 0 < tokens <= 160
