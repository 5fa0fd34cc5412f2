"""Architectures of every kind that the backend has a way of its own for, as tiny random models."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from transformers import (
    BloomConfig,
    Cohere2Config,
    DeepseekV3Config,
    Gemma2Config,
    Gemma3TextConfig,
    GemmaConfig,
    GPT2Config,
    GPTNeoConfig,
    GptOssConfig,
    Lfm2Config,
    Llama4TextConfig,
    LlamaConfig,
    MambaConfig,
    MistralConfig,
    MptConfig,
    OPTConfig,
    Phi3Config,
    Qwen2Config,
    Qwen3Config,
    Qwen3MoeConfig,
    RecurrentGemmaConfig,
    SmolLM3Config,
)

from isogloss.models.local import LocalModel

WINDOW = 30
"""Window of the layers that see no more: between the lengths of the prompts that are read."""


@dataclass(frozen=True)
class Architecture:
    """A configuration, as what it changes in the shape that the tiny models share."""

    config: type[Any]
    changes: dict[str, Any] = field(default_factory=dict)
    own_shape: bool = False
    """Whether the configuration calls its sizes by names of its own."""


_GEMMA = {"head_dim": 8, "query_pre_attn_scalar": 8}
_LONGROPE = {
    "rope_type": "longrope",
    "rope_theta": 10000.0,
    "short_factor": [1.0] * 4,
    "long_factor": [4.0] * 4,
    "original_max_position_embeddings": 64,
}

SHARED = {
    "llama": Architecture(LlamaConfig),
    "gpt2": Architecture(
        GPT2Config, {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 512}, own_shape=True
    ),
    "qwen2": Architecture(Qwen2Config),
    "qwen3": Architecture(Qwen3Config, {"head_dim": 8}),
    "gemma": Architecture(GemmaConfig, {"head_dim": 16}),
    "gemma2, small caps": Architecture(
        Gemma2Config,
        {**_GEMMA, "attn_logit_softcapping": 1.0, "final_logit_softcapping": 3.0},
    ),
    "gemma3, window no prompt leaves": Architecture(
        Gemma3TextConfig, {**_GEMMA, "sliding_window": 300}
    ),
    "phi3": Architecture(Phi3Config, {"sliding_window": None}),
    "opt": Architecture(
        OPTConfig,
        {
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "ffn_dim": 48,
            "word_embed_proj_dim": 32,
            "max_position_embeddings": 512,
            "pad_token_id": 0,
        },
        own_shape=True,
    ),
    "smollm3, a layer without positions": Architecture(
        SmolLM3Config, {"no_rope_layer_interval": 2}
    ),
}
"""Read as a trie, whatever the length."""

PARTLY_SHARED = {
    "mistral, window": Architecture(MistralConfig, {"sliding_window": WINDOW}),
    "phi3, window": Architecture(Phi3Config, {"sliding_window": WINDOW}),
    "phi3, position code by length": Architecture(
        Phi3Config,
        {
            "sliding_window": None,
            "original_max_position_embeddings": 64,
            "rope_parameters": _LONGROPE,
        },
    ),
    "gemma2, window in every second layer": Architecture(
        Gemma2Config, {**_GEMMA, "sliding_window": WINDOW}
    ),
    "gemma3, window in two of three layers": Architecture(
        Gemma3TextConfig,
        {**_GEMMA, "sliding_window": WINDOW, "num_hidden_layers": 3, "sliding_window_pattern": 3},
    ),
    "qwen2, window in the last layer": Architecture(
        Qwen2Config, {"use_sliding_window": True, "sliding_window": WINDOW, "max_window_layers": 1}
    ),
    "cohere2, window in three of four layers": Architecture(
        Cohere2Config, {"sliding_window": WINDOW, "num_hidden_layers": 4}
    ),
}
"""Read as a trie up to a length; longer prompts are read whole."""

WHOLE = {
    "bloom, linear biases": Architecture(
        BloomConfig, {"hidden_size": 32, "n_layer": 2, "n_head": 4}, own_shape=True
    ),
    "mpt, linear biases": Architecture(
        MptConfig, {"d_model": 32, "n_heads": 4, "n_layers": 2}, own_shape=True
    ),
    "gpt-neo, local layers": Architecture(
        GPTNeoConfig,
        {
            "hidden_size": 32,
            "num_layers": 2,
            "num_heads": 4,
            "intermediate_size": 48,
            "attention_types": [[["global", "local"], 1]],
            "window_size": WINDOW,
        },
        own_shape=True,
    ),
    "mamba, state space": Architecture(
        MambaConfig, {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 8}, own_shape=True
    ),
    "lfm2, convolutions": Architecture(
        Lfm2Config, {"layer_types": ["conv", "full_attention"], "conv_L_cache": 3}
    ),
    "recurrentgemma, recurrent and window": Architecture(
        RecurrentGemmaConfig,
        {"num_hidden_layers": 3, "lru_width": 32, "attention_window_size": WINDOW, "head_dim": 8},
    ),
}
"""Never read as a trie."""

UNDECIDED = {
    "llama4, chunks and experts": Architecture(
        Llama4TextConfig,
        {
            "attention_chunk_size": WINDOW,
            "head_dim": 8,
            "num_local_experts": 2,
            "intermediate_size_mlp": 48,
        },
    ),
    "qwen3, experts": Architecture(
        Qwen3MoeConfig,
        {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 16, "head_dim": 8},
    ),
    "gpt-oss, sinks and experts": Architecture(
        GptOssConfig,
        {
            "head_dim": 8,
            "num_local_experts": 2,
            "num_experts_per_tok": 1,
            "sliding_window": WINDOW,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
        },
    ),
    "deepseek3, latent keys and experts": Architecture(
        DeepseekV3Config,
        {
            "num_key_value_heads": 4,
            "kv_lora_rank": 16,
            "q_lora_rank": 16,
            "qk_rope_head_dim": 8,
            "qk_nope_head_dim": 8,
            "v_head_dim": 8,
            "n_routed_experts": 4,
            "num_experts_per_tok": 2,
            "n_group": 2,
            "topk_group": 1,
            "moe_intermediate_size": 16,
            "first_k_dense_replace": 1,
            "n_shared_experts": 1,
        },
    ),
}
"""Read whichever way, as long as it is right."""

ARCHITECTURES = {**SHARED, **PARTLY_SHARED, **WHOLE, **UNDECIDED}

Loader = Callable[[str], LocalModel]


@pytest.fixture(scope="session")
def architecture(
    shape: dict[str, Any], build: Callable[..., Any], load: Callable[..., LocalModel]
) -> Loader:
    """Return a loader of the tiny model of an architecture, each made once."""
    own = {key: shape[key] for key in ("vocab_size", "bos_token_id", "eos_token_id")}

    @cache
    def loaded(name: str) -> LocalModel:
        kind = ARCHITECTURES[name]
        base = own if kind.own_shape else shape
        return load(build(kind.config(**{**base, **kind.changes})), name)

    return loaded
