"""Attention that transformers' models call: in place within a pass, and nowhere else."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from transformers import GptOssConfig, LlamaConfig
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from isogloss.errors import ModelError
from isogloss.models.attending import NAME
from isogloss.score.local.attention import attending
from isogloss.score.local.passes import Budget
from isogloss.score.local.read import read_shared


class _Failing:
    def attend(self, *_: Any) -> torch.Tensor:
        raise RuntimeError("no memory")


@pytest.fixture
def llama(shape: dict[str, Any], build: Callable[..., Any]) -> Any:
    return build(LlamaConfig(**shape))


def _logits(model: Any, sequences: list[tuple[int, ...]], budget: Budget) -> dict[int, Any]:
    return {
        i: row
        for logits in read_shared(model, sequences, budget)
        for i, row in zip(logits.sequences, logits.rows, strict=True)
    }


def test_the_models_own_attention_is_back_afterwards(llama: Any) -> None:
    before = llama.config._attn_implementation
    assert before != NAME
    _logits(llama, [(5, 6, 7)], Budget(10, 10))
    assert llama.config._attn_implementation == before
    with pytest.raises(RuntimeError, match="no memory"), attending(llama, _Failing()):
        llama(input_ids=torch.tensor([[5, 6]]))
    assert llama.config._attn_implementation == before
    assert bool(llama(input_ids=torch.tensor([[5, 6]])).logits.isfinite().all())


def test_two_models_may_be_read_in_turns(shape: dict[str, Any], build: Callable[..., Any]) -> None:
    models = [build(LlamaConfig(**shape), seed=seed) for seed in (1, 2)]
    sequences = [(5, 6, 7, i) for i in range(8, 14)]
    small = Budget(6, 2)
    alone = [_logits(model, sequences, small) for model in models]
    both = [read_shared(model, sequences, small) for model in models]
    found: list[dict[int, Any]] = [{}, {}]
    for batches in zip(*both, strict=True):
        for rows, batch in zip(found, batches, strict=True):
            rows |= dict(zip(batch.sequences, batch.rows, strict=True))
    for rows, wanted in zip(found, alone, strict=True):
        assert rows.keys() == wanted.keys()
        assert all(torch.equal(rows[i], wanted[i]) for i in rows)
    assert not torch.allclose(found[0][0], found[1][0])


def test_attention_with_sinks_is_refused(shape: dict[str, Any], build: Callable[..., Any]) -> None:
    rope = {"rope_type": "default", "rope_theta": 10000.0}
    own = {"head_dim": 8, "num_local_experts": 2, "num_experts_per_tok": 1}
    model = build(GptOssConfig(**shape, **own, rope_parameters=rope))
    with pytest.raises(ModelError, match="GptOssAttention"):
        _logits(model, [(5, 6, 7)], Budget(10, 10))


@pytest.mark.parametrize("option", ["s_aux", "position_bias"])
def test_an_option_that_changes_attention_is_refused(llama: Any, option: str) -> None:
    query, key = torch.zeros(1, 4, 3, 8), torch.zeros(1, 2, 3, 8)
    module = llama.model.layers[0].self_attn
    shared = ALL_ATTENTION_FUNCTIONS[NAME]
    with (
        attending(llama, _Failing()),
        pytest.raises(ModelError, match="LlamaAttention computes attention in a way"),
    ):
        shared(module, query, key, key, None, **{option: torch.zeros(1)})


def test_attention_outside_a_pass_is_refused(llama: Any) -> None:
    llama.set_attn_implementation(NAME)
    with pytest.raises(ModelError, match="not shared"):
        llama(input_ids=torch.tensor([[5, 6]]))
