"""Tiny random models of many architectures, and how each may be run."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
import transformers
from transformers import AutoModelForCausalLM

WINDOW = 16
POSITIONS = 96
VOCABULARY = 97

_SHAPE = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": POSITIONS,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
_GEMMA = {"head_dim": 8, "query_pre_attn_scalar": 8, "sliding_window": WINDOW}
_MAMBA2 = {"mamba_n_heads": 4, "mamba_d_head": 16, "mamba_d_state": 8, "mamba_n_groups": 1}


def _rope(kind: str, **settings: Any) -> dict[str, Any]:
    return {"rope_parameters": {"rope_type": kind, "rope_theta": 10000.0, **settings}}


_DYNAMIC = {"max_position_embeddings": 24, **_rope("dynamic", factor=4.0)}
_LONGROPE = {
    "original_max_position_embeddings": WINDOW,
    **_rope(
        "longrope",
        short_factor=[1.0] * 4,
        long_factor=[4.0] * 4,
        original_max_position_embeddings=WINDOW,
    ),
}


@dataclass(frozen=True)
class Kind:
    """An architecture as a change to a small Llama's shape, and what is right for it."""

    config: str
    changes: dict[str, Any] = field(default_factory=dict)
    own_shape: bool = False
    """Whether `changes` is all there is, under names of the architecture's own."""
    length: int = POSITIONS
    """Longest prompt that may be shared."""
    reason: str | None = None
    """Part of what is said about a length below the longest prompt."""
    rows: Literal["batched", "single"] = "batched"
    keeps_state: bool = True

    def build(self, seed: int = 0) -> Any:
        """Return a model whose predictions are far from uniform."""
        torch.manual_seed(seed)
        make: Callable[..., Any] = getattr(transformers, self.config)
        shape = {"vocab_size": VOCABULARY} if self.own_shape else _SHAPE
        model = AutoModelForCausalLM.from_config(make(**{**shape, **self.changes})).eval()
        for weights in model.parameters():
            if weights.dim() > 1:
                torch.nn.init.normal_(weights, std=0.3)
        return model


def _window(config: str, changes: dict[str, Any], keeps_state: bool = True) -> Kind:
    return Kind(
        config, changes, length=WINDOW, reason=f"see {WINDOW} tokens", keeps_state=keeps_state
    )


SHARED = {
    "llama": Kind("LlamaConfig"),
    "llama, position code stretched": Kind("LlamaConfig", _rope("linear", factor=4.0)),
    "llama, yarn": Kind(
        "LlamaConfig", _rope("yarn", factor=4.0, original_max_position_embeddings=WINDOW)
    ),
    "gpt2": Kind(
        "GPT2Config", {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": POSITIONS}, True
    ),
    "opt": Kind(
        "OPTConfig",
        {
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "ffn_dim": 48,
            "word_embed_proj_dim": 32,
            "max_position_embeddings": POSITIONS,
        },
        True,
    ),
    "qwen2": Kind("Qwen2Config"),
    "qwen3": Kind("Qwen3Config", {"head_dim": 8}),
    "gemma": Kind("GemmaConfig", {"head_dim": 8}),
    "gemma2, caps, no window left": Kind(
        "Gemma2Config", {**_GEMMA, "sliding_window": 200, "attn_logit_softcapping": 1.0}
    ),
    "phi3": Kind("Phi3Config", {"sliding_window": None}),
    "olmo2, normed queries and keys": Kind("Olmo2Config"),
    "smollm3, layers without positions": Kind("SmolLM3Config"),
    "mixtral, experts": Kind("MixtralConfig", {"num_local_experts": 4, "sliding_window": None}),
}

WINDOWED = {
    "mistral": _window("MistralConfig", {"sliding_window": WINDOW}),
    "phi3, window": _window("Phi3Config", {"sliding_window": WINDOW}),
    "gemma2": _window("Gemma2Config", {**_GEMMA, "attn_logit_softcapping": 1.0}),
    "gemma3": _window("Gemma3TextConfig", _GEMMA),
    "gemma3, beside a vision tower": Kind(
        "Gemma3Config",
        {
            "text_config": {**_SHAPE, **_GEMMA},
            "vision_config": {
                "hidden_size": 16,
                "intermediate_size": 16,
                "num_hidden_layers": 1,
                "num_attention_heads": 2,
                "image_size": 28,
                "patch_size": 14,
            },
            "mm_tokens_per_image": 4,
        },
        True,
        length=WINDOW,
        reason="tokens at most",
    ),
    "qwen2, window in later layers": _window(
        "Qwen2Config",
        {"use_sliding_window": True, "sliding_window": WINDOW, "max_window_layers": 1},
    ),
    "cohere2": _window("Cohere2Config", {"sliding_window": WINDOW}),
    "exaone4": _window("Exaone4Config", {"sliding_window": WINDOW}),
    "ministral3": _window("Ministral3Config", {"sliding_window": WINDOW, "head_dim": 8}),
    "olmo3": _window("Olmo3Config", {"sliding_window": WINDOW}),
    "llama4, chunks": _window(
        "Llama4TextConfig",
        {
            "attention_chunk_size": WINDOW,
            "head_dim": 8,
            "num_local_experts": 2,
            "intermediate_size_mlp": 48,
            "attn_temperature_tuning": False,
        },
    ),
    "starcoder2, cache not compared": _window(
        "Starcoder2Config", {"sliding_window": WINDOW}, keeps_state=False
    ),
}

_LENGTH = "another for texts of more than"
BY_LENGTH = {
    "llama, dynamic": Kind(
        "LlamaConfig", _DYNAMIC, length=24, reason=_LENGTH, rows="single", keeps_state=False
    ),
    "phi3, longrope": Kind(
        "Phi3Config",
        {"sliding_window": None, **_LONGROPE},
        length=WINDOW,
        reason=_LENGTH,
        rows="single",
        keeps_state=False,
    ),
    "gemma3, dynamic in some layers": Kind(
        "Gemma3TextConfig",
        {
            **_GEMMA,
            "sliding_window": 200,
            "max_position_embeddings": 24,
            "rope_parameters": {
                "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
                "full_attention": {"rope_type": "dynamic", "rope_theta": 1e4, "factor": 4.0},
            },
            "layer_types": ["sliding_attention", "full_attention"] * 2,
        },
        length=24,
        reason=_LENGTH,
        rows="single",
        keeps_state=False,
    ),
}

_NO_INTERFACE, _STATE = "attention interface", "another state"
WHOLE = {
    "bloom, linear biases": Kind(
        "BloomConfig",
        {"hidden_size": 32, "n_layer": 2, "n_head": 4},
        True,
        length=0,
        reason=_NO_INTERFACE,
    ),
    "mpt, linear biases": Kind(
        "MptConfig",
        {"d_model": 32, "n_heads": 4, "n_layers": 2, "max_seq_len": POSITIONS},
        True,
        length=0,
        reason=_NO_INTERFACE,
    ),
    "gpt-neo, local layers": Kind(
        "GPTNeoConfig",
        {
            "hidden_size": 32,
            "num_layers": 2,
            "num_heads": 4,
            "intermediate_size": 48,
            "attention_types": [[["global", "local"], 1]],
            "window_size": WINDOW,
            "max_position_embeddings": POSITIONS,
        },
        True,
        length=0,
        reason=_NO_INTERFACE,
    ),
    "gpt-oss, sinks": Kind(
        "GptOssConfig",
        {
            "head_dim": 8,
            "sliding_window": WINDOW,
            "num_local_experts": 4,
            "num_experts_per_tok": 2,
            **_rope("default"),
        },
        length=0,
        reason="s_aux",
    ),
    "llama4, heat by place": Kind(
        "Llama4TextConfig",
        {
            "attention_chunk_size": 200,
            "head_dim": 8,
            "num_local_experts": 2,
            "intermediate_size_mlp": 48,
            "floor_scale": 10,
        },
        length=0,
        reason="place in the row",
    ),
    "deepseek3, latent keys": Kind(
        "DeepseekV3Config",
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
        length=0,
        reason="differ in size",
    ),
    "mamba": Kind(
        "MambaConfig",
        {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 8},
        True,
        length=0,
        reason=_STATE,
    ),
    "mamba2": Kind(
        "Mamba2Config",
        {
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "state_size": 8,
            "num_heads": 4,
            "head_dim": 16,
            "n_groups": 1,
            "chunk_size": 16,
        },
        True,
        length=0,
        reason=_STATE,
    ),
    "lfm2, convolutions": Kind(
        "Lfm2Config",
        {"layer_types": ["conv", "full_attention"] * 2, "conv_L_cache": 3},
        length=0,
        reason=_STATE,
    ),
    "falcon-h1, both at once": Kind(
        "FalconH1Config",
        {**_MAMBA2, "mamba_d_ssm": 64, "mamba_chunk_size": 16, "head_dim": 8},
        length=0,
        reason=_STATE,
    ),
    "recurrentgemma": Kind(
        "RecurrentGemmaConfig",
        {"num_hidden_layers": 3, "lru_width": 32, "attention_window_size": WINDOW, "head_dim": 8},
        length=0,
        reason=_STATE,
        keeps_state=False,
    ),
    "bamba, a cache that goes astray": Kind(
        "BambaConfig",
        {**_MAMBA2, "attn_layer_indices": [1, 3], "mamba_chunk_size": 16},
        length=0,
        reason=_STATE,
        keeps_state=False,
    ),
}

KINDS = {**SHARED, **WINDOWED, **BY_LENGTH, **WHOLE}
