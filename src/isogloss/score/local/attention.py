"""Attention of many prompts over their common beginnings, through transformers' own interface.

The tokens of a pass stand packed in one row. A token attends to the tokens on its path through the
trie, in up to three parts: the keys of earlier passes, long beginnings that it shares with others
in this pass (dense, nothing masked), and its own run after those (causal). Each part gives an
output and the logarithm of its sum of exponentials; with l = log(exp(l1) + exp(l2)) two parts merge
to exp(l1 - l) o1 + exp(l2 - l) o2, which is what attention over both together gives.
"""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from isogloss.errors import ModelError
from isogloss.models.attending import Asked
from isogloss.models.attending import attending as attending_by
from isogloss.score.local.kernel import Kernel

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


def attending(model: Any, how: Attending) -> AbstractContextManager[None]:
    """Let the model attend in this way within the block.

    A layer that asks for what the kernels do not know (sinks, a bias by position) raises
    `ModelError`.
    """
    return attending_by(model, _WithKernel(how))


@dataclass(frozen=True)
class _WithKernel:
    """Attends by the kernel that a layer asks for."""

    how: Attending

    def attend(
        self, asked: Asked, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor
    ) -> torch.Tensor:
        """Return outputs in the number format of the queries."""
        if any(asked.options.get(name) is not None for name in ("s_aux", "position_bias")):
            raise ModelError(f"{asked.kind} computes attention in a way that is not shared")
        kernel = Kernel(asked.scale, asked.softcap)
        return self.how.attend(asked.layer, query, key, value, kernel).to(query.dtype)


def merge(
    first: torch.Tensor, first_total: torch.Tensor, second: torch.Tensor, second_total: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Merge two parts of one attention: outputs (..., head size) and log-sum-exps (...)."""
    total = torch.logaddexp(first_total, second_total)
    output = first * (first_total - total).exp()[..., None]
    output += second * (second_total - total).exp()[..., None]
    return output, total
