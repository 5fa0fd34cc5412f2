"""`isogloss verify` on the real record: whatever is altered is found and named."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.command_line import Said, command_line
from tests.workflow.conftest import INTERRUPTIBLE, Run

pytestmark = [pytest.mark.slow, pytest.mark.mirror]

ARTIFACTS = [
    Path("data/raw/hedging-questions/hedging_questions.csv"),
    Path("data/items/hedging/own/items.csv"),
    Path("data/items/hedging/published/verdicts.csv"),
    INTERRUPTIBLE,
    Path("data/results/hedging/effects.csv"),
    Path("reports/_variables.yml"),
    Path("reports/_generated/overview.svg"),
    Path("reports/_site/index.html"),
]


Verify = Callable[..., Said]


@pytest.fixture
def run(copied: Callable[[], Run], monkeypatch: pytest.MonkeyPatch) -> Run:
    """A copy of the finished project, which is the current folder."""
    run = copied()
    monkeypatch.chdir(run.folder)
    for name, value in run.environment.items():
        monkeypatch.setenv(name, value)
    return run


@pytest.fixture
def verify(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Verify]:
    """What calls `isogloss verify` in the copy, without a process of its own each time."""
    with command_line(monkeypatch, capsys, "verify") as call:
        yield call


def test_one_flipped_byte_with_its_time_put_back_is_named(run: Run, verify: Verify) -> None:
    for artifact in ARTIFACTS:
        path = run.folder / artifact
        original, times = path.read_bytes(), path.stat()
        flipped = bytearray(original)
        flipped[len(flipped) // 2] ^= 1
        path.write_bytes(flipped)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        said = verify("--no-workflow")
        assert (said.status, str(artifact) in said.out) == (1, True), said.everything
        path.write_bytes(original)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert verify("--no-workflow").status == 0


def test_a_deleted_artifact_is_named(run: Run, verify: Verify) -> None:
    (run.folder / INTERRUPTIBLE).unlink()
    said = verify("--no-workflow")
    assert said.status == 1
    assert str(INTERRUPTIBLE) in said.out


@pytest.mark.parametrize("folder", ["data/results/hedging", "reports/_site", "data/raw"])
def test_a_stray_file_is_named(run: Run, verify: Verify, folder: str) -> None:
    (run.folder / folder / "stray.csv").write_text("1\n", encoding="utf-8")
    said = verify("--no-workflow")
    assert said.status == 1
    assert f"{folder}/stray.csv" in said.out


def test_no_record_is_no_success(run: Run) -> None:
    (run.folder / "dvc.lock").unlink()
    assert run.isogloss("verify").returncode == 2
