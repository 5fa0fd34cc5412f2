"""`isogloss verify` on the real record: whatever is altered is found and named."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
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


def test_one_flipped_byte_with_its_time_put_back_is_named(copied: Callable[[], Run]) -> None:
    run = copied()
    for artifact in ARTIFACTS:
        path = run.folder / artifact
        original, times = path.read_bytes(), path.stat()
        flipped = bytearray(original)
        flipped[len(flipped) // 2] ^= 1
        path.write_bytes(flipped)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        done = run.isogloss("verify", "--no-workflow")
        assert (done.returncode, str(artifact) in done.stdout) == (1, True), done.stdout
        path.write_bytes(original)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert run.isogloss("verify", "--no-workflow").returncode == 0


def test_a_deleted_artifact_is_named(copied: Callable[[], Run]) -> None:
    run = copied()
    (run.folder / INTERRUPTIBLE).unlink()
    done = run.isogloss("verify", "--no-workflow")
    assert done.returncode == 1
    assert str(INTERRUPTIBLE) in done.stdout


@pytest.mark.parametrize("folder", ["data/results/hedging", "reports/_site", "data/raw"])
def test_a_stray_file_is_named(copied: Callable[[], Run], folder: str) -> None:
    run = copied()
    (run.folder / folder / "stray.csv").write_text("1\n", encoding="utf-8")
    done = run.isogloss("verify", "--no-workflow")
    assert done.returncode == 1
    assert f"{folder}/stray.csv" in done.stdout


def test_no_record_is_no_success(copied: Callable[[], Run]) -> None:
    run = copied()
    (run.folder / "dvc.lock").unlink()
    assert run.isogloss("verify").returncode == 2
