"""Products that a device cuts short are found before a model is run there."""

from collections.abc import Callable

import pytest
import torch

from isogloss.errors import ModelError
from isogloss.models.checks import refuse_short_products
from isogloss.models.local import LocalModel

Product = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
_PRODUCT = torch.Tensor.__matmul__


def _tf32(numbers: torch.Tensor) -> torch.Tensor:
    """Float32 numbers rounded to 10 bits of fraction, as NVIDIA's TF32 does; others as they are."""
    if numbers.dtype != torch.float32:
        return numbers
    bits = numbers.view(torch.int32)
    return ((bits + 0x1000) & ~0x1FFF).view(torch.float32)


def _in_tf32(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    return _PRODUCT(_tf32(first), _tf32(second))


def _in_bfloat16(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    if first.dtype != torch.float32:
        return _PRODUCT(first, second)
    return _PRODUCT(first.bfloat16(), second.bfloat16()).float()


def _in_two_parts(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """Each factor as a sum of two bfloat16, without the product of the small parts."""
    if first.dtype != torch.float32:
        return _PRODUCT(first, second)
    (a, b), (c, d) = ((x.bfloat16().float(), x) for x in (first, second))
    b, d = (b - a).bfloat16().float(), (d - c).bfloat16().float()
    return _PRODUCT(a, c) + _PRODUCT(a, d) + _PRODUCT(b, c)


def _of_nothing(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    found = _PRODUCT(first, second)
    return found if first.dtype != torch.float32 else found * torch.nan


def test_this_processor_multiplies_in_full() -> None:
    refuse_short_products("m", "cpu")


@pytest.mark.parametrize("product", [_in_tf32, _in_bfloat16, _in_two_parts])
def test_a_device_that_cuts_numbers_short_is_refused(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.Tensor, "__matmul__", product)
    with pytest.raises(ModelError, match=r"model m: device cpu multiplies .*FPMATH_MODE"):
        refuse_short_products("m", "cpu")


def test_a_device_without_finite_products_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.Tensor, "__matmul__", _of_nothing)
    with pytest.raises(ModelError, match=r"model m: device cpu .* no finite number"):
        refuse_short_products("m", "cpu")


@pytest.mark.skipif(
    not torch.cuda.is_available() or torch.cuda.get_device_capability() < (8, 0),
    reason="no CUDA device with TF32",
)
def test_a_real_device_is_refused_while_tf32_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_short_products("m", "cuda")
    monkeypatch.setattr(torch.backends.cuda.matmul, "allow_tf32", True)
    with pytest.raises(ModelError, match="NVIDIA_TF32_OVERRIDE"):
        refuse_short_products("m", "cuda")


def test_convolutions_of_a_model_in_float32_are_not_cut_short(
    load: Callable[..., LocalModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", True)
    load()
    assert not torch.backends.cudnn.allow_tf32


def test_only_a_model_in_float32_needs_such_products(
    load: Callable[..., LocalModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(
        "isogloss.models.local.refuse_short_products", lambda _, device: asked.append(device)
    )
    load(dtype="bfloat16")
    assert asked == []
    load()
    assert asked == ["cpu"]
