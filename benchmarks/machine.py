"""What the machine is and can do: its name, its peak in matrix products, memory used."""

import platform
import resource
import sys
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import torch

GEMM_SHAPES = ((2048, 576, 1536), (2048, 1536, 576), (2048, 2048, 2048))
"""Rows, inner size and columns of the products; the first two are SmolLM2's own."""
_REPEATS = 5


@dataclass(frozen=True)
class Machine:
    """What a reader needs to compare figures with other machines."""

    processor: str
    instructions: str
    system: str
    python: str
    torch: str
    transformers: str
    lm_eval: str
    threads: int


def describe_machine() -> Machine:
    """Describe this machine and the versions in use."""
    return Machine(
        processor=_processor(),
        instructions=torch.backends.cpu.get_cpu_capability(),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        torch=torch.__version__,
        transformers=_version("transformers"),
        lm_eval=_version("lm-eval"),
        threads=torch.get_num_threads(),
    )


def gemm_peak() -> float:
    """Most floating-point operations per CPU second in a float32 product of `GEMM_SHAPES`."""
    return max(_gemm(*shape) for shape in GEMM_SHAPES)


def peak_memory_mb() -> float:
    """Most memory that this process has held so far, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def _gemm(rows: int, inner: int, columns: int) -> float:
    left, right = torch.randn(rows, inner), torch.randn(inner, columns)
    torch.mm(left, right)
    best = min(_seconds(left, right) for _ in range(_REPEATS))
    return 2 * rows * inner * columns / best


def _seconds(left: torch.Tensor, right: torch.Tensor) -> float:
    start = time.process_time()
    torch.mm(left, right)
    return time.process_time() - start


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    named = {key.strip(): value.strip() for key, value in fields.items()}
    if "model name" not in named:
        return platform.processor() or platform.machine()
    numbers = [named[key] for key in ("cpu family", "model") if key in named]
    return " ".join([named["model name"], *([f"(family {'/'.join(numbers)})"] if numbers else [])])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
