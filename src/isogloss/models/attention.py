"""In which ways a model may be run so that each gives what one prompt alone gives."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from transformers import DynamicCache
from transformers.cache_utils import (
    DynamicLayer,
    DynamicSlidingWindowLayer,
    LinearAttentionAndFullAttentionLayer,
    LinearAttentionLayer,
)

from isogloss.errors import ModelError
from isogloss.models.checks import dtype_name
from isogloss.models.probe import Findings, probe
from isogloss.models.rope import Rope, constant_up_to, depends_on_length, reach, rope_settings

UNBOUNDED = 10**9
"""Tokens that a model reads which sets no limit itself, such as a state space model."""

_POSITIONS = ("max_position_embeddings", "max_seq_len", "n_positions", "n_ctx")

_PLAIN = (DynamicLayer, DynamicSlidingWindowLayer)
_STATES = (DynamicLayer, LinearAttentionLayer, LinearAttentionAndFullAttentionLayer)
"""Kinds of cache that work the same however long the text has become."""
_WINDOWED_STATES = frozenset(
    (
        "cohere2",
        "exaone4",
        "gemma2",
        "gemma3",
        "gemma3_text",
        "gpt_oss",
        "llama4_text",
        "ministral3",
        "mistral",
        "olmo3",
        "phi3",
        "qwen2",
    )
)
"""Kinds of model whose cache was compared with whole texts beyond a sliding window."""


@dataclass(frozen=True)
class Sharing:
    """How far keys and values may be shared between prompts that begin alike.

    Up to `length` tokens a prompt may stand as a path in a trie of prompts: positions given
    explicitly, each token attending to itself and to every token before it on its path, and to
    nothing else.
    """

    length: int
    """0 where sharing never gives what one prompt alone gives."""
    reason: str | None = None
    """Why `length` is less than the longest prompt."""


@dataclass(frozen=True)
class Fallback:
    """How prompts are run whole, where sharing does not reach."""

    rows: Literal["batched", "single"]
    """Whether several prompts may stand in one batch, padded on the right, with a mask."""
    keeps_state: bool
    """Whether a reply may be written token by token from the model's own cache, one prompt at a
    time. Where not, each token needs a run over the whole text."""
    reason: str | None = None
    """Why rows are single, or why no state is kept."""


@dataclass(frozen=True)
class Running:
    """All that is known about how one model may be run."""

    max_tokens: int
    """Most tokens of a prompt with its answer."""
    sharing: Sharing
    fallback: Fallback


@dataclass(frozen=True)
class _Limit:
    tokens: int
    reason: str


def how_to_run(name: str, model: Any, tokenizer: Any) -> Running:
    """Find out from a model's configuration, and from short runs, how it may be run.

    Raises `ModelError` when the model cannot be run, when a token's prediction depends on tokens
    that follow it, and when predictions are not finite.
    """
    config = model.config.get_text_config(decoder=True)
    layers = _cache_layers(config)
    ropes = rope_settings(config)
    limits = [*_layer_limits(model, config, layers), *_rope_limits(config, ropes)]
    found = _probed(name, model, share=all(limit.tokens for limit in limits))
    limits += _probed_limits(found)
    longest = _longest(config, tokenizer, ropes)
    keeps = found.stepwise and _state_is_known(config, layers, longest)
    return Running(longest, _sharing(longest, limits), _fallback(found, ropes, keeps))


def _probed(name: str, model: Any, *, share: bool) -> Findings:
    try:
        found = probe(model, share=share)
    except Exception as error:  # whatever a model cannot do, it says in its own way
        raise ModelError(f"model {name}: {type(model).__name__} cannot be run: {error}") from error
    if not found.finite:
        raise ModelError(
            f"model {name}: its predictions are not finite in {dtype_name(model)}; "
            "use dtype float32, or another checkpoint"
        )
    if not found.causal:
        raise ModelError(
            f"model {name}: {type(model).__name__} lets a token see those that follow it; "
            "use a causal language model"
        )
    return found


def _sharing(longest: int, limits: list[_Limit]) -> Sharing:
    least = min(limits, key=lambda limit: limit.tokens, default=_Limit(longest, ""))
    return Sharing(longest) if least.tokens >= longest else Sharing(least.tokens, least.reason)


def _fallback(found: Findings, ropes: tuple[Rope, ...], keeps: bool) -> Fallback:
    if any(map(depends_on_length, ropes)):
        return Fallback("single", False, "its position code depends on the longest text of a batch")
    if not found.padded:
        return Fallback("single", keeps, "padding changes its predictions")
    reason = None if keeps else "its cache is not known to give what the whole text gives"
    return Fallback("batched", keeps, reason)


def _longest(config: Any, tokenizer: Any, ropes: tuple[Rope, ...]) -> int:
    """Position limit; a dynamic position code is made to reach `factor` times as far."""
    given = (getattr(config, name, None) for name in _POSITIONS)
    limit = next((int(value) for value in given if value), None)
    if limit is None:
        return int(min(tokenizer.model_max_length, UNBOUNDED))
    return int(limit * max(map(reach, ropes), default=1.0))


def _cache_layers(config: Any) -> list[Any]:
    """What the model keeps of each layer; empty where that cannot be said."""
    try:
        return list(DynamicCache(config=config).layers)
    except Exception:  # configurations of unusual models lack what the cache asks for
        return []


def _state_is_known(config: Any, layers: list[Any], longest: int) -> bool:
    def known(layer: Any) -> bool:
        if type(layer) is DynamicSlidingWindowLayer:
            wide = int(layer.sliding_window) >= longest
            return wide or config.model_type in _WINDOWED_STATES
        return type(layer) in _STATES

    return bool(layers) and all(map(known, layers))


def _layer_limits(model: Any, config: Any, layers: list[Any]) -> Iterator[_Limit]:
    if not layers or not all(type(layer) in _PLAIN for layer in layers):
        yield _Limit(0, "it keeps another state than keys and values for each token")
    if not type(model)._supports_attention_backend:
        yield _Limit(0, "it does not use the attention interface of transformers")
    if getattr(config, "attn_temperature_tuning", False):
        yield _Limit(0, "its attention depends on a token's place in the row")
    windows = (layer for layer in layers if isinstance(layer, DynamicSlidingWindowLayer))
    yield from (_window(int(layer.sliding_window)) for layer in windows)


def _window(tokens: int) -> _Limit:
    return _Limit(tokens, f"some of its layers see {tokens} tokens at most")


def _rope_limits(config: Any, ropes: tuple[Rope, ...]) -> Iterator[_Limit]:
    for rope in filter(depends_on_length, ropes):
        tokens = constant_up_to(rope, int(config.max_position_embeddings))
        yield _Limit(tokens, f"its position code is another for texts of more than {tokens} tokens")


def _probed_limits(found: Findings) -> Iterator[_Limit]:
    if found.not_shared is not None:
        yield _Limit(0, found.not_shared)
    if found.window is not None:
        yield _window(found.window)
