"""Two processes that convert one file; what a conversion gives is tested with `load_model`."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from isogloss.fetch.obtain import sha256_of
from isogloss.models import gguf

_FORK = multiprocessing.get_context("fork")
"""The processes write a few files and touch no model, so that they may be forked."""


def _wait_for(path: Path) -> None:
    while not path.exists():
        time.sleep(0.01)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which conversions leave a file each; they wait for a file `go` there."""
    folder = tmp_path / "log"
    folder.mkdir()

    def write(name: str, source: Path, out: Path) -> None:
        (folder / f"begun-{os.getpid()}").touch()
        _wait_for(folder / "go")
        out.mkdir()
        (out / "config.json").write_text("{}")
        hashes = {"config.json": sha256_of(out / "config.json")}
        (out / "complete.json").write_text(json.dumps(hashes))
        (folder / f"done-{os.getpid()}").touch()

    monkeypatch.setattr(gguf, "_write", write)
    return folder


def _start(cache: Path, log: Path) -> BaseProcess:
    def convert() -> None:
        (log / f"asked-{os.getpid()}").touch()
        gguf.converted("m", cache / "m.gguf", "m.gguf", "0" * 64)

    process = _FORK.Process(target=convert)
    process.start()
    _wait_for(log / f"asked-{process.pid}")
    return process


def _names(folder: Path, beginning: str) -> list[str]:
    return [path.name for path in folder.glob(f"{beginning}-*")]


def test_of_two_processes_one_converts_and_the_other_waits(cache: Path, log: Path) -> None:
    both = [_start(cache, log), _start(cache, log)]
    (log / "go").touch()
    for process in both:
        process.join()
        assert process.exitcode == 0
    assert len(_names(log, "begun")) == len(_names(log, "done")) == 1
    (made,) = (cache / "converted").iterdir()
    assert sorted(path.name for path in made.iterdir()) == ["complete.json", "config.json"]


def test_a_killed_conversion_leaves_no_lock_and_nothing_in_the_way(cache: Path, log: Path) -> None:
    killed = _start(cache, log)
    _wait_for(log / f"begun-{killed.pid}")
    waiting = _start(cache, log)
    assert killed.pid is not None
    os.kill(killed.pid, signal.SIGKILL)
    killed.join()
    (log / "go").touch()
    waiting.join()
    assert waiting.exitcode == 0
    assert _names(log, "done") == [f"done-{waiting.pid}"]
    (made,) = (cache / "converted").iterdir()
    assert not made.name.startswith(".partial")


_LOAD = """
import sys
from pathlib import Path
from isogloss.config.schema import TransformersModel
from isogloss.models import gguf
from isogloss.models.local import load_model

write = gguf._write
def told(*where):
    print("converting")
    write(*where)
gguf._write = told
config = TransformersModel(backend="transformers", path="model.gguf")
print(load_model("tiny", config, {}, Path(sys.argv[1])).identity.digest)
"""


@pytest.mark.slow
def test_two_processes_load_one_file_and_convert_it_once(place: Path, cache: Path) -> None:
    def start() -> Any:
        command = [sys.executable, "-c", _LOAD, str(place)]
        environment = {**os.environ, "ISOGLOSS_CACHE": str(cache)}
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)

    both = [start(), start()]
    said = [process.communicate()[0].split() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert said[0][-1] == said[1][-1]
    assert sum("converting" in words for words in said) == 1
