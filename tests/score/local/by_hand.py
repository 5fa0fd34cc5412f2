"""Models whose weights are set so that every next-token probability can be written down."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from isogloss.models.local import LocalModel

_NEVER = -1e4
"""Logit of what never follows."""


def _bare(vocabulary: int, hidden: int, layers: int) -> Any:
    """A Llama without norms whose attention looks everywhere alike and whose layers add nothing."""
    config = LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        intermediate_size=2,
        num_hidden_layers=layers,
        num_attention_heads=1,
        num_key_value_heads=1,
        max_position_embeddings=512,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    model = LlamaForCausalLM(config).eval()
    for weights in model.parameters():
        torch.nn.init.zeros_(weights)
    model.model.norm = torch.nn.Identity()
    for layer in model.model.layers:
        layer.input_layernorm = layer.post_attention_layernorm = torch.nn.Identity()
    return model


def counting_model(vocabulary: int) -> Any:
    """After n tokens of which c are x, the logit of x is 4 ln(2) c / n.

    Attention is uniform; each of two layers adds half of the mean of the tokens seen so far.
    """
    model = _bare(vocabulary, 2 * vocabulary, layers=2)
    one = torch.eye(vocabulary)
    with torch.no_grad():
        model.model.embed_tokens.weight[:, :vocabulary] = one
        model.lm_head.weight[:, vocabulary:] = one
        for layer in model.model.layers:
            layer.self_attn.v_proj.weight[vocabulary:, :vocabulary] = one
            layer.self_attn.o_proj.weight[:] = torch.eye(2 * vocabulary) * 2 * math.log(2)
    return model


def counted(tokens: Sequence[int], vocabulary: int) -> list[float]:
    """Next-token probabilities of the counting model."""
    powers = [2.0 ** (4 * tokens.count(x) / len(tokens)) for x in range(vocabulary)]
    return [power / math.fsum(powers) for power in powers]


def chain_model(local: LocalModel, follows: Mapping[str, Mapping[str, float]]) -> LocalModel:
    """A model with another's tokenizer in which the last token alone decides the next.

    `follows` gives for a token the probabilities of those that follow it; after any other token the
    text ends.
    """
    number = local.tokenizer.get_vocab()
    size = len(number)
    model = _bare(size, size, layers=1)
    with torch.no_grad():
        model.model.embed_tokens.weight[:] = torch.eye(size)
        model.lm_head.weight[:] = _NEVER
        for token in number:
            for after, probability in follows.get(token, {"</s>": 1.0}).items():
                model.lm_head.weight[number[after], number[token]] = math.log(probability)
    return replace(local, model=model)
