"""Scaled dot-product attention that also returns the logarithm of its sum of exponentials."""

from collections.abc import Callable
from functools import cache

import torch

Attended = tuple[torch.Tensor, torch.Tensor]
"""Outputs (rows, heads, queries, head size) and log-sum-exps (rows, heads, queries)."""

Fast = Callable[[torch.Tensor, torch.Tensor, torch.Tensor, bool, float], Attended]
"""A kernel of the library: queries, keys, values, whether causal, and the scale."""

_TOLERANCE = {torch.float32: 1e-4, torch.bfloat16: 0.03, torch.float16: 0.005}
_TRIED_TOKENS = 40
_AT_ONCE = 512
"""Queries whose scores are held at once by plain arithmetic."""


class Kernel:
    """Attention with the scale, and the cap on scores, that a layer asks for."""

    def __init__(self, scale: float, softcap: float | None = None) -> None:
        self._scale = scale
        self._softcap = softcap

    def __call__(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        *,
        causal: bool = False,
        visible: torch.Tensor | None = None,
    ) -> Attended:
        """Return outputs and log-sum-exps.

        Queries have shape (rows, heads, queries, head size), keys and values (rows, key heads,
        keys, head size) with each key head standing for heads / key heads query heads. With
        `causal` query i sees the keys up to i; `visible`, of shape (rows, keys), hides keys.
        """
        groups = query.shape[1] // key.shape[1]
        if groups > 1:
            key = key.repeat_interleave(groups, dim=1)
            value = value.repeat_interleave(groups, dim=1)
        if self._softcap is None and visible is None:
            fast = fast_kernel(query.device.type, query.dtype, query.shape[-1])
            if fast is not None:
                return fast(query, key, value, causal, self._scale)
        return explicit(
            query, key, value, causal=causal, scale=self._scale, cap=self._softcap, visible=visible
        )


def explicit(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *,
    causal: bool,
    scale: float,
    cap: float | None = None,
    visible: torch.Tensor | None = None,
) -> Attended:
    """softmax(s) v and log sum exp(s) with s = scale q k, or cap tanh(scale q k / cap)."""
    places = torch.arange(max(query.shape[-2], key.shape[-2]), device=query.device)
    parts = []
    for first in range(0, query.shape[-2], _AT_ONCE):
        some = query[..., first : first + _AT_ONCE, :]
        scores = (some @ key.transpose(-1, -2)).float() * scale
        if cap is not None:
            scores = torch.tanh(scores / cap) * cap
        if causal:
            own = places[first : first + some.shape[-2], None]
            scores = scores.masked_fill(places[: key.shape[-2]] > own, -torch.inf)
        if visible is not None:
            scores = scores.masked_fill(~visible[:, None, None, :], -torch.inf)
        total = scores.logsumexp(dim=-1)
        weights = (scores - total[..., None]).exp().to(value.dtype)
        parts.append((weights @ value, total))
    outputs, totals = zip(*parts, strict=True)
    return torch.cat(outputs, dim=-2), torch.cat(totals, dim=-1)


@cache
def fast_kernel(device: str, dtype: torch.dtype, size: int) -> Fast | None:
    """Return the library's kernel for a device, once it has been seen to be right there."""
    kernel = _KERNELS.get(device)
    return kernel if kernel is not None and is_right(kernel, device, dtype, size) else None


def is_right(kernel: Fast, device: str, dtype: torch.dtype, size: int) -> bool:
    """Whether a kernel gives what `explicit` gives, on a few random numbers."""
    numbers = torch.Generator().manual_seed(0)
    query, key, value = (
        torch.randn((2, 3, _TRIED_TOKENS, size), generator=numbers).to(device, dtype)
        for _ in range(3)
    )
    for causal in (False, True):
        wanted = explicit(query, key, value, causal=causal, scale=size**-0.5)
        try:
            found = kernel(query, key, value, causal, size**-0.5)
        except (RuntimeError, NotImplementedError):
            return False
        bound = _TOLERANCE.get(dtype, 0.0)
        if any(
            x.shape != y.shape or float((x.float() - y.float()).abs().max()) > bound
            for x, y in zip(found, wanted, strict=True)
        ):
            return False
    return True


def _on_cpu(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, causal: bool, scale: float
) -> Attended:
    output, total = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
        query, key, value, 0.0, causal, attn_mask=None, scale=scale
    )
    return output, total


def _on_cuda(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, causal: bool, scale: float
) -> Attended:
    output, total, _, _ = torch.ops.aten._scaled_dot_product_efficient_attention(
        query, key, value, None, True, 0.0, causal, scale=scale
    )
    return output, total[..., : query.shape[-2]]  # the kernel fills the totals up to a round number


_KERNELS: dict[str, Fast] = {"cpu": _on_cpu, "cuda": _on_cuda}
