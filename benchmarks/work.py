"""How much arithmetic a set of prompts needs when each distinct beginning is read once."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

Tokens = tuple[int, ...]


@dataclass(frozen=True)
class Shape:
    """What of a model decides the arithmetic of one token."""

    weights: int
    """Parameters but for embeddings and output head."""
    head: int
    """Entries of the output head."""
    attention: int
    """Layers times heads times head size."""


@dataclass(frozen=True)
class Work:
    """Work of a set of prompts."""

    prompts: int
    tokens: int
    """Tokens of all prompts, as a loop over prompts reads them."""
    shared: int
    """Tokens that every prompt begins with."""
    unique_tokens: int
    """Tokens that are left when equal beginnings count once."""
    keys_attended: int
    """Sum over unique tokens of how many tokens they look at, themselves included."""

    def operations(self, shape: Shape) -> float:
        """Floating-point operations: 2 for each weight, 4 for each key and value, the head."""
        return float(
            2 * shape.weights * self.unique_tokens
            + 4 * shape.attention * self.keys_attended
            + 2 * shape.head * self.prompts
        )


def work_of(prompts: Sequence[Tokens]) -> Work:
    """Count the work of prompts that are all different."""
    ordered = sorted(prompts)
    known = [0, *(_alike(a, b) for a, b in pairwise(ordered))]
    unique = sum(len(own) - start for own, start in zip(ordered, known, strict=True))
    attended = sum(
        _triangle(len(own)) - _triangle(start) for own, start in zip(ordered, known, strict=True)
    )
    return Work(
        prompts=len(prompts),
        tokens=sum(map(len, prompts)),
        shared=_alike(ordered[0], ordered[-1]),
        unique_tokens=unique,
        keys_attended=attended,
    )


def shape_of(model: Any) -> Shape:
    """Read a decoder's shape from its weights and configuration."""
    config = model.config.get_text_config(decoder=True)
    heads = config.num_attention_heads
    size = getattr(config, "head_dim", None) or config.hidden_size // heads
    outside = {id(w): w for w in (_weight(model, "input"), _weight(model, "output"))}
    inside = sum(w.numel() for w in model.parameters() if id(w) not in outside)
    head = _weight(model, "output").numel()
    return Shape(inside, head, config.num_hidden_layers * heads * size)


def _weight(model: Any, side: str) -> Any:
    return getattr(model, f"get_{side}_embeddings")().weight


def _alike(first: Tokens, second: Tokens) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(first), len(second)))


def _triangle(count: int) -> int:
    return count * (count + 1) // 2
