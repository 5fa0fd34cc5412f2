"""How a model may be run, against one prompt alone, from architectures of every kind."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from tests.models.architectures import (
    BY_LENGTH,
    KINDS,
    POSITIONS,
    SHARED,
    VOCABULARY,
    WINDOWED,
    Kind,
)

from isogloss.errors import ModelError
from isogloss.models.attention import UNBOUNDED, Running, how_to_run
from isogloss.models.rope import forget_texts

TOLERANCE = 1e-5
"""Absolute, in probability: other shapes of the same sums in fp32."""
OTHER = 1e-3
"""Absolute, in probability: more than any rounding."""

ENDLESS = SimpleNamespace(model_max_length=10**30)
"""A tokenizer that sets no limit."""

pytestmark = pytest.mark.filterwarnings("default")  # some architectures miss fast kernels


@cache
def _made(name: str) -> tuple[Any, Running]:
    model = KINDS[name].build()
    if name in BY_LENGTH:
        forget_texts(model)
    return model, how_to_run(name, model, ENDLESS)


def _text(length: int, seed: int = 3) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(3, VOCABULARY, (length,), generator=generator)


@torch.no_grad()
def _run(model: Any, **inputs: Any) -> torch.Tensor:
    """Next-token probabilities of one run, of shape (rows, tokens, vocabulary)."""
    probabilities: torch.Tensor = model(use_cache=False, **inputs).logits.double().softmax(-1)
    return probabilities


def _alone(model: Any, text: torch.Tensor) -> torch.Tensor:
    return _run(model, input_ids=text[None])[0]


def _gap(first: torch.Tensor, second: torch.Tensor) -> float:
    return float((first - second).abs().max())


def _padded(model: Any, texts: list[torch.Tensor]) -> float:
    """Largest change in a probability when texts stand side by side, padded on the right."""
    longest = max(map(len, texts))
    rows = torch.stack([torch.cat([t, t.new_zeros(longest - len(t))]) for t in texts])
    seen = torch.stack([torch.arange(longest) < len(t) for t in texts]).long()
    together = _run(model, input_ids=rows, attention_mask=seen)
    return max(
        _gap(row[: len(t)], _alone(model, t)) for row, t in zip(together, texts, strict=True)
    )


@torch.no_grad()
def _step_by_step(model: Any, text: torch.Tensor, start: int) -> float:
    """Largest change in a probability when tokens from `start` on are read one by one."""
    whole = _alone(model, text)
    out = model(input_ids=text[None, :start], use_cache=True)
    rows = [out.logits[0]]
    for token in text[start:]:
        out = model(input_ids=token[None, None], cache=out.cache, use_cache=True)
        rows.append(out.logits[0])
    return _gap(torch.cat(rows).double().softmax(-1), whole)


def _branches(model: Any, length: int, other: int | None = None) -> float:
    """Largest change in a probability when two texts stand packed as branches of a trie.

    They share half of the shorter one; the first has `length` tokens, the second as many or
    `other`. Run by transformers' own plain attention under a mask over both.
    """
    shorter = min(length, other or length)
    half = shorter // 2
    first = _text(length)
    second = torch.cat([first[:half], _text(shorter - half, seed=5)])
    ids = torch.cat([first, second[half:]])
    seen = torch.ones(len(ids), len(ids)).tril()
    seen[length:, half:length] = 0
    mask = torch.zeros_like(seen).masked_fill(seen == 0, torch.finfo(torch.float32).min)
    places = torch.tensor([[*range(length), *range(half, shorter)]])
    before = model.config._attn_implementation
    model.set_attn_implementation("eager")
    packed = _run(model, input_ids=ids[None], position_ids=places, attention_mask=mask[None, None])
    model.set_attn_implementation(before)
    found = torch.cat([packed[0, :half], packed[0, length:]])
    return max(_gap(packed[0, :length], _alone(model, first)), _gap(found, _alone(model, second)))


@pytest.mark.parametrize("name", KINDS)
def test_it_is_known_how_far_prompts_may_be_shared(name: str) -> None:
    kind, (_, running) = KINDS[name], _made(name)
    assert running.sharing.length == kind.length
    if kind.reason is None:
        assert running.sharing.reason is None
        assert running.max_tokens == kind.length
    else:
        assert kind.reason in str(running.sharing.reason)
        assert running.max_tokens > kind.length


@pytest.mark.parametrize("name", {**SHARED, **WINDOWED, **BY_LENGTH})
def test_as_far_as_that_branches_of_a_trie_are_texts(name: str) -> None:
    model, running = _made(name)
    length = min(running.sharing.length, 40)
    assert _branches(model, length) < TOLERANCE
    assert _branches(model, length, other=length - 5) < TOLERANCE


@pytest.mark.parametrize("name", {**WINDOWED, **BY_LENGTH})
def test_and_no_farther(name: str) -> None:
    model, _ = _made(name)
    assert _branches(model, 40, other=14) > OTHER


@pytest.mark.parametrize("name", KINDS)
def test_whole_prompts_stand_side_by_side_where_that_changes_nothing(name: str) -> None:
    kind, (model, running) = KINDS[name], _made(name)
    assert running.fallback.rows == kind.rows
    gap = _padded(model, [_text(40), _text(23, seed=5), _text(5, seed=6)])
    if kind.rows == "batched":
        assert gap < TOLERANCE
    else:
        assert gap > OTHER
        assert running.fallback.reason is not None


@pytest.mark.parametrize("name", KINDS)
def test_a_state_is_kept_where_it_is_that_of_the_whole_text(name: str) -> None:
    kind, (model, running) = KINDS[name], _made(name)
    assert running.fallback.keeps_state == kind.keeps_state
    if kind.keeps_state:
        assert _step_by_step(model, _text(40), start=12) < TOLERANCE
    else:
        assert running.fallback.reason is not None


def test_positions_are_the_longest_prompt(subtests: pytest.Subtests) -> None:
    for name, longest in {
        "llama": POSITIONS,
        "gpt2": POSITIONS,
        "mpt, linear biases": POSITIONS,
        "llama, dynamic": 4 * 24,
        "phi3, longrope": POSITIONS,
        "mamba": UNBOUNDED,
    }.items():
        with subtests.test(name):
            assert _made(name)[1].max_tokens == longest


def test_without_positions_the_tokenizer_says_how_long_a_prompt_may_be() -> None:
    model, _ = _made("mamba")
    assert how_to_run("m", model, SimpleNamespace(model_max_length=300)).max_tokens == 300


def test_finding_out_leaves_the_model_as_it_was() -> None:
    model = SHARED["llama"].build()
    text = _text(20)
    before, attention = _alone(model, text), model.config._attn_implementation
    how_to_run("llama", model, ENDLESS)
    assert model.config._attn_implementation == attention
    assert torch.equal(_alone(model, text), before)


@pytest.mark.parametrize("name", BY_LENGTH)
def test_a_text_is_read_alike_whatever_was_read_before(name: str) -> None:
    model, _ = _made(name)
    fresh = KINDS[name].build()
    for length in (30, 24, 16, 8):
        _alone(model, _text(80))
        assert _gap(_alone(model, _text(length)), _alone(fresh, _text(length))) < TOLERANCE
        fresh = KINDS[name].build()


@pytest.mark.parametrize(
    "config", [{"is_decoder": False}, {"is_decoder": True, "add_cross_attention": False}]
)
def test_a_model_that_looks_ahead_is_refused(config: dict[str, Any]) -> None:
    shape = {
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "max_position_embeddings": POSITIONS,
    }
    model = Kind("BertConfig", {**shape, **config}, own_shape=True).build()
    if config["is_decoder"]:
        assert how_to_run("bert", model, ENDLESS).max_tokens == POSITIONS
    else:
        with pytest.raises(ModelError, match="model bert: BertLMHeadModel lets a token see those"):
            how_to_run("bert", model, ENDLESS)


def test_a_model_of_numbers_that_are_not_finite_is_refused() -> None:
    model = SHARED["llama"].build()
    with torch.no_grad():
        model.model.norm.weight.fill_(3e38)
    with pytest.raises(ModelError, match="model m: its predictions are not finite in float32"):
        how_to_run("m", model, ENDLESS)


def test_a_model_that_cannot_be_run_is_refused_by_name() -> None:
    model = SHARED["llama"].build()
    del model.model.norm
    with pytest.raises(ModelError, match=r"model m: LlamaForCausalLM cannot be run: .*norm"):
        how_to_run("m", model, ENDLESS)


@pytest.mark.parametrize("name", ["llama", "gpt2", "gemma2", "qwen3", "bloom, linear biases"])
def test_in_half_precision_the_same_is_found(name: str) -> None:
    kind = KINDS[name]
    running = how_to_run(name, kind.build().to(torch.bfloat16), ENDLESS)
    assert running.sharing.length == kind.length
    assert running.fallback.rows == kind.rows


def test_attention_of_another_kind_is_found_out_by_running_it() -> None:
    model = SHARED["llama"].build()
    model.model.layers[1].self_attn.register_forward_hook(_blur)
    sharing = how_to_run("llama", model, ENDLESS).sharing
    assert sharing.length == 0
    assert sharing.reason == "it computes attention in a way of its own"


def _blur(module: Any, inputs: Any, output: Any) -> Any:
    """Mix each token's output with that of the token before it in the row."""
    mixed = output[0].clone()
    mixed[:, 1:] += 0.5 * output[0][:, :-1]
    return (mixed, *output[1:])
