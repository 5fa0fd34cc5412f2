"""Attention of many prompts over their common beginnings, through transformers' own interface.

The tokens of a pass stand packed in one row. A token attends to the tokens on its path through the
trie, in up to three parts: the keys of earlier passes, long beginnings that it shares with others
in this pass (dense, nothing masked), and its own run after those (causal). Each part gives an
output and the logarithm of its sum of exponentials; with l = log(exp(l1) + exp(l2)) two parts merge
to exp(l1 - l) o1 + exp(l2 - l) o2, which is what attention over both together gives.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

import torch
from transformers import AttentionInterface

from isogloss.errors import ModelError
from isogloss.score.local.kernel import Kernel

NAME = "isogloss_shared"
"""Name under which the attention function is registered."""

LayerState = tuple[torch.Tensor, torch.Tensor]
"""Keys and values of a layer, each of shape (key heads, tokens, head size)."""


class Attending(Protocol):
    """What a pass does with the queries, keys and values of one layer."""

    def attend(
        self,
        layer: int,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        kernel: Kernel,
    ) -> torch.Tensor:
        """Return outputs of shape (rows, tokens, heads, head size)."""


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
    """Attention function as transformers calls it, for the pass that is active."""
    how = _active.get()
    unknown = [name for name in ("s_aux", "position_bias") if options.get(name) is not None]
    if how is None or unknown:
        raise ModelError(f"{type(module).__name__} computes attention in a way that is not shared")
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    kernel = Kernel(scale, softcap)
    return how.attend(module.layer_idx, query, key, value, kernel).to(query.dtype), None


AttentionInterface.register(NAME, _attend)


def merge(
    first: torch.Tensor, first_total: torch.Tensor, second: torch.Tensor, second_total: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Merge two parts of one attention: outputs (..., head size) and log-sum-exps (...)."""
    total = torch.logaddexp(first_total, second_total)
    output = first * (first_total - total).exp()[..., None]
    output += second * (second_total - total).exp()[..., None]
    return output, total
