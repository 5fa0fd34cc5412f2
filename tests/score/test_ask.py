import copy
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from transformers import LlamaConfig

from isogloss.errors import AnswerError, ItemError
from isogloss.models.local import LocalModel
from isogloss.score.answers import AnswerSet, rating_scale
from isogloss.score.ask import Asker, Request, TextRequest, reading_of
from isogloss.score.prompts import Message, render
from isogloss.score.responses import Response

AskerFactory = Callable[..., Asker]

RATING = rating_scale(1, 5, "Rating: ")
NAMES = AnswerSet(("advance", "stay", "leave"), (("a",), ("s",), ("l",)), "Decision: ")
USER = (Message("user", "is it so?"),)

ROUNDING = 1e-12
"""Relative; a handful of float64 divisions and sums."""


def read(raw: list[float], answers: AnswerSet = RATING, minimum: float = 0.0) -> Any:
    return reading_of(raw, answers, "hash", minimum)


# --- readings -------------------------------------------------------------------------------------


def test_a_reading_renormalises_and_keeps_the_mass() -> None:
    reading = read([0.05, 0.1, 0.2, 0.1, 0.05])
    assert reading.outcome == "ok"
    assert reading.reason is None
    assert reading.prompt_sha256 == "hash"
    assert reading.answer_mass == pytest.approx(0.5, rel=ROUNDING)
    assert reading.probabilities == pytest.approx((0.1, 0.2, 0.4, 0.2, 0.1), rel=ROUNDING)
    assert reading.expected == pytest.approx(3.0, rel=ROUNDING)
    assert reading.modal == "3"


def test_the_expected_value_weighs_labels_by_their_shares() -> None:
    # (1 * 0.3 + 5 * 0.1) / 0.4
    assert read([0.3, 0.0, 0.0, 0.0, 0.1]).expected == pytest.approx(2.0, rel=ROUNDING)
    ten = reading_of([0.0] * 9 + [0.2], rating_scale(1, 10, ""), "hash", 0.0)
    assert ten.expected == pytest.approx(10.0, rel=ROUNDING)
    assert ten.modal == "10"


def test_names_have_no_expected_value() -> None:
    reading = read([0.1, 0.3, 0.1], NAMES)
    assert reading.expected is None
    assert reading.modal == "stay"


def test_the_first_of_equally_probable_answers_is_the_modal_one() -> None:
    assert read([0.1, 0.3, 0.3, 0.2, 0.1]).modal == "2"
    assert read([0.2] * 5).modal == "1"
    assert read([0.1, 0.2, 0.2], NAMES).modal == "stay"


def test_shares_of_a_tiny_mass_still_add_up_to_one() -> None:
    reading = read([1e-300, 3e-300, 0.0, 0.0, 0.0])
    assert reading.outcome == "ok"
    assert math.fsum(reading.probabilities) == pytest.approx(1.0, rel=ROUNDING)
    assert reading.expected == pytest.approx(1.75, rel=ROUNDING)


@pytest.mark.parametrize(
    ("mass", "minimum", "outcome"),
    [
        (0.5, 0.5, "ok"),
        (0.5, 0.4, "ok"),
        (0.5, 0.500001, "low_mass"),
        (0.0, 0.0, "low_mass"),
        (0.0, 0.95, "low_mass"),
        (1.0, 1.0, "ok"),
    ],
)
def test_a_mass_below_the_gate_or_of_nought_has_no_value(
    mass: float, minimum: float, outcome: str
) -> None:
    reading = read([mass, 0.0, 0.0, 0.0, 0.0], minimum=minimum)
    assert reading.outcome == outcome
    assert reading.answer_mass == mass
    if outcome == "low_mass":
        assert reading.reason is not None
        assert "answer mass" in reading.reason
        assert (reading.probabilities, reading.expected, reading.modal) == (None, None, None)
    else:
        assert reading.modal == "1"


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_value_that_is_not_finite_is_an_error_and_no_value(place: int, value: float) -> None:
    raw = [0.1] * 5
    raw[place] = value
    reading = read(raw)
    assert reading.outcome == "error"
    assert reading.reason
    assert reading.answer_mass is None
    assert (reading.probabilities, reading.expected, reading.modal) == (None, None, None)


def test_a_reading_fills_its_row() -> None:
    row = Response(
        study="s", model="m", item_set="i", item_id="1", guise="g", condition="c",
        mode="direct", task="rating", outcome="error", reason="not asked",
    )  # fmt: skip
    reading = read([0.0, 0.2, 0.2, 0.0, 0.0])
    filled = reading.onto(row, RATING)
    assert filled.outcome == "ok"
    assert filled.reason is None
    assert filled.answers == ("1", "2", "3", "4", "5")
    assert filled.probabilities == pytest.approx((0.0, 0.5, 0.5, 0.0, 0.0))
    assert (filled.expected, filled.modal) == (pytest.approx(2.5), "2")
    assert filled.prompt_sha256 == "hash"
    assert (filled.item_id, filled.guise) == ("1", "g")


# --- asking ---------------------------------------------------------------------------------------


def _forbid(*args: object, **kwargs: object) -> None:
    raise AssertionError("the model was asked again")


def test_stored_answers_are_not_computed_again(
    tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    local = tiny_models["llama"]
    requests = [Request((Message("user", "a" * k),), RATING) for k in (3, 1, 2)]
    texts = [TextRequest(r.messages, "", 4, ()) for r in requests]
    first = asker_for(local, store="kept")
    scored, written = first.score(requests, "all"), first.continue_(texts, "texts")
    hook = local.model.register_forward_pre_hook(_forbid)
    try:
        again = asker_for(local, store="kept")
        assert again.score(requests, "all") == scored
        assert again.continue_(texts, "texts") == written
    finally:
        hook.remove()


def test_nothing_to_ask_gives_nothing(
    tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    asker = asker_for(tiny_models["llama"])
    assert asker.score([], "none") == []
    assert asker.continue_([], "none") == []


def test_the_hash_of_a_reading_is_that_of_its_prompt(
    tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    local = tiny_models["llama"]
    (reading,) = asker_for(local).score([Request(USER, RATING, reply="Reason: no.\n")], "one")
    prompt = render(USER, "Reason: no.\nRating: ", local.tokenizer)
    assert reading.prompt_sha256 == prompt.sha256


def test_the_gate_is_applied_to_stored_answers_too(
    tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    local = tiny_models["llama"]
    (open_,) = asker_for(local, store="kept").score([Request(USER, RATING)], "one")
    assert open_.answer_mass is not None
    gate = open_.answer_mass * 1.01
    gated = asker_for(local, store="kept").score([Request(USER, RATING, min_answer_mass=gate)], "1")
    assert [r.outcome for r in (open_, *gated)] == ["ok", "low_mass"]
    assert gated[0].answer_mass == open_.answer_mass


def test_no_item_is_lost_when_one_cannot_be_asked(
    tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    asker = asker_for(tiny_models["llama"])
    with pytest.raises(ItemError, match="control token"):
        asker.score([Request(USER, RATING), Request((Message("user", "</s>"),), RATING)], "all")
    bad = AnswerSet(("a", "b"), ((" a",), (" b",)), "Answer -")
    with pytest.raises(AnswerError, match="boundary"):
        asker.score([Request(USER, bad)], "all")


def test_an_answer_that_is_no_number_is_an_error_and_is_not_replayed(
    shape: dict[str, Any],
    build: Callable[..., Any],
    load: Callable[..., LocalModel],
    asker_for: AskerFactory,
) -> None:
    local = load(build(LlamaConfig(**shape)))
    weights = local.model.model.norm.weight
    whole = weights.detach().clone()
    with torch.no_grad():
        weights.fill_(math.nan)
    (broken,) = asker_for(local, store="kept").score([Request(USER, RATING)], "one")
    assert broken.outcome == "error"
    with torch.no_grad():
        weights.copy_(whole)
    (mended,) = asker_for(local, store="kept").score([Request(USER, RATING)], "one")
    assert mended.outcome == "ok"


def test_answers_of_another_dtype_are_not_reused(
    tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    local = tiny_models["llama"]
    asker_for(local, store="kept").score([Request(USER, RATING)], "one")
    other = replace(local, identity=replace(local.identity, dtype="bfloat16"))
    hook = local.model.register_forward_pre_hook(_forbid)
    try:
        with pytest.raises(AssertionError, match="asked again"):
            asker_for(other, store="kept").score([Request(USER, RATING)], "one")
    finally:
        hook.remove()


@pytest.mark.parametrize("limit", [1, 3])
def test_a_continuation_has_at_most_its_tokens(
    limit: int, tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    local = tiny_models["qwen2"]
    (text,) = asker_for(local).continue_([TextRequest(USER, "", limit, ())], "one")
    assert len(local.tokenizer(text, add_special_tokens=False)["input_ids"]) <= limit


def test_a_tokenizer_without_end_token_still_continues(
    tiny_models: dict[str, LocalModel], tokenizer: Any, asker_for: AskerFactory
) -> None:
    endless = copy.deepcopy(tokenizer)
    endless.chat_template = endless.chat_template.replace("eos_token", "'</s>'")
    endless.eos_token = None
    whole = tiny_models["llama"]
    local = replace(whole, tokenizer=endless)
    (text,) = asker_for(local).continue_([TextRequest(USER, "", 5, ())], "one")
    assert [text] == asker_for(whole).continue_([TextRequest(USER, "", 5, ())], "one")
