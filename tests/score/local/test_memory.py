import copy
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import torch
from transformers import GPT2Config, LlamaConfig, MambaConfig

from isogloss.score.local.memory import budget_of, bytes_per_token, state_bytes


@pytest.fixture(scope="module")
def model(shape: dict[str, Any], build: Callable[..., Any]) -> Any:
    """Two layers, two key heads of size 8, 76 tokens, inner size 48, hidden size 32."""
    return build(LlamaConfig(**shape))


def test_state_is_keys_and_values_of_all_layers(model: Any) -> None:
    assert state_bytes(model) == 2 * 2 * 2 * 8 * 4


def test_state_in_half_precision_takes_half(model: Any) -> None:
    half = copy.deepcopy(model).to(torch.bfloat16)
    assert state_bytes(half) == state_bytes(model) / 2


def test_every_head_has_keys_of_its_own_where_none_are_grouped(build: Callable[..., Any]) -> None:
    model = build(GPT2Config(vocab_size=76, n_embd=32, n_layer=3, n_head=4))
    assert state_bytes(model) == 2 * 3 * 32 * 4


def test_a_model_without_attention_has_no_state_of_tokens(build: Callable[..., Any]) -> None:
    model = build(MambaConfig(vocab_size=76, hidden_size=32, num_hidden_layers=2, state_size=8))
    assert state_bytes(model) == 0
    assert budget_of(model, 64).tokens > 64


def test_a_budget_grows_with_the_memory_up_to_a_cap(model: Any) -> None:
    budgets = [budget_of(model, memory_mb) for memory_mb in (0, 1, 2, 4, 1024, 100_000)]
    tokens = [budget.tokens for budget in budgets]
    assert tokens == sorted(tokens)
    assert tokens[0] == 64
    assert tokens[0] < tokens[1] < tokens[2] < tokens[3]
    assert tokens[-1] == tokens[-2] == 768
    reads = [budget.reads for budget in budgets]
    assert reads[0] == 1
    assert all(a < b for a, b in pairwise(reads))


@pytest.mark.parametrize("memory_mb", [1, 3])
def test_a_pass_within_its_budget_fits_the_memory(model: Any, memory_mb: int) -> None:
    budget = budget_of(model, memory_mb)
    logits = budget.reads * 76 * (4 + 8)  # as they come, and once in float64
    assert budget.tokens * bytes_per_token(model) + logits <= memory_mb * 2**20


def test_what_is_kept_from_pass_to_pass_is_taken_off_the_memory(model: Any) -> None:
    kept = 2**20 // state_bytes(model)
    # Held twice: a kept state of 1 MiB leaves of 3 MiB what 1 MiB gives by itself.
    assert budget_of(model, 3, kept_tokens=kept) == budget_of(model, 1)
    assert budget_of(model, 1, kept_tokens=kept) == budget_of(model, 0)
