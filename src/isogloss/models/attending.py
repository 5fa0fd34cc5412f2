"""Let a model attend in a way of our own, through transformers' attention interface."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from transformers import AttentionInterface

from isogloss.errors import ModelError

NAME = "isogloss"
"""Name under which the attention function is registered."""


@dataclass(frozen=True)
class Asked:
    """How a layer asks for attention."""

    layer: int
    kind: str
    """Class of the layer's module."""
    scale: float
    """Factor of the products of queries and keys."""
    softcap: float | None
    """Cap c on scores s, which become c tanh(s / c)."""
    options: Mapping[str, Any]
    """Whatever else the layer passes."""


class Attending(Protocol):
    """A way to attend."""

    def attend(
        self, asked: Asked, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor
    ) -> torch.Tensor:
        """Return outputs of shape (rows, tokens, heads, head size).

        Queries have shape (rows, heads, tokens, head size); keys and values have the key heads.
        """


_active: ContextVar[Attending | None] = ContextVar("attending", default=None)


@contextmanager
def attending(model: Any, how: Attending) -> Iterator[None]:
    """Let the model attend in this way within the block."""
    before = model.config._attn_implementation
    model.set_attn_implementation(NAME)
    token = _active.set(how)
    try:
        yield
    finally:
        _active.reset(token)
        model.set_attn_implementation(before)


def _attend(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,  # noqa: ARG001
    scaling: float | None = None,
    softcap: float | None = None,
    **options: Any,
) -> tuple[torch.Tensor, None]:
    """Attention function as transformers calls it; outside an `attending` block `ModelError`."""
    how = _active.get()
    if how is None:
        raise ModelError(f"{type(module).__name__} was run with attention that is not shared yet")
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    asked = Asked(module.layer_idx, type(module).__name__, scale, softcap, options)
    return how.attend(asked, query, key, value), None


AttentionInterface.register(NAME, _attend)
