"""The backend against one prompt at a time, computed without caches, batches or prefixes."""

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
import torch
from tests.score.local.by_hand import chain_model
from tests.score.local.conftest import ARCHITECTURES, PARTLY_SHARED, SHARED, WHOLE, Loader
from tests.score.local.hooks import watching
from tests.score.local.reference import (
    RATING,
    TO_TEN,
    TOLERANCE,
    YES_NO,
    again,
    asked,
    continuations,
    gap,
    generated,
    ids_of,
    next_logs,
    plain_greedy,
    questions,
    read,
    reference,
    shuffled,
    texts,
    user,
)
from tokenizers import AddedToken
from transformers import LlamaConfig

from isogloss.errors import AnswerError, ModelError
from isogloss.models.local import LocalModel
from isogloss.score.answers import AnswerSet, rating_scale
from isogloss.score.backend import Decoding, ScoreTask, WriteTask
from isogloss.score.local.backend import LocalBackend
from isogloss.score.prompts import Message, Prompt, encode

# Some architectures warn about kernels that are not installed.
pytestmark = pytest.mark.filterwarnings("default")


@dataclass(frozen=True)
class Case:
    """A model, questions to it, and the right answers."""

    local: LocalModel
    tasks: list[ScoreTask]
    wanted: list[list[float]]


@pytest.fixture(scope="module", params=ARCHITECTURES)
def case(request: pytest.FixtureRequest, architecture: Loader) -> Case:
    local = architecture(request.param)
    tasks = questions(LocalBackend(local))
    known: dict[ScoreTask, list[float]] = {}
    for task in tasks:
        if task not in known:
            known[task] = reference(local, task)
    wanted = [known[task] for task in tasks]
    assert max(map(max, wanted)) > 1e-3  # else the comparison would say nothing
    return Case(local, tasks, wanted)


@pytest.mark.parametrize(("share", "memory_mb"), [(True, 0), (True, 1024), (False, 1024)])
def test_reading_equals_one_prompt_at_a_time(case: Case, share: bool, memory_mb: int) -> None:
    backend = LocalBackend(case.local, memory_mb=memory_mb, share=share)
    mixed, order = shuffled(case.tasks)
    assert gap(read(backend, mixed), [case.wanted[i] for i in order]) < TOLERANCE


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_prompts_are_shared_as_far_as_the_model_allows(name: str, architecture: Loader) -> None:
    """So that the tests above are about the ways that they are said to be about."""
    local = architecture(name)
    length = local.running.sharing.length
    lengths = [len(task.prompt.tokens) for task in questions(LocalBackend(local))]
    shared = [tokens <= length for tokens in lengths]
    if name in SHARED:
        assert all(shared)
    elif name in PARTLY_SHARED:
        assert set(shared) == {True, False}
    elif name in WHOLE:
        assert length == 0


@pytest.mark.parametrize("name", ["llama", "gemma2, window in every second layer"])
def test_a_few_at_a_time_are_read_as_all_at_once(name: str, architecture: Loader) -> None:
    backend = LocalBackend(architecture(name))
    tasks = questions(backend)
    parts = [read(backend, tasks[i : i + 3]) for i in range(0, len(tasks), 3)]
    wanted = [answer.probabilities for answer in read(backend, tasks)]
    assert gap([answer for part in parts for answer in part], wanted) < TOLERANCE


# --- answers --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def llama(tiny_models: dict[str, LocalModel]) -> LocalModel:
    return tiny_models["llama"]


def _chained(llama: LocalModel, follows: dict[str, dict[str, float]]) -> LocalBackend:
    return LocalBackend(chain_model(llama, follows))


EXACT = 1e-6
"""Absolute; logits are small logarithms in single precision."""


def test_ten_is_taken_off_one_by_hand(llama: LocalModel) -> None:
    follows = {" ": {"1": 1 / 2, "2": 1 / 3, "x": 1 / 6}, "1": {"0": 1 / 3, "</s>": 2 / 3}}
    backend = _chained(llama, follows)
    one_to_ten, one_to_two = rating_scale(1, 10, "Rating: "), rating_scale(1, 2, "Rating: ")
    long, short = read(
        backend, [asked(backend, user("?"), answers) for answers in (one_to_ten, one_to_two)]
    )
    assert long.probabilities == pytest.approx(
        (1 / 3, 1 / 3, 0, 0, 0, 0, 0, 0, 0, 1 / 6), abs=EXACT
    )
    assert short.probabilities == pytest.approx((1 / 2, 1 / 3), abs=EXACT)


def test_labels_of_several_words_and_writings_by_hand(llama: LocalModel) -> None:
    """`a` and `ab` are a label and a longer one; two writings of `no` are summed."""
    follows = {
        ":": {"a": 1 / 2, "n": 1 / 4, "N": 1 / 8, "x": 1 / 8},
        "a": {"b": 1 / 4, "</s>": 3 / 4},
        "b": {" ": 1 / 3, "</s>": 2 / 3},
        " ": {"c": 1.0},
        "n": {"o": 1 / 2, "a": 1 / 2},
        "N": {"o": 1.0},
    }
    answers = AnswerSet(("a", "ab", "ab c", "no"), (("a",), ("ab",), ("ab c",), ("no", "No")), ":")
    backend = _chained(llama, follows)
    (answer,) = read(backend, [asked(backend, user("?"), answers)])
    # a: 1/2 - 1/8; ab: 1/8 - 1/24; ab c: 1/24; no: 1/4 1/2 + 1/8.
    assert answer.probabilities == pytest.approx((3 / 8, 1 / 12, 1 / 24, 1 / 4), abs=EXACT)
    assert answer.unseen == 0.0


def test_an_answer_of_several_tokens_is_the_sum_of_log_probabilities(llama: LocalModel) -> None:
    answers = AnswerSet(("YES", "NO"), (("YES",), ("NO",)), "Answer: ")
    backend = LocalBackend(llama)
    start = ids_of(llama.tokenizer, "<s><|user|>is it so?</s><|assistant|>Answer: ")
    yes, es = ids_of(llama.tokenizer, "YES")
    n, o = ids_of(llama.tokenizer, "NO")
    logs = [next_logs(llama.model, ids) for ids in (start, [*start, yes], [*start, n])]
    by_hand = [float(logs[0][yes] + logs[1][es]), float(logs[0][n] + logs[2][o])]
    (answer,) = read(backend, [asked(backend, user("is it so?"), answers)])
    assert [math.log(p) for p in answer.probabilities] == pytest.approx(by_hand, abs=1e-4)


def test_prompts_that_end_alike_are_spelled_as_each_alone(llama: LocalModel) -> None:
    """A prompt without a control token has no ending that could stand for all of it."""
    backend = LocalBackend(llama)
    answers = AnswerSet(("- ", "x"), (("- ",), ("x",)), "")
    prompts = [Prompt(text, encode(text, llama.tokenizer)) for text in ("a", "ba", "ca- ")]
    prompts.append(backend.render(user("a"), "a"))
    tasks = [ScoreTask(prompt, answers) for prompt in prompts]
    wanted = [reference(llama, task) for task in tasks]
    assert gap(read(backend, tasks), wanted) < TOLERANCE


def test_a_control_token_that_ends_in_another_is_not_mistaken_for_it(
    shape: dict[str, Any], build: Callable[..., Any], llama: LocalModel, tokenizer: Any
) -> None:
    """What follows `</s>` loses its space here, what follows `x</s>` does not."""
    own = copy.deepcopy(tokenizer)
    own.add_special_tokens({"eos_token": AddedToken("</s>", rstrip=True, special=True)})
    own.add_special_tokens({"extra_special_tokens": [AddedToken("x</s>", special=True)]})
    model = build(LlamaConfig(**{**shape, "vocab_size": len(own)}))
    local = replace(llama, model=model, tokenizer=own)
    text = "a x</s>"
    assert own.tokenize(text + " b") == ["a", " ", "x</s>", " ", "b"]
    answers = AnswerSet(("a", "b"), ((" a",), (" b",)), "")
    task = ScoreTask(Prompt(text, encode(text, own)), answers)
    assert gap(read(LocalBackend(local), [task]), [reference(local, task)]) < TOLERANCE


def test_an_answer_inside_a_token_is_refused(llama: LocalModel) -> None:
    backend = LocalBackend(llama)
    inside = AnswerSet(("a", "b"), ((" a",), (" b",)), "Answer -")
    with pytest.raises(AnswerError, match="boundary"):
        read(backend, [asked(backend, user("?"), inside)])


# --- chat templates -------------------------------------------------------------------------------

DEFAULTING = (
    "{{ bos_token }}{% if messages[0]['role'] != 'system' %}"
    "{{ '<|system|>be kind.' + eos_token }}{% endif %}"
    "{% for message in messages %}{{ '<|' + message['role'] + '|>' }}"
    "{{ message['content'] + eos_token }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)
TURNS = (*user("hello"), Message("assistant", "hi"), Message("user", "so?"))


@pytest.mark.parametrize(
    ("messages", "text"),
    [
        (user("so?"), "<s><|system|>be kind.</s><|user|>so?</s><|assistant|>"),
        (
            (Message("system", "be brief."), *user("so?")),
            "<s><|system|>be brief.</s><|user|>so?</s><|assistant|>",
        ),
        (
            TURNS,
            "<s><|system|>be kind.</s><|user|>hello</s><|assistant|>hi</s><|user|>so?</s>"
            "<|assistant|>",
        ),
    ],
)
def test_what_the_template_adds_is_read_too(
    messages: tuple[Message, ...],
    text: str,
    llama: LocalModel,
    tokenizer: Any,
    load: Callable[..., LocalModel],
) -> None:
    defaulting = copy.deepcopy(tokenizer)
    defaulting.chat_template = DEFAULTING
    local = load(llama.model, "defaulting", defaulting)
    backend = LocalBackend(local)
    task = asked(backend, messages, RATING, "Reason: so.\n")
    assert task.prompt.text == text + "Reason: so.\nRating: "
    assert list(task.prompt.tokens) == ids_of(tokenizer, task.prompt.text)
    assert gap(read(backend, [task]), [reference(local, task)]) < TOLERANCE


# --- where sharing ends ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["mistral, window", "gemma3, window in two of three layers", "phi3, window",
             "phi3, position code by length"],
)  # fmt: skip
def test_prompts_about_as_long_as_may_be_shared(name: str, architecture: Loader) -> None:
    """`10` needs a read after one token more than the prompt's, which may be the one too many."""
    local = architecture(name)
    backend = LocalBackend(local)
    limit = local.running.sharing.length
    tasks = [
        _of_length(backend, length, answers)
        for length in range(limit - 2, limit + 3)
        for answers in (YES_NO, TO_TEN)
    ]
    assert gap(read(backend, tasks), [reference(local, task) for task in tasks]) < TOLERANCE
    writes = [WriteTask(task.prompt, Decoding(3)) for task in tasks]
    writes += [WriteTask(backend.render(user("ab"), ""), Decoding(limit - 3))]
    assert texts(backend, writes) == [plain_greedy(local, task) for task in writes]


def _of_length(backend: LocalBackend, length: int, answers: AnswerSet) -> ScoreTask:
    frame = len(asked(backend, user(""), answers).prompt.tokens)
    return asked(backend, user("a" * (length - frame)), answers)


# --- what cannot be read ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["llama", "gpt2"])
@pytest.mark.parametrize("answers", [RATING, TO_TEN])
def test_a_prompt_longer_than_the_model_reads_is_refused(
    name: str, answers: AnswerSet, architecture: Loader
) -> None:
    """With its answer it may have 512 tokens; `10` has two, and the second of them is a read."""
    local = architecture(name)
    backend = LocalBackend(local)
    fits = _of_length(backend, 511 if answers is RATING else 510, answers)
    assert gap(read(backend, [fits]), [reference(local, fits)]) < TOLERANCE
    beyond = _of_length(backend, len(fits.prompt.tokens) + 1, answers)
    with watching(local.model) as work, pytest.raises(ModelError, match="at most 512 tokens"):
        read(backend, [fits, beyond])
    assert work.tokens == []  # before work is lost


def test_a_reply_longer_than_the_model_reads_is_refused(llama: LocalModel) -> None:
    backend = LocalBackend(llama)
    prompt = _of_length(backend, 500, YES_NO).prompt
    with pytest.raises(ModelError, match="at most 512 tokens"):
        texts(backend, [WriteTask(prompt, Decoding(13))])
    assert len(texts(backend, [WriteTask(prompt, Decoding(12))])) == 1


def test_a_reason_why_prompts_are_read_whole_is_said_once(
    architecture: Loader, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "isogloss")
    backend = LocalBackend(architecture("mistral, window"))
    tasks = questions(backend)
    read(backend, [task for task in tasks if len(task.prompt.tokens) < 25])
    assert caplog.messages == []
    read(backend, tasks)
    texts(backend, continuations(backend, Decoding(1)))
    assert len(caplog.messages) == 1
    assert "30 tokens" in caplog.messages[0]


@pytest.mark.parametrize(("name", "share"), [("llama", True), ("mistral, window", False)])
def test_nothing_is_said_where_prompts_are_shared_or_must_not_be(
    name: str, share: bool, architecture: Loader, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "isogloss")
    backend = LocalBackend(architecture(name), share=share)
    read(backend, questions(backend))
    assert caplog.messages == []


def test_probabilities_that_are_no_numbers_are_not_made_up(
    shape: dict[str, Any], build: Callable[..., Any], load: Callable[..., LocalModel]
) -> None:
    local = load(build(LlamaConfig(**shape)))
    with torch.no_grad():
        local.model.model.norm.weight.fill_(math.nan)
    backend = LocalBackend(local)
    (answer,) = read(backend, [asked(backend, user("?"), RATING)])
    assert all(map(math.isnan, answer.probabilities))


def test_the_digest_is_that_of_the_models_identity(llama: LocalModel) -> None:
    other = replace(llama, identity=replace(llama.identity, dtype="bfloat16"))
    assert LocalBackend(llama).digest == llama.identity.digest
    assert LocalBackend(llama).digest != LocalBackend(other).digest


def test_an_estimate_counts_common_beginnings_once(llama: LocalModel) -> None:
    backend = LocalBackend(llama)
    tasks = questions(backend)
    draws = again([WriteTask(tasks[0].prompt, Decoding(7))], 3)
    prompts = {task.prompt.tokens for task in tasks}
    with watching(llama.model) as work:
        estimate = backend.estimate([*tasks, *draws])
    assert work.tokens == []
    assert estimate.requests == len(tasks) + 3
    assert estimate.prompt_tokens == len({p[:i] for p in prompts for i in range(1, len(p) + 1)})
    assert estimate.completion_tokens == 21
    assert estimate.cost is None


# --- the default model ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("share", "memory_mb"), [(True, 0), (True, 1024), (False, 1024)])
def test_the_default_model_equals_one_prompt_at_a_time(
    smollm: LocalModel, share: bool, memory_mb: int
) -> None:
    backend = LocalBackend(smollm, share=share, memory_mb=memory_mb)
    tasks = questions(backend)
    wanted = [reference(smollm, task) for task in tasks]
    mixed, order = shuffled(tasks)
    assert gap(read(backend, mixed), [wanted[i] for i in order]) < TOLERANCE


@pytest.mark.slow
def test_the_default_model_writes_like_generate(smollm: LocalModel) -> None:
    backend = LocalBackend(smollm)
    tasks = continuations(backend, Decoding(16, stop=("Rating:",)))
    assert texts(backend, tasks) == [generated(smollm, task)[0] for task in tasks]
