"""A device that this machine lacks, pretended: its numbers are kept and computed on the CPU.

Tensors there say that they are on `cuda:0` or `mps:0`. Refused are, as on a real device: operations
on tensors of two devices, the CPU's random numbers, numpy arrays, and float64 on `mps:0`. What the
device's own kernels compute is not pretended.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

_CPU = torch.device("cpu")


def _unguarded(method: Callable[..., torch.Tensor]) -> Callable[..., "Pretended"]:
    """Return a method without the guard that torch asks the device for, which is not there."""

    def called(self: "Pretended", *args: Any, **kwargs: Any) -> "Pretended":
        return Pretended(method(self.here, *args, **kwargs), self.device)

    return called


class Pretended(torch.Tensor):
    """A tensor that is said to be on a device; `here` holds its numbers."""

    here: torch.Tensor
    contiguous = _unguarded(torch.Tensor.contiguous)
    nonzero = _unguarded(torch.Tensor.nonzero)
    __invert__ = _unguarded(torch.Tensor.__invert__)

    @staticmethod
    def __new__(cls, here: torch.Tensor, device: torch.device) -> "Pretended":
        """Pretend that a tensor of the CPU is on a device."""
        device = torch.device(device.type, device.index or 0)
        if device.type == "mps" and here.dtype == torch.float64:
            raise TypeError("mps has no float64")
        with torch.inference_mode(mode=False):
            made = torch.Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]
                cls, here.shape, strides=here.stride(), dtype=here.dtype, device=device
            )
        made.here = here
        return made  # type: ignore[no-any-return]

    @classmethod
    def __torch_dispatch__(
        cls,
        function: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Compute on the CPU."""
        return _computed(function, args, kwargs or {})

    def __getitem__(self, index: Any) -> "Pretended":
        """Take a part; as in torch, indices may be the CPU's."""
        return Pretended(self.here[_here(index)], self.device)

    def __setitem__(self, index: Any, value: Any) -> None:
        """Replace a part."""
        _refuse_two(torch.Tensor.__setitem__, [self, value])
        self.here[_here(index)] = _here(value)

    def tolist(self) -> Any:
        """Numbers as Python has them."""
        return self.here.tolist()

    def item(self) -> Any:
        """The number as Python has it."""
        return self.here.item()

    def __bool__(self) -> bool:
        """Whether the number is not 0."""
        return bool(self.here)

    def __int__(self) -> int:
        """The number as a whole one."""
        return int(self.here)

    def __index__(self) -> int:
        """The number as an index."""
        return self.here.__index__()

    def __float__(self) -> float:
        """The number."""
        return float(self.here)

    def numpy(self, *, force: bool = False) -> NoReturn:  # noqa: ARG002
        """Refuse, as a device does."""
        raise TypeError(f"a tensor of {self.device} has no numpy array")


class _Mode(TorchDispatchMode):
    """Makes what is asked for on a device, none of which torch starts, told that all is fake."""

    _mode_key = torch._C._TorchDispatchModeKey.FAKE  # type: ignore[attr-defined]

    def __torch_dispatch__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Compute on the CPU."""
        return _computed(func, args, kwargs or {})


@contextmanager
def pretending() -> Iterator[None]:
    """Let `cuda:0` and `mps:0` be asked for within the block, by models that are moved too."""
    overwritten = torch.__future__.get_overwrite_module_params_on_conversion()
    lifted = torch._C._only_lift_cpu_tensors()  # type: ignore[attr-defined]
    try:
        torch.__future__.set_overwrite_module_params_on_conversion(True)
        torch._C._set_only_lift_cpu_tensors(True)  # type: ignore[attr-defined]
        with _Mode():
            yield
    finally:
        torch._C._set_only_lift_cpu_tensors(lifted)  # type: ignore[attr-defined]
        torch.__future__.set_overwrite_module_params_on_conversion(overwritten)


def _computed(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    leaves = tree_leaves((args, kwargs))
    given = [x for x in leaves if isinstance(x, torch.Tensor)]
    if function is torch.ops.aten.copy_.default:
        places = [args[0].device]
    else:
        _refuse_two(function, given)
        asked = [x for x in leaves if isinstance(x, torch.device)]
        places = asked or [x.device for x in given if isinstance(x, Pretended)]
    place = places[0] if places else _CPU
    if any(isinstance(x, torch.Generator) and x.device.type != place.type for x in leaves):
        raise RuntimeError(f"{function}: random numbers of another device than {place}")
    found = function(*tree_map(_here, args), **tree_map(_here, kwargs))
    known = {id(_here(x)): x for x in given if x.device == place}

    def said(x: Any) -> Any:
        if not isinstance(x, torch.Tensor) or place.type == "cpu":
            return x
        same = known.get(id(x))
        if same is not None and same.shape != x.shape:
            raise NotImplementedError(f"{function} changes a shape in place")
        return Pretended(x, place) if same is None else same

    return tree_map(said, found)


def _refuse_two(function: Any, given: Sequence[Any]) -> None:
    """Refuse tensors of two devices; a single number may be the CPU's, as torch has it."""
    tensors = [x for x in given if isinstance(x, torch.Tensor)]
    places = {x.device for x in tensors if isinstance(x, Pretended) or x.dim() > 0}
    if len(places) > 1:
        raise RuntimeError(f"{function}: tensors on {' and '.join(sorted(map(str, places)))}")


def _here(x: Any) -> Any:
    if isinstance(x, tuple):
        return tuple(map(_here, x))
    if isinstance(x, torch.device):
        return _CPU
    return x.here if isinstance(x, Pretended) else x
