"""How `pytest -n` shares the tests out among its processes.

Each process makes a fixture for itself. Tests that share an expensive one therefore stay together,
in one process. What takes longest starts first, so that no process is left with it at the end.
"""

import os
from collections.abc import Sequence

import pytest
from xdist.scheduler import LoadScopeScheduling

TOGETHER = (
    "tests/crate/",
    "tests/publish/rendered/",
    "tests/record/",
    "tests/reproduce/",
    "tests/restore/",
    "tests/workflow/",
)
"""Folders whose tests stay in one process; elsewhere the tests of a file do."""

FIRST = ("tests/workflow/", "tests/record/")
"""What takes longest, in the order in which it starts."""

MEMORY = 3 * 2**30
"""Bytes that a process may come to need: models, pages and figures that its tests had."""

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Distribution(LoadScopeScheduling):
    """Hands out whole groups, in the order of the tests."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


def group_of(nodeid: str) -> str:
    """Return what stays together with a test: a folder of `TOGETHER`, or else its file."""
    folders = (folder for folder in TOGETHER if nodeid.startswith(folder))
    return next(folders, nodeid.split("::", 1)[0])


def in_order(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the tests with those first that `FIRST` names, then the other files with slow ones."""
    slow = {group_of(item.nodeid) for item in items if item.get_closest_marker("slow")}

    def place(item: pytest.Item) -> tuple[int, bool]:
        group = group_of(item.nodeid)
        named = (n for n, name in enumerate(FIRST) if group.startswith(name))
        return next(named, len(FIRST)), group not in slow

    return sorted(items, key=place)


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processes() -> int:
    """Return how many processes there may be: one for each core, as far as the memory suffices."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(cores(), memory // MEMORY))


def share_cores(processes: int) -> None:
    """Give each of so many processes, and what it starts, its share of the cores as threads."""
    for name in THREADS:
        os.environ.setdefault(name, str(max(1, cores() // processes)))
