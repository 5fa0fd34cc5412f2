"""A small workflow, run with Snakemake's messages and without them."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from isogloss.workflow import run_workflow, without_chatter

SNAKEFILE = """\
import os

rule all:
    input:
        "b",

rule first:
    output:
        "a",
    shell:
        "echo set x is out of reach, quiet: ${{ISOGLOSS_QUIET:-0}} >&2; touch {output}"

rule second:
    input:
        "a",
    output:
        "b",
    shell:
        "test ! -e broken || (echo error: b cannot be made >&2; exit 3); touch {output}"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the workflow, which is the current one."""
    (tmp_path / "Snakefile").write_text(SNAKEFILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ISOGLOSS_QUIET", raising=False)
    return tmp_path


def test_quiet_leaves_what_jobs_warn_of(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_workflow(["--cores", "1"], quiet=True) == 0
    assert capfd.readouterr() == ("", "set x is out of reach, quiet: 1\n")
    assert run_workflow(["--cores", "1"], quiet=True) == 0  # nothing is left to do
    assert capfd.readouterr() == ("", "")


def test_without_quiet_everything_is_said(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_workflow(["--cores", "1"], quiet=False) == 0
    said = capfd.readouterr().err
    assert "set x is out of reach, quiet: 0" in said
    assert "rule second:" in said


def test_quiet_hides_no_error(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "broken").touch()
    assert run_workflow(["--cores", "1"], quiet=True) == 1
    said = capfd.readouterr().err
    assert "error: b cannot be made" in said
    assert "returned non-zero exit status 3" in said
    (folder / "Snakefile").write_text("rule all:\n    input: 'nowhere'\n", encoding="utf-8")
    assert run_workflow(["--cores", "1"], quiet=True) == 1
    assert "MissingInputException" in capfd.readouterr().err


def test_an_interruption_ends_every_job(folder: Path) -> None:
    (folder / "Snakefile").write_text(
        "rule all:\n    output: 'c'\n    shell: 'touch started; sleep 600; touch {output}'\n",
        encoding="utf-8",
    )
    # A shell that runs the tests in the background has interrupts ignored.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    work = "from isogloss.workflow import run_workflow; run_workflow(['--cores', '1'], quiet=True)"
    call = f"{heard}; {work}"
    with subprocess.Popen(
        [sys.executable, "-c", call], start_new_session=True, stderr=subprocess.DEVNULL
    ) as process:
        while not (folder / "started").exists():
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=300) != 0
        with pytest.raises(ProcessLookupError):
            os.killpg(process.pid, 0)
    assert not (folder / "c").exists()


def test_a_line_that_is_not_known_is_kept() -> None:
    lines = ["Building DAG of jobs...\n", "\n", "Execute 12 jobs...\n", "Execute or not\n"]
    assert list(without_chatter(lines)) == ["Execute or not\n"]
