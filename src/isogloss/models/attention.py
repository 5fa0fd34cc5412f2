"""How many tokens a model reads with its whole attention, so that its state may be shared."""

from typing import Any

from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer, DynamicSlidingWindowLayer

from isogloss.errors import ModelError

_ROPE_BY_LENGTH = ("dynamic", "longrope")


def full_attention_length(name: str, model: Any) -> int:
    """Length up to which every token attends to all tokens before it.

    The smallest of the model's position limit, its sliding windows or chunks, and the length from
    which its position code depends on the length of the whole text. Up to there the keys and
    values of a common beginning, padding beside them, and a batch of any size give what one prompt
    alone gives. Raises `ModelError` for a model that keeps another state (state space,
    convolution, recurrence) or computes attention in its own way (linear biases, local layers).
    """
    config = model.config.get_text_config(decoder=True)
    layers = DynamicCache(config=config).layers
    plain = all(type(layer) in (DynamicLayer, DynamicSlidingWindowLayer) for layer in layers)
    if not (plain and layers and type(model)._supports_attention_backend):
        raise ModelError(
            f"model {name}: {type(model).__name__} keeps a state that prompts cannot share; "
            "use a decoder with plain or sliding-window attention"
        )
    windows = [x.sliding_window for x in layers if isinstance(x, DynamicSlidingWindowLayer)]
    return int(min([config.max_position_embeddings, *windows, *_rope_limit(config)]))


def _rope_limit(config: Any) -> list[int]:
    rope = getattr(config, "rope_parameters", None) or {}
    if rope.get("rope_type") not in _ROPE_BY_LENGTH:
        return []
    limit = rope.get("original_max_position_embeddings") or config.max_position_embeddings
    return [int(limit)]
