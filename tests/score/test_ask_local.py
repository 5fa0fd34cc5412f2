"""Asking real models through the store."""

import copy
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from tests.score.local.reference import (
    RATING,
    TOLERANCE,
    YES_NO,
    gap,
    questions,
    reference,
    user,
)
from transformers import LlamaConfig

from isogloss.errors import AnswerError, ItemError
from isogloss.models.local import LocalModel
from isogloss.score.answers import AnswerSet
from isogloss.score.ask import Asker
from isogloss.score.backend import Decoding, Distribution, ScoreTask
from isogloss.score.local.backend import LocalBackend
from isogloss.score.prompts import render
from isogloss.score.requests import Reading, ReasonedRequest, Request, Text, TextRequest

GREEDY = Decoding(4)

AskerFactory = Callable[..., Asker]


def _requests(count: int) -> list[Request]:
    return [Request(user(f"item {i}."), RATING) for i in range(count)]


def _raw(reading: Reading) -> list[float]:
    assert reading.probabilities is not None
    assert reading.answer_mass is not None
    return [reading.answer_mass * share for share in reading.probabilities]


def _forbid(*args: object, **kwargs: object) -> None:
    raise AssertionError("the model was asked again")


@pytest.fixture(scope="module")
def llama(tiny_models: dict[str, LocalModel]) -> LocalModel:
    return tiny_models["llama"]


def _asked(backend: LocalBackend) -> tuple[list[Request], list[list[float]]]:
    """Requests with the prompts of `questions`, and their answers one prompt at a time."""
    local = backend._local
    requests = [
        Request(task.prompt.messages, task.answers, _begun(local, task))
        for task in questions(backend)
    ]
    return requests, [reference(local, task) for task in questions(backend)]


def _begun(local: LocalModel, task: ScoreTask) -> str:
    rendered = render(task.prompt.messages, "", local.tokenizer).text
    return task.prompt.text.removeprefix(rendered).removesuffix(task.answers.reply_prefix)


@pytest.mark.parametrize("split", [1, 4, 14])
@pytest.mark.parametrize("window", [5, 4096])
def test_a_resumed_run_equals_a_whole_one(
    split: int,
    window: int,
    llama: LocalModel,
    asker_for: AskerFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("isogloss.score.ask.WINDOW", window)
    requests, wanted = _asked(LocalBackend(llama))
    first = asker_for(llama, store="kept").score(requests[:split], "begun")
    resumed = asker_for(llama, store="kept").score(requests, "all")
    assert resumed[:split] == first  # stored answers come back bit for bit
    rows = [Distribution(tuple(_raw(reading))) for reading in resumed]
    assert gap(rows, wanted) < TOLERANCE


def test_a_stored_answer_needs_no_model(llama: LocalModel, asker_for: AskerFactory) -> None:
    requests = _requests(3)
    texts = [TextRequest(r.messages, GREEDY) for r in requests]
    first = asker_for(llama, store="kept")
    scored, written = first.score(requests, "all"), first.write(texts, "texts")
    hook = llama.model.register_forward_pre_hook(_forbid)
    try:
        again = asker_for(llama, store="kept")
        assert again.score(requests, "all") == scored
        assert again.write(texts, "texts") == written
    finally:
        hook.remove()


def test_the_hash_of_a_reading_is_that_of_its_prompt(
    llama: LocalModel, asker_for: AskerFactory
) -> None:
    request = Request(user("so?"), RATING, reply="Reason: no.\n")
    (reading,) = asker_for(llama).score([request], "one")
    prompt = render(user("so?"), "Reason: no.\nRating: ", llama.tokenizer)
    assert reading.prompt_sha256 == prompt.sha256


def test_an_item_that_cannot_be_asked_stops_before_any_is(
    llama: LocalModel, asker_for: AskerFactory
) -> None:
    hook = llama.model.register_forward_pre_hook(_forbid)
    try:
        asker = asker_for(llama)
        with pytest.raises(ItemError, match="control token"):
            asker.score([*_requests(1), Request(user("</s>"), RATING)], "all")
        bad = AnswerSet(("S", "T"), (("S",), ("T",)), "Answer E")  # `ES` is one token
        with pytest.raises(AnswerError, match="boundary"):
            asker.score([*_requests(1), Request(user("so?"), bad)], "all")
    finally:
        hook.remove()


def test_a_space_moves_to_where_the_tokenizer_has_a_boundary(
    llama: LocalModel, asker_for: AskerFactory
) -> None:
    """`- ` is one token here, so that the space cannot belong to the answer."""
    answers = AnswerSet(("a", "b"), ((" a",), (" b",)), "Answer -")
    fits = AnswerSet(("a", "b"), (("a",), ("b",)), "Answer - ")
    readings = asker_for(llama).score([Request(user("so?"), a) for a in (answers, fits)], "both")
    assert readings[0] == readings[1]
    task = ScoreTask(LocalBackend(llama).render(user("so?"), "Answer - "), fits)
    assert _raw(readings[0]) == pytest.approx(reference(llama, task), abs=TOLERANCE)


def test_a_model_that_gives_no_numbers_is_an_error_and_is_not_replayed(
    shape: dict[str, Any],
    build: Callable[..., Any],
    load: Callable[..., LocalModel],
    asker_for: AskerFactory,
) -> None:
    local = load(build(LlamaConfig(**shape)))
    weights = local.model.model.norm.weight
    whole = weights.detach().clone()
    request, text = _requests(1)[0], TextRequest(user("so?"), GREEDY)
    with torch.no_grad():
        weights.fill_(math.nan)
    broken = asker_for(local, store="kept")
    outcomes = [broken.score([request], "one")[0].outcome, broken.write([text], "one")[0].outcome]
    assert outcomes == ["error", "error"]
    with torch.no_grad():
        weights.copy_(whole)
    mended = asker_for(local, store="kept")
    outcomes = [mended.score([request], "one")[0].outcome, mended.write([text], "one")[0].outcome]
    assert outcomes == ["ok", "ok"]


def test_answers_of_another_dtype_are_not_reused(
    llama: LocalModel, asker_for: AskerFactory
) -> None:
    asker_for(llama, store="kept").score(_requests(1), "one")
    other = replace(llama, identity=replace(llama.identity, dtype="bfloat16"))
    hook = llama.model.register_forward_pre_hook(_forbid)
    try:
        with pytest.raises(AssertionError, match="asked again"):
            asker_for(other, store="kept").score(_requests(1), "one")
    finally:
        hook.remove()


def test_reasons_of_a_model_stand_in_the_prompt_that_is_read(
    llama: LocalModel, asker_for: AskerFactory
) -> None:
    request = ReasonedRequest(user("so?"), RATING, "Reason:", "\nRating", max_new_tokens=9)
    (reading,) = asker_for(llama).reason([request], "one")
    assert reading.text is not None
    assert reading.text.startswith("Reason: ")
    backend = LocalBackend(llama)
    prompt = backend.render(request.messages, f"{reading.text}\nRating: ")
    assert reading.prompt_sha256 == prompt.sha256
    wanted = reference(llama, ScoreTask(prompt, RATING))
    assert _raw(reading) == pytest.approx(wanted, abs=TOLERANCE)


def test_a_tokenizer_without_end_token_still_writes(
    llama: LocalModel, tokenizer: Any, asker_for: AskerFactory
) -> None:
    endless = copy.deepcopy(tokenizer)
    endless.chat_template = endless.chat_template.replace("eos_token", "'</s>'")
    endless.eos_token = None
    local = replace(llama, tokenizer=endless)
    request = TextRequest(user("so?"), Decoding(5))
    (text,) = asker_for(local).write([request], "one")
    assert isinstance(text, Text)
    assert [text.text] == [t.text for t in asker_for(llama).write([request], "one")]


def test_answers_without_reply_prefix_are_read_where_the_reply_begins(
    llama: LocalModel, asker_for: AskerFactory
) -> None:
    (reading,) = asker_for(llama).score([Request(user("so?"), YES_NO)], "one")
    task = ScoreTask(LocalBackend(llama).render(user("so?"), ""), YES_NO)
    assert _raw(reading) == pytest.approx(reference(llama, task), abs=TOLERANCE)
