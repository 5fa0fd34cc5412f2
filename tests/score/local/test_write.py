"""Replies against transformers' own generation, and against distributions known by hand."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

import pytest
import torch
from pydantic import BaseModel, ConfigDict, Field
from scipy import stats
from tests.score.local.by_hand import chain_model
from tests.score.local.conftest import ARCHITECTURES, Loader
from tests.score.local.hooks import watching
from tests.score.local.reference import (
    again,
    continuations,
    generated,
    ids_of,
    plain_greedy,
    shuffled,
    texts,
    user,
    written,
)
from transformers import LlamaConfig

from isogloss.models.local import LocalModel
from isogloss.score.backend import Decoding, Failed, WriteTask
from isogloss.score.local.backend import LocalBackend
from isogloss.score.local.memory import state_bytes
from isogloss.score.local.replies import Writing
from isogloss.score.local.write import OneStep, batches_of
from isogloss.score.prompts import Prompt

# Some architectures warn about kernels that are not installed.
pytestmark = pytest.mark.filterwarnings("default")

GREEDY = Decoding(8)
SAMPLED = Decoding(8, temperature=1.5, seed=7)
IMPROBABLE = 1e-4
"""p-value below which drawn frequencies are not those of the distribution; seeds are fixed."""


@pytest.fixture(scope="module")
def llama(tiny_models: dict[str, LocalModel]) -> LocalModel:
    return tiny_models["llama"]


# --- greedy ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_greedy_replies_equal_generate(name: str, architecture: Loader) -> None:
    """Or whole runs, for a model whose cache was found not to give what they give."""
    local = architecture(name)
    backend = LocalBackend(local)
    tasks = continuations(backend, GREEDY)[3::3]
    if local.running.fallback.keeps_state:
        wanted = [generated(local, task)[0] for task in tasks]
    else:
        wanted = [plain_greedy(local, task) for task in tasks]
    assert len(set(wanted)) > 1
    assert texts(backend, tasks) == wanted


@pytest.mark.parametrize("name", ["llama", "gemma2, small caps", "phi3, window"])
@pytest.mark.parametrize(("share", "memory_mb"), [(True, 0), (True, 1024), (False, 1024)])
def test_limits_and_stops_of_a_batch_are_each_replys_own(
    name: str, share: bool, memory_mb: int, architecture: Loader
) -> None:
    local = architecture(name)
    backend = LocalBackend(local, memory_mb=memory_mb, share=share)
    tasks = [
        replace(task, decoding=Decoding(1 + 5 * i % 11, stop=("a", "the") if i % 2 else ()))
        for i, task in enumerate(continuations(backend, GREEDY)[::2])
    ]
    wanted = [generated(local, task)[0] for task in tasks]
    mixed, order = shuffled(tasks)
    assert texts(backend, mixed) == [wanted[i] for i in order]


def _ending_often(tokens: Sequence[int], shape: dict[str, Any], build: Callable[..., Any]) -> Any:
    model = build(LlamaConfig(**shape))
    with torch.no_grad():
        for token in tokens:
            model.lm_head.weight[token] *= 2
    return model


def test_rows_of_a_batch_end_each_at_its_own_end_token(
    shape: dict[str, Any], build: Callable[..., Any], load: Callable[..., LocalModel]
) -> None:
    local = load(_ending_often([2], shape, build))
    backend = LocalBackend(local)
    tasks = continuations(backend, Decoding(12))
    wanted = [generated(local, task) for task in tasks]
    assert {ended for _, ended in wanted} == {True, False}
    assert len({len(text) for text, _ in wanted}) > 2
    replies = written(backend, tasks)
    assert [(r.text, r.finish == "stop") for r in replies] == wanted
    assert [r.completion_tokens == 12 for r in replies] == [not ended for _, ended in wanted]
    assert [r.prompt_tokens for r in replies] == [len(t.prompt.tokens) for t in tasks]


def test_every_end_token_of_the_model_ends_a_reply(
    shape: dict[str, Any], build: Callable[..., Any], load: Callable[..., LocalModel]
) -> None:
    """Chat models often end a turn with a token that is not their tokenizer's EOS."""
    model = _ending_often([3], shape, build)
    model.generation_config.eos_token_id = [2, 3]
    local = load(model)
    backend = LocalBackend(local)
    tasks = continuations(backend, Decoding(12))
    wanted = [generated(local, task, ends=(2, 3)) for task in tasks]
    assert {ended for _, ended in wanted} == {True, False}
    assert [(r.text, r.finish == "stop") for r in written(backend, tasks)] == wanted


def test_a_prompt_whose_numbers_fail_spoils_no_other(
    shape: dict[str, Any], build: Callable[..., Any], load: Callable[..., LocalModel]
) -> None:
    local = load(build(LlamaConfig(**shape)))
    (bad,) = ids_of(local.tokenizer, "q")
    with torch.no_grad():
        local.model.model.embed_tokens.weight[bad] = torch.nan
        local.model.lm_head.weight[bad] = 0.0
    backend = LocalBackend(local)
    tasks = [
        WriteTask(backend.render(user(text), ""), GREEDY)
        for text in ("same start, a", "same start, q", "same start, b", "same start")
    ]
    replies = written(backend, tasks)
    assert replies[1] == Failed("the model gave no finite probability")
    sound = [tasks[i] for i in (0, 2, 3)]
    assert [replies[i].text for i in (0, 2, 3)] == [generated(local, t)[0] for t in sound]


# --- draws by hand --------------------------------------------------------------------------------

FOLLOWS = {
    "a": {"b": 1 / 2, "c": 1 / 3, "</s>": 1 / 6},
    "b": {"a": 1.0},
    "c": {"d": 3 / 5, "e": 2 / 5},
}


@pytest.fixture(scope="module")
def chain(llama: LocalModel) -> LocalBackend:
    return LocalBackend(chain_model(llama, FOLLOWS))


def _after(backend: LocalBackend, text: str, decoding: Decoding) -> WriteTask:
    tokens = backend.render(user(text), text).tokens
    return WriteTask(Prompt(text, tokens), decoding)


def test_the_most_probable_chain_is_written(chain: LocalBackend) -> None:
    tasks = [_after(chain, text, Decoding(5)) for text in ("a", "c", "d")]
    assert [(r.text, r.finish) for r in written(chain, tasks)] == [
        ("babab", "length"),
        ("d", "stop"),
        ("", "stop"),
    ]


ROOT = 1 / 2**0.5 + 1 / 3**0.5 + 1 / 6**0.5


@pytest.mark.parametrize(
    ("decoding", "wanted"),
    [
        (Decoding(1, temperature=1.0), {"b": 1 / 2, "c": 1 / 3, "": 1 / 6}),
        (
            Decoding(1, temperature=2.0),
            {"b": 1 / 2**0.5 / ROOT, "c": 1 / 3**0.5 / ROOT, "": 1 / 6**0.5 / ROOT},
        ),
        (Decoding(1, temperature=1.0, top_p=0.7), {"b": 3 / 5, "c": 2 / 5}),
        (Decoding(1, temperature=1.0, top_p=0.4), {"b": 1.0}),
        (
            Decoding(2, temperature=1.0),
            {"ba": 1 / 2, "cd": 1 / 3 * 3 / 5, "ce": 1 / 3 * 2 / 5, "": 1 / 6},
        ),
    ],
)
def test_draws_have_the_models_frequencies(
    decoding: Decoding, wanted: dict[str, float], chain: LocalBackend
) -> None:
    number = 1500
    tasks = again([_after(chain, "a", replace(decoding, seed=3))], number)
    counts = Counter(texts(chain, tasks))
    assert counts.keys() == wanted.keys()
    if len(wanted) > 1:
        observed = [counts[text] for text in wanted]
        expected = [share * number for share in wanted.values()]
        assert stats.chisquare(observed, expected).pvalue > IMPROBABLE


def test_draws_of_different_prompts_are_not_the_same_ones(chain: LocalBackend) -> None:
    """Two prompts that end alike have the same distribution here, but draws of their own."""
    decoding = Decoding(1, temperature=1.0, seed=3)
    drawn = [texts(chain, again([_after(chain, text, decoding)], 60)) for text in ("a", "ba")]
    assert drawn[0] != drawn[1]
    agreeing = sum(x == y for x, y in zip(*drawn, strict=True)) / 60
    assert agreeing < 0.65  # by chance 1/4 + 1/9 + 1/36 = 0.39


# --- draws in batches -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def drawn(llama: LocalModel) -> tuple[list[WriteTask], list[str]]:
    """Four repeats of five prompts, with the text of each as it comes when written alone."""
    backend = LocalBackend(llama)
    tasks = again(continuations(backend, SAMPLED)[5:10], 4)
    return tasks, [texts(backend, [task])[0] for task in tasks]


@pytest.mark.parametrize("share", [True, False])
@pytest.mark.parametrize("memory_mb", [0, 1, 1024])
def test_a_draw_is_the_same_in_every_batch_and_order(
    share: bool, memory_mb: int, llama: LocalModel, drawn: tuple[list[WriteTask], list[str]]
) -> None:
    tasks, alone = drawn
    mixed, order = shuffled(tasks, seed=memory_mb)
    found = texts(LocalBackend(llama, memory_mb=memory_mb, share=share), mixed)
    assert found == [alone[i] for i in order]


def test_repeats_are_draws_of_their_own(drawn: tuple[list[WriteTask], list[str]]) -> None:
    _, alone = drawn
    # A few end at once, and are alike then.
    assert all(len(set(alone[i : i + 4])) > 2 for i in range(0, len(alone), 4))


def test_another_seed_gives_other_draws(
    llama: LocalModel, drawn: tuple[list[WriteTask], list[str]]
) -> None:
    tasks, alone = drawn
    other = [replace(task, decoding=replace(SAMPLED, seed=8)) for task in tasks[:4]]
    assert set(texts(LocalBackend(llama), other)).isdisjoint(alone)


# --- replies under a schema -----------------------------------------------------------------------


class Rated(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rating: Annotated[int, Field(ge=1, le=5)]
    why: Literal["it is so", "i do not know"]


SCHEMA = json.dumps(Rated.model_json_schema())


def test_a_reply_under_a_schema_satisfies_it(llama: LocalModel) -> None:
    backend = LocalBackend(llama)
    free = continuations(backend, replace(SAMPLED, max_new_tokens=60))[:6]
    bound = [
        replace(task, decoding=replace(task.decoding, json_schema=SCHEMA, temperature=heat))
        for task in free
        for heat in (0.0, 1.5)
    ]
    together = written(backend, [*free, *bound])
    assert together[:6] == written(backend, free)
    for task, reply in zip(bound, together[6:], strict=True):
        assert reply.finish == "stop"
        Rated.model_validate_json(reply.text, strict=True)
        assert reply == written(backend, [task])[0]
    assert len({reply.text for reply in together[6:]}) > 2


def test_a_reply_under_a_schema_may_be_cut(llama: LocalModel) -> None:
    backend = LocalBackend(llama)
    prompt = backend.render(user("?"), "")
    (reply,) = written(backend, [WriteTask(prompt, Decoding(10, json_schema=SCHEMA))])
    assert (reply.finish, reply.text) == ("length", '{"rating":')


@pytest.mark.parametrize(("ends", "text"), [([2, 3], "1"), ([2], "111111111")])
def test_every_end_token_ends_a_reply_under_a_schema(
    ends: list[int], text: str, llama: LocalModel
) -> None:
    local = chain_model(llama, {"x": {"1": 1.0}, "1": {"<|user|>": 0.9, "1": 0.1}})
    local.model.generation_config.eos_token_id = ends
    backend = LocalBackend(local)
    schema = json.dumps({"type": "integer", "minimum": 1, "maximum": 10**9 - 1})
    prompt = backend.render(user("?"), "x")
    (reply,) = written(backend, [WriteTask(prompt, Decoding(30, json_schema=schema))])
    assert (reply.text, reply.finish) == (text, "stop")


# --- work -----------------------------------------------------------------------------------------


def test_repeats_read_their_prompt_once(llama: LocalModel) -> None:
    backend = LocalBackend(llama)
    endless = chain_model(llama, {"x": {"x": 1.0}})
    (task,) = [WriteTask(backend.render(user("why?"), "x"), replace(SAMPLED, max_new_tokens=6))]
    with watching(endless.model) as work:
        texts(LocalBackend(endless), again([task], 10))
    assert work.tokens == [len(task.prompt.tokens)] + [10] * 5


def test_prompts_read_their_common_beginning_once(llama: LocalModel) -> None:
    endless = LocalBackend(chain_model(llama, {"x": {"x": 1.0}}))
    tasks = [
        WriteTask(endless.render(user("a long beginning " + text), "x"), Decoding(3))
        for text in ("a", "bc", "bd")
    ]
    beginnings = {
        task.prompt.tokens[:i] for task in tasks for i in range(1, len(task.prompt.tokens) + 1)
    }
    model = endless._local.model
    with watching(model) as work:
        texts(endless, tasks)
    assert work.tokens == [len(beginnings), 3, 3]
    assert work.head_rows == [3, 3, 3]


def test_the_state_of_a_common_beginning_is_held_once(
    llama: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of their own hold what replies do not share, and what they write."""
    held: list[tuple[Any, Any]] = []

    class Watched(OneStep):
        def __init__(self, common: Any, own: Any, lengths: torch.Tensor) -> None:
            held.append((common, own))
            super().__init__(common, own, lengths)

    monkeypatch.setattr("isogloss.score.local.write.OneStep", Watched)
    backend = LocalBackend(llama)
    task = WriteTask(backend.render(user("a long beginning"), ""), SAMPLED)
    texts(backend, again([task], 9))
    ((common, own),) = held
    length, size = len(task.prompt.tokens), 8
    for layer in (0, 1):
        assert common[layer][0].shape == common[layer][1].shape == (2, length, size)
        rows = own[layer][0].shape[0]
        assert own[layer][0].shape == own[layer][1].shape == (rows, 2, 8, size)
        assert rows <= 9


def test_finished_replies_are_dropped_once_a_quarter_is_finished(llama: LocalModel) -> None:
    endless = LocalBackend(chain_model(llama, {"x": {"x": 1.0}}))
    limits = [2, 6, 6, 6, 6, 3, 3, 3]
    tasks = [WriteTask(endless.render(user("why?"), "x"), Decoding(limit)) for limit in limits]
    with watching(endless._local.model) as work:
        found = texts(endless, tasks)
    assert found == ["x" * limit for limit in limits]
    # Seven of eight still have to be written after two tokens, four of eight after three.
    assert work.tokens[1:] == [8, 8, 4, 4, 4]


def _waiting(lengths: Sequence[int], limit: int) -> list[Writing]:
    return [
        Writing(WriteTask(Prompt("", (i % 3, *[9] * (n - 1))), Decoding(limit)), set(), str, None)
        for i, n in enumerate(lengths)
    ]


@pytest.mark.parametrize("memory", [1, 600, 5000, 10**9])
def test_batches_hold_every_reply_once_within_the_memory(memory: int) -> None:
    lengths = [5, 40, 7, 7, 40, 12, 3, 90, 41] * 10
    waiting = _waiting(lengths, limit=10)
    batches = list(batches_of(waiting, bytes_each_token=4, memory=memory))
    assert sorted(id(w) for batch in batches for w in batch) == sorted(map(id, waiting))
    for batch in batches:
        longest = max(len(w.task.prompt.tokens) + 10 for w in batch)
        assert len(batch) == 1 or len(batch) * longest * 4 <= memory
        assert len(batch) <= 64
    assert (max(map(len, batches)) > 1) == (memory > 1)


def test_replies_are_written_together_as_far_as_their_state_fits_twice(llama: LocalModel) -> None:
    """Once as it was read, and once as the row that a reply goes on from."""
    backend = LocalBackend(llama, memory_mb=1)
    task = WriteTask(backend.render(user("a" * 200), ""), Decoding(56))
    size = state_bytes(llama.model) * (len(task.prompt.tokens) + 56)
    rows = [len(batch) for batch in backend.write(again([task], 20))]
    assert sum(rows) == 20
    assert 1 < max(rows) == 2**20 // (2 * size) < 20


def test_repeats_of_a_prompt_stand_together() -> None:
    waiting = _waiting([8] * 9, limit=2)
    batches = batches_of(waiting, bytes_each_token=1, memory=30)
    assert all(len({w.task.prompt.tokens for w in batch}) == 1 for batch in batches)


def test_no_reply_is_written_without_a_task(llama: LocalModel) -> None:
    with watching(llama.model) as work:
        assert list(LocalBackend(llama).write([])) == []
    assert work.tokens == []
