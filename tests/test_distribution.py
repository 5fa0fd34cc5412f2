"""The tests are shared out among processes by what they share, and what takes long comes first."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.distribution import FIRST, TOGETHER, group_of, in_order, processes, share_cores

CONFTEST = """\
import json
import os
from pathlib import Path

import pytest
from tests import distribution
from tests.conftest import (
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_xdist_auto_num_workers,
    pytest_xdist_make_scheduler,
)

distribution.TOGETHER = ("b/",)
distribution.FIRST = ("c/test_last.py", "b/")


@pytest.fixture(autouse=True)
def _noted(request):
    assert os.environ["OMP_NUM_THREADS"] == str(max(1, distribution.cores() // 2))
    said = [request.node.nodeid, os.environ["PYTEST_XDIST_WORKER"]]
    with Path("ran.jsonl").open("a") as stream:
        stream.write(json.dumps(said) + "\\n")
"""
FILES = ("a/test_quick.py", "a/test_slow.py", "b/test_one.py", "b/z/test_two.py", "c/test_last.py")
PLAIN = "def test_first(): pass\ndef test_second(): pass\ndef test_third(): pass\n"


@pytest.mark.parametrize("name", sorted({*TOGETHER, *FIRST}))
def test_what_is_named_is_there(name: str, project: Path) -> None:
    path = project / name
    assert path.is_dir() == name.endswith("/")
    assert path.exists()


def test_a_group_is_a_file_or_a_folder_of_those_that_stay_together() -> None:
    assert group_of("tests/stats/test_tests.py::TestSign::test_ties[1::2]") == (
        "tests/stats/test_tests.py"
    )
    for folder in TOGETHER:
        assert group_of(f"{folder}deeper/test_x.py::test_y") == folder


@dataclass(frozen=True)
class Item:
    """A test, of which only this is asked."""

    nodeid: str
    slow: bool = False

    def get_closest_marker(self, name: str) -> object:
        assert name == "slow"
        return self.slow or None


def test_what_takes_long_comes_first_and_else_nothing_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.distribution.FIRST", ("e/", "d/test_x.py"))
    monkeypatch.setattr("tests.distribution.TOGETHER", ("b/",))
    names = (
        "a.py::1",
        "a.py::2",
        "b/x.py::1",
        "b/y.py::1",
        "c.py::1",
        "d/test_x.py::1",
        "e/z.py::1",
    )
    found = in_order([Item(name, slow=name == "b/y.py::1") for name in names])
    assert [item.nodeid for item in found] == [names[n] for n in (6, 5, 2, 3, 0, 1, 4)]


@pytest.mark.parametrize(("cores", "gigabytes", "number"), [(4, 64, 4), (64, 16, 5), (2, 1, 1)])
def test_processes_fit_cores_and_memory(
    monkeypatch: pytest.MonkeyPatch, cores: int, gigabytes: int, number: int
) -> None:
    sizes = {"SC_PAGE_SIZE": 2**12, "SC_PHYS_PAGES": gigabytes * 2**18}
    monkeypatch.setattr("tests.distribution.cores", lambda: cores)
    monkeypatch.setattr("os.sysconf", sizes.__getitem__)
    assert processes() == number


def test_threads_are_shared_and_what_is_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.distribution.cores", lambda: 8)
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "6")
    share_cores(3)
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    assert [os.environ[name] for name in names] == ["5", "6", "2"]


def test_groups_run_whole_in_one_process_and_in_order(tmp_path: Path, project: Path) -> None:
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        mark = "import pytest\npytestmark = pytest.mark.slow\n" if "slow" in name else ""
        path.write_text(mark + PLAIN)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow\n")
    command = [sys.executable, "-m", "pytest", "-n", "2", "--import-mode=importlib"]
    inherited = ("PYTEST", "NUM_THREADS")
    environment = {n: text for n, text in os.environ.items() if not any(i in n for i in inherited)}
    environment["PYTHONPATH"] = os.pathsep.join([str(project), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in (tmp_path / "ran.jsonl").read_text().splitlines()]
    assert len(rows) == 3 * len(FILES)
    assert {worker for _, worker in rows} == {"gw0", "gw1"}
    workers = {name: {w for test, w in rows if test.startswith(name)} for name in (*FILES, "b/")}
    assert [name for name, found in workers.items() if len(found) != 1] == []
    first = {worker: test.split("::")[0] for test, worker in reversed(rows)}
    assert set(first.values()) == {"c/test_last.py", "b/test_one.py"}
