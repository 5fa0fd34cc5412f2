"""Two runs in one folder: the second is refused, and a killed one leaves nothing behind."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from isogloss.errors import RecordError
from isogloss.record.run_lock import run_lock

_HOLD = """
import sys
from pathlib import Path
from isogloss.record.run_lock import run_lock
run_lock(Path(sys.argv[1]))
run_lock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def _holder(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lock until it is stopped."""
    command = [sys.executable, "-c", _HOLD, str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_second_process_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    with _holder(tmp_path) as first:
        with pytest.raises(RecordError, match=f"another run .* {tmp_path}"):
            run_lock(tmp_path)
        first.send_signal(signal.SIGKILL)
        first.wait()
        with _holder(tmp_path), pytest.raises(RecordError, match="another run"):
            run_lock(tmp_path)


def test_run_of_the_workflow_is_refused_and_leaves_everything(project) -> None:
    project.path("data/results/toy/all.csv").unlink()
    with _holder(project.folder):
        refused = project.snakemake()
        looked = project.snakemake("--dry-run")
    assert refused.returncode != 0
    assert "another run of the workflow is going on" in refused.stdout + refused.stderr
    assert project.path("dvc.lock").exists()
    assert looked.returncode == 0


@pytest.mark.slow
def test_plain_run_after_kill_makes_the_unfinished_output_again(project) -> None:
    project.edit(
        "Snakefile", 'cat {input} > {output}"', 'cat {input} > {output}; sleep ${{NAP:-0}}"'
    )
    started = subprocess.Popen(
        ["env", "NAP=4", sys.executable, "-m", "snakemake", "--cores", "1"],
        cwd=project.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with started:
        assert started.stdout is not None
        assert any("rule analysis" in line for line in started.stdout)
        started.kill()
    done = project.snakemake()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "rule analysis" in done.stdout + done.stderr
    assert "rule fetch" not in done.stdout + done.stderr
    assert "sleep" in project.path("dvc.lock").read_text()
