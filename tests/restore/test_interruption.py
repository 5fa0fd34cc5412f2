"""A call killed at any point is completed by another."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.restore.conftest import artifacts

from isogloss.restore.run import restore
from isogloss.restore.words import render

KILL = """\
import os, signal
from pathlib import Path
import {module} as module
from isogloss.restore.run import restore

original, calls = {function}, []

def until_killed(*arguments, **named):
    calls.append(arguments)
    if len(calls) == {nth}:
        os.kill(os.getpid(), signal.SIGKILL)
    return original(*arguments, **named)

{function} = until_killed
{prepare}
restore(Path())
"""

NO_REPLACE_BEFORE_PLACING = """\
Path.replace = original
from isogloss.restore import run
place = run.place
def placing(*arguments):
    Path.replace = until_killed
    place(*arguments)
run.place = placing
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "function", "nth", "prepare", "standing"),
    [
        pytest.param("isogloss.restore.objects", "module._store", 3, "", 0, id="bringing"),
        pytest.param("isogloss.restore.place", "module.hash_file", 4, "", 0, id="copying"),
        pytest.param("pathlib", "Path.replace", 4, NO_REPLACE_BEFORE_PLACING, 3, id="placing"),
        pytest.param("isogloss.restore.run", "module.verify", 1, "", 10, id="verifying"),
        pytest.param("isogloss.restore.run", "module.accept", 1, "", 10, id="accepting"),
    ],
)
def test_killed_call_is_completed(
    recorded, clone, module: str, function: str, nth: int, prepare: str, standing: int
) -> None:
    script = KILL.format(module=module, function=function, nth=nth, prepare=prepare)
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=clone.folder, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert len(artifacts(clone)) == standing
    assert artifacts(clone).items() <= artifacts(recorded).items()
    restored = restore(clone.folder)
    assert restored.ok, render(restored)
    assert artifacts(clone) == artifacts(recorded)
    assert not clone.path(".dvc/tmp/restore").exists()


@pytest.mark.slow
def test_snakemake_trusts_nothing_that_was_not_accepted(clone) -> None:
    """What stands there after a call that was killed looks older than its inputs."""
    script = KILL.format(module="isogloss.restore.run", function="module.verify", nth=1, prepare="")
    subprocess.run([sys.executable, "-c", script], cwd=clone.folder, check=False)
    said = clone.snakemake("--dry-run").stdout
    assert all(f"rule {rule}:" in said for rule in ("fetch", "score", "analysis", "site", "record"))


def test_scratch_folder_of_a_killed_call_is_removed(clone) -> None:
    left: Path = clone.path(".dvc/tmp/restore/files/data/raw/toy/a.txt")
    left.parent.mkdir(parents=True)
    left.write_text("half of it")
    clone.object("data/raw/toy/a.txt").unlink()
    assert not restore(clone.folder).ok
    assert not clone.path(".dvc/tmp/restore").exists()
