"""The backend on devices other than the CPU: real ones where there are any, and pretended ones."""

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
import torch
from tests.score.local.conftest import ARCHITECTURES, Loader
from tests.score.local.pretended import Pretended, pretending
from tests.score.local.reference import (
    TOLERANCE,
    again,
    continuations,
    gap,
    questions,
    read,
    texts,
)

from isogloss.models.attention import how_to_run
from isogloss.models.checks import refuse_short_products
from isogloss.models.local import LocalModel
from isogloss.score.backend import Decoding, WriteTask
from isogloss.score.local.backend import LocalBackend
from isogloss.score.local.kernel import fast_kernel

# Some architectures warn about kernels that are not installed.
pytestmark = pytest.mark.filterwarnings("default")

PRETENDED = ("cuda:0", "mps:0")
REAL = [
    pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA")),
    pytest.param(
        "mps", marks=pytest.mark.skipif(not torch.backends.mps.is_available(), reason="no MPS")
    ),
]
RUN_ANYWHERE = [
    "llama",
    "gpt2",
    "qwen2",
    "opt",
    "gemma2, small caps",
    "gemma2, window in every second layer",
    "phi3, window",
    "bloom, linear biases",
]
"""Architectures without parts that a pretended device lacks: experts, convolutions."""
SCHEMA = json.dumps({"type": "integer", "minimum": 1, "maximum": 5})

Mover = Callable[[LocalModel, str], LocalModel]


@pytest.fixture
def moved() -> Iterator[Mover]:
    """Return what moves a copy of a model to a device, and finds out there how it may be run."""

    def move(local: LocalModel, device: str) -> LocalModel:
        model = copy.deepcopy(local.model).to(device)
        assert {x.device.type for x in model.parameters()} == {device.partition(":")[0]}
        name = local.identity.name
        return replace(local, model=model, running=how_to_run(name, model, local.tokenizer))

    fast_kernel.cache_clear()
    yield move
    fast_kernel.cache_clear()  # what was found out about a device that is not there


def _equal(here: LocalModel, there: LocalModel, share: bool) -> None:
    """Answers and replies of a model are the same on two devices."""
    one, other = LocalBackend(here, share=share), LocalBackend(there, share=share)
    tasks = questions(one)
    wanted = [answer.probabilities for answer in read(one, tasks)]
    assert max(map(max, wanted)) > 1e-3  # else the comparison would say nothing
    assert gap(read(other, tasks), wanted) < TOLERANCE
    writes = _writes(one)
    assert texts(other, writes) == texts(one, writes)


def _writes(backend: LocalBackend) -> list[WriteTask]:
    """Greedy and drawn replies of several lengths, some of them to one prompt."""
    ways = (
        Decoding(3),
        Decoding(6, temperature=1.5, seed=7),
        Decoding(4, temperature=1.0, top_p=0.7, seed=7),
    )
    return [task for way in ways for task in again(continuations(backend, way)[2:6], 2)]


@contextmanager
def _there(device: str) -> Iterator[None]:
    if device in PRETENDED:
        with pretending():
            yield
    else:
        yield


@pytest.mark.parametrize("share", [True, False])
@pytest.mark.parametrize("device", PRETENDED)
@pytest.mark.parametrize("name", RUN_ANYWHERE)
def test_a_pretended_device_changes_no_answer(
    name: str, device: str, share: bool, architecture: Loader, moved: Mover
) -> None:
    local = architecture(name)
    with pretending():
        there = moved(local, device)
        assert there.running == local.running
        _equal(local, there, share)


@pytest.mark.parametrize("device", REAL)
def test_a_real_device_changes_no_answer(device: str, architecture: Loader, moved: Mover) -> None:
    for name in ARCHITECTURES:
        local = architecture(name)
        there = moved(local, device)
        assert there.running == local.running, name
        for share in (True, False):
            _equal(local, there, share)


@pytest.mark.parametrize("device", [*PRETENDED, *REAL])
def test_a_device_changes_no_reply_under_a_schema(
    device: str, architecture: Loader, moved: Mover
) -> None:
    local = architecture("llama")
    backend = LocalBackend(local)
    tasks = continuations(backend, Decoding(4, temperature=1.0, seed=7, json_schema=SCHEMA))
    with _there(device):
        replies = texts(LocalBackend(moved(local, device)), tasks)
    assert replies == texts(backend, tasks)
    assert len(set(replies)) > 1


@pytest.mark.parametrize("device", PRETENDED)
def test_products_are_tried_on_the_device_itself(
    device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    product = torch.Tensor.__matmul__

    def watched(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        tried.append(str(first.device))
        return product(first, second)

    monkeypatch.setattr(torch.Tensor, "__matmul__", watched)
    with pretending():
        refuse_short_products("m", device)
    assert sorted(tried) == ["cpu", device]


# --- what is pretended ----------------------------------------------------------------------------


@pytest.mark.parametrize("device", PRETENDED)
def test_a_pretended_device_keeps_its_numbers_from_the_cpus(device: str) -> None:
    with pretending():
        there = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
        assert isinstance(there, Pretended)
        assert str((there @ there).device) == device
        assert (there @ there).tolist() == [[7.0, 10.0], [15.0, 22.0]]
        assert type(there.cpu()) is torch.Tensor
        with pytest.raises(RuntimeError, match=f"tensors on cpu and {device}"):
            there + torch.ones(2)
        with pytest.raises(RuntimeError, match=f"tensors on cpu and {device}"):
            torch.ones(2)[torch.tensor([0], device=device)]
        with pytest.raises(RuntimeError, match=f"tensors on cpu and {device}"):
            there[0] = torch.ones(2)
        with pytest.raises(TypeError, match="no numpy array"):
            there.numpy()
        with pytest.raises(RuntimeError, match="random numbers of another device"):
            torch.randn(2, generator=torch.Generator(), device=device)
        there[0] = 5.0
        assert there.tolist() == [[5.0, 5.0], [3.0, 4.0]]


def test_a_pretended_mps_has_no_float64() -> None:
    with pretending():
        assert torch.ones(1, device="cuda:0").double().tolist() == [1.0]
        with pytest.raises(TypeError, match="mps has no float64"):
            torch.ones(1, device="mps:0").double()
