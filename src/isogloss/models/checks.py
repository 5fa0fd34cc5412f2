"""Checks of a checkpoint that was read: nothing made up, nothing that is not a number."""

from typing import Any

import torch

from isogloss.errors import ModelError


def refuse_gaps(name: str, info: dict[str, Any]) -> None:
    """Raise `ModelError` when weights are missing, which would be filled with random numbers."""
    gaps = sorted(str(key) for kind in ("missing_keys", "mismatched_keys") for key in info[kind])
    if gaps:
        raise ModelError(
            f"model {name}: its files have no fitting weights for {gaps[0]} "
            f"({len(gaps)} such); use a complete checkpoint of a causal language model"
        )


@torch.no_grad()
def refuse_not_finite(name: str, model: Any) -> None:
    """Raise `ModelError` when a weight is not a finite number."""
    for key, weights in model.named_parameters():
        # The sum is not finite when a weight is not; it costs no copy of the weights.
        if not (weights.sum(dtype=torch.float32).isfinite() or weights.isfinite().all()):
            raise ModelError(
                f"model {name}: {key} holds numbers that are not finite in {dtype_name(weights)}; "
                "use an undamaged checkpoint, or dtype float32"
            )


def dtype_name(holder: Any) -> str:
    """Name of the number format of a tensor or model, such as `float32`."""
    return str(holder.dtype).removeprefix("torch.")
