"""How much a model may read at once within a bound on memory."""

from typing import Any

from isogloss.score.local.passes import Budget

_MOST_TOKENS = {"cpu": 768}
_MOST_TOKENS_ELSEWHERE = 16384
"""Beyond these a larger pass is no faster; on a CPU its activations leave the cache."""
_LEAST_TOKENS = 64
_LAYERS_AT_ONCE = 3
"""Copies of a layer's widest activations that live at the same time."""
_SHARE_OF_LOGITS = 4
"""Logits may take one part in so many of the memory."""


def budget_of(model: Any, memory_mb: int, *, kept_tokens: int = 0) -> Budget:
    """Tokens and reads of one pass whose activations stay within `memory_mb` MiB.

    `kept_tokens` are those of the longest beginning that is kept from pass to pass; their keys and
    values are held twice, by node and joined. A token of the pass costs its keys and values in
    every layer (they are there until the pass ends) and the activations of a few layers; a read
    costs a row of logits, once in the model's number format and once in float64.
    """
    config = model.config.get_text_config(decoder=True)
    memory = max(memory_mb * 2**20 - 2 * kept_tokens * state_bytes(model), 0)
    reads = max(memory // _SHARE_OF_LOGITS // (config.vocab_size * (model.dtype.itemsize + 8)), 1)
    tokens = (memory - memory // _SHARE_OF_LOGITS) // bytes_per_token(model)
    most = _MOST_TOKENS.get(model.device.type, _MOST_TOKENS_ELSEWHERE)
    return Budget(tokens=max(min(tokens, most), _LEAST_TOKENS), reads=reads)


def bytes_per_token(model: Any) -> int:
    """Bytes of one token's keys and values in all layers, and of its passing activations."""
    config = model.config.get_text_config(decoder=True)
    hidden = config.hidden_size
    widest = getattr(config, "intermediate_size", None) or 4 * hidden
    passing = _LAYERS_AT_ONCE * (widest + 4 * hidden) * max(model.dtype.itemsize, 4)
    return int(passing + state_bytes(model))


def state_bytes(model: Any) -> int:
    """Bytes of one token's keys and values in all layers; 0 for a model without attention."""
    config = model.config.get_text_config(decoder=True)
    heads = getattr(config, "num_attention_heads", None)
    if heads is None:
        return 0
    size = getattr(config, "head_dim", None) or config.hidden_size // heads
    key_heads = getattr(config, "num_key_value_heads", None) or heads
    return int(2 * config.num_hidden_layers * key_heads * size * model.dtype.itemsize)
