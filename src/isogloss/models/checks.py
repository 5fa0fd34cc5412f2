"""Checks of a model before it is run: nothing made up, no number that is none, none cut short."""

import math
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


_SIDE = 512
"""Rows and columns of the matrices tried."""
_CUT_SHORT = 2e-6
"""Error of a product, relative to its spread: 4e-7 in float32 even if summed one by one, 4e-6 with
each factor as a sum of two bfloat16, 3e-4 in TF32, 3e-3 in bfloat16."""
_REMEDIES = {
    "cpu": "unset ONEDNN_DEFAULT_FPMATH_MODE, or use another machine",
    "cuda": "set NVIDIA_TF32_OVERRIDE=0 and unset TORCH_ALLOW_TF32_CUBLAS_OVERRIDE, which allow "
    "TF32, or use device cpu",
}


@torch.no_grad()
def refuse_short_products(name: str, device: str) -> None:
    """Raise `ModelError` when a device cuts float32 matrices short before it multiplies them.

    NVIDIA's devices do so where TF32, which has 10 bits of fraction instead of 23, is switched on
    from outside. The root mean square error of one product of two matrices of standard normal
    numbers is held against its standard deviation.
    """
    numbers = torch.Generator().manual_seed(0)
    first, second = (torch.randn(_SIDE, _SIDE, generator=numbers) for _ in range(2))
    wanted = first.double() @ second.double()
    found = (first.to(device) @ second.to(device)).cpu().double()
    error = float((found - wanted).square().mean().sqrt() / wanted.std())
    kind = device.partition(":")[0]
    if not math.isfinite(error):
        raise ModelError(
            f"model {name}: device {device} multiplies finite matrices to what is no finite "
            "number; use another device or machine"
        )
    if error > _CUT_SHORT:
        raise ModelError(
            f"model {name}: device {device} multiplies float32 matrices less exactly than float32 "
            f"can (relative error {error:.0e}): {_REMEDIES.get(kind, 'use device cpu')}"
        )


def dtype_name(holder: Any) -> str:
    """Name of the number format of a tensor or model, such as `float32`."""
    return str(holder.dtype).removeprefix("torch.")
