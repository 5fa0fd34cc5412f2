"""The attention kernel against the formula, one query and head at a time."""

import math
from typing import Any

import pytest
import torch

from isogloss.score.local.attention import merge
from isogloss.score.local.kernel import Kernel, explicit, fast_kernel, is_right

ROUNDING = {torch.float32: 1e-5, torch.bfloat16: 2e-2}
"""Absolute; outputs are averages of standard normal values."""

SHAPES = [
    # rows, heads, key heads, queries, keys, head size
    (1, 1, 1, 1, 1, 4),
    (2, 4, 2, 5, 5, 8),
    (3, 6, 1, 7, 7, 16),
    (1, 8, 8, 33, 33, 64),
]


def _normal(seed: int, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def _qkv(
    shape: tuple[int, ...], dtype: torch.dtype = torch.float32
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    rows, heads, key_heads, queries, keys, size = shape
    return (
        _normal(1, rows, heads, queries, size, dtype=dtype),
        _normal(2, rows, key_heads, keys, size, dtype=dtype),
        _normal(3, rows, key_heads, keys, size, dtype=dtype),
    )


def _formula(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    scale: float,
    softcap: float | None = None,
    causal: bool = False,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Outputs and log-sum-exps of one query and head at a time, in float64."""
    rows, heads, queries, size = query.shape
    group = heads // key.shape[1]
    output = torch.empty(rows, heads, queries, size, dtype=torch.float64)
    total = torch.empty(rows, heads, queries, dtype=torch.float64)
    for r in range(rows):
        for h in range(heads):
            for i in range(queries):
                seen = slice(0, i + 1 if causal else None)
                keys = key[r, h // group, seen].double()
                scores = [scale * float(k @ query[r, h, i].double()) for k in keys]
                if softcap is not None:
                    scores = [softcap * math.tanh(s / softcap) for s in scores]
                weights = [math.exp(s) for s in scores]
                total[r, h, i] = math.log(math.fsum(weights))
                shares = torch.tensor(weights, dtype=torch.float64) / math.fsum(weights)
                output[r, h, i] = shares @ value[r, h // group, seen].double()
    return output, total


def _agree(found: Any, wanted: Any, dtype: torch.dtype = torch.float32) -> None:
    for got, right in zip(found, wanted, strict=True):
        assert float((got.double() - right).abs().max()) < ROUNDING[dtype]


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("explicit", [False, True])
def test_outputs_and_totals_follow_the_formula(
    shape: tuple[int, ...], causal: bool, explicit: bool
) -> None:
    """A mask that hides nothing asks for the explicit way, which every device has."""
    query, key, value = _qkv(shape)
    visible = torch.ones(shape[0], shape[4], dtype=torch.bool) if explicit else None
    found = Kernel(0.3)(query, key, value, causal=causal, visible=visible)
    _agree(found, _formula(query, key, value, 0.3, causal=causal))


@pytest.mark.parametrize("softcap", [0.5, 30.0])
def test_scores_are_capped(softcap: float) -> None:
    query, key, value = _qkv((2, 4, 2, 5, 5, 8))
    query = query * 10
    found = Kernel(0.3, softcap)(query, key, value, causal=True)
    _agree(found, _formula(query, key, value, 0.3, softcap, causal=True))


def test_hidden_keys_count_for_nothing() -> None:
    query, key, value = _qkv((2, 4, 2, 3, 6, 8))
    visible = torch.tensor([[True] * 4 + [False] * 2, [True] * 6])
    found = Kernel(0.3)(query, key, value, visible=visible)
    short = _formula(query[:1], key[:1, :, :4], value[:1, :, :4], 0.3)
    whole = _formula(query[1:], key[1:], value[1:], 0.3)
    _agree([x[:1] for x in found], short)
    _agree([x[1:] for x in found], whole)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("shape", SHAPES[1:])
@pytest.mark.parametrize("cut", [1, 4])
def test_two_parts_merge_to_the_whole(shape: tuple[int, ...], cut: int, dtype: torch.dtype) -> None:
    query, key, value = _qkv(shape, dtype)
    kernel = Kernel(0.3)
    first = kernel(query, key[:, :, :cut], value[:, :, :cut])
    second = kernel(query, key[:, :, cut:], value[:, :, cut:])
    merged = merge(first[0].float(), first[1], second[0].float(), second[1])
    _agree(merged, _formula(query, key, value, 0.3), dtype)


def test_parts_of_very_different_weight_merge_without_overflow() -> None:
    ones = torch.ones(1, 2)
    output, total = merge(ones, torch.tensor([500.0]), 3 * ones, torch.tensor([-500.0]))
    assert output.tolist() == [[1.0, 1.0]]
    assert total.tolist() == [500.0]


# --- kernels of the library -----------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("size", [8, 64, 80])
def test_the_librarys_kernel_is_used_where_it_is_right(dtype: torch.dtype, size: int) -> None:
    assert fast_kernel("cpu", dtype, size) is not None


def test_a_device_without_a_kernel_does_without() -> None:
    assert fast_kernel("meta", torch.float32, 8) is None


def _scaled(query: Any, key: Any, value: Any, causal: bool, scale: float) -> Any:
    return explicit(query, key, value, causal=causal, scale=1.01 * scale)


def _never_causal(query: Any, key: Any, value: Any, causal: bool, scale: float) -> Any:
    return explicit(query, key, value, causal=False, scale=scale)


def _without_total(query: Any, key: Any, value: Any, causal: bool, scale: float) -> Any:
    output, total = explicit(query, key, value, causal=causal, scale=scale)
    return output, torch.zeros_like(total)


def _filled_up(query: Any, key: Any, value: Any, causal: bool, scale: float) -> Any:
    output, total = explicit(query, key, value, causal=causal, scale=scale)
    return output, torch.nn.functional.pad(total, (0, 24))


def _missing(query: Any, key: Any, value: Any, causal: bool, scale: float) -> Any:
    raise NotImplementedError


@pytest.mark.parametrize("kernel", [_scaled, _never_causal, _without_total, _filled_up, _missing])
def test_a_kernel_that_computes_something_else_is_found_out(kernel: Any) -> None:
    assert not is_right(kernel, "cpu", torch.float32, 8)
