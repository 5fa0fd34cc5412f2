"""Rotary position codes that change with the length of the text."""

from collections.abc import Mapping
from typing import Any

Rope = Mapping[str, Any]
"""Settings of one rotary position code."""


def rope_settings(config: Any) -> tuple[Rope, ...]:
    """Settings of a model's rotary position code, or those of each kind of its layers."""
    given = getattr(config, "rope_parameters", None) or {}
    if "rope_type" in given:
        return (given,)
    return tuple(value for value in given.values() if isinstance(value, Mapping))


def is_dynamic(rope: Rope) -> bool:
    """Whether frequencies are computed anew for each text that is longer than usual."""
    return "dynamic" in str(rope.get("rope_type"))


def depends_on_length(rope: Rope) -> bool:
    """Whether a token's position code depends on how long the whole text is."""
    return is_dynamic(rope) or rope.get("rope_type") == "longrope"


def constant_up_to(rope: Rope, positions: int) -> int:
    """Length of text, out of `positions`, from which on the position code is another."""
    return min(int(rope.get("original_max_position_embeddings") or positions), positions)


def reach(rope: Rope) -> float:
    """How many times farther than the model's positions the code is made to reach."""
    return max(1.0, float(rope.get("factor") or 1.0)) if is_dynamic(rope) else 1.0


def forget_texts(model: Any) -> None:
    """Make each run of a model with a dynamic position code independent of the runs before it.

    transformers keeps the frequencies of the longest text so far for every later text that is
    longer than usual.
    """
    for module in model.modules():
        if hasattr(module, "original_max_seq_len") and hasattr(module, "max_seq_len_cached"):
            module.register_forward_pre_hook(_forget)


def _forget(module: Any, _: tuple[Any, ...]) -> None:
    marked = "original_inv_freq"
    kept = [*dict(module.named_buffers(recurse=False)), *vars(module)]
    for kind in [name.removesuffix(marked) for name in kept if name.endswith(marked)]:
        usual = getattr(module, f"{kind}{marked}").clone()
        module.register_buffer(f"{kind}inv_freq", usual, persistent=False)
        setattr(module, f"{kind}max_seq_len_cached", module.original_max_seq_len)
