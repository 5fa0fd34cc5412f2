"""A run of the workflow leaves dvc.yaml and dvc.lock, and nothing else changes."""

import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from isogloss.errors import RecordError
from isogloss.record.lock import read_lock
from isogloss.record.receipts import was_recorded_here
from isogloss.record.recording import record
from isogloss.record.scratch import commit


def test_run_records_every_artifact_of_every_rule(recorded) -> None:
    lock = read_lock(recorded.path("dvc.lock"))
    assert sorted(out.path for out in lock.artifacts) == [
        "data/code.sha256",
        "data/raw/toy/a.txt",
        "data/raw/toy/b.1.txt",
        "data/responses/toy/a.one",
        "data/responses/toy/a.two",
        "data/responses/toy/b.1.one",
        "data/responses/toy/b.1.two",
        "data/results/toy/all.csv",
        "reports/_site",
    ]
    assert [dep.path for dep in lock.inputs] == ["data/stimuli", "data/stimuli/items.csv"]
    assert list(lock.stages) == [
        "fetch-a",
        "fetch-b-1",
        "list_code",
        "score-a",
        "score-b-1",
        "analysis",
        "site",
    ]


def test_commands_are_those_of_the_rules(recorded) -> None:
    stages = read_lock(recorded.path("dvc.lock")).stages
    assert stages["fetch-a"].cmd == "sed 's/item/a/' data/stimuli/items.csv > data/raw/toy/a.txt"
    assert stages["score-a"].cmd == (
        "cat data/raw/toy/a.txt > data/responses/toy/a.one\n"
        '        printf \'%s "%s"\\n\' "it\'s" "${HOME:+a}" > data/responses/toy/a.two'
    )


def test_dvc_agrees_and_git_sees_only_the_record(recorded) -> None:
    assert "up to date" in recorded.dvc("status")
    assert recorded.git("status", "--short") == ""
    tracked = recorded.git("ls-files").split()
    assert {"dvc.yaml", "dvc.lock"} <= set(tracked)
    assert not [path for path in tracked if path.startswith(("data/raw", "data/results"))]


def test_second_run_does_nothing(project) -> None:
    done = project.snakemake()
    assert done.returncode == 0
    assert "Nothing to be done" in done.stdout + done.stderr


def test_recording_again_gives_the_same_files_and_touches_no_artifact(project) -> None:
    artifacts = [path for path in project.path("data").rglob("*") if path.is_file()]
    before = [(path.stat().st_mtime_ns, path.stat().st_ino) for path in artifacts]
    texts = [project.path(name).read_bytes() for name in ("dvc.yaml", "dvc.lock")]
    verification = record(project.folder)
    assert [project.path(name).read_bytes() for name in ("dvc.yaml", "dvc.lock")] == texts
    assert [(path.stat().st_mtime_ns, path.stat().st_ino) for path in artifacts] == before
    assert all(path.stat().st_mode & 0o200 for path in artifacts)
    assert (verification.stages, verification.artifacts, verification.inputs) == (7, 10, 2)
    assert not list(project.path(".dvc/tmp").glob("record/*"))


def test_dvc_reports_an_edited_rule_that_was_not_run(project) -> None:
    project.edit("dvc.yaml", "sed 's/item/a/'", "sed 's/item/A/'")
    assert re.search(r"fetch-a:\s+changed command", project.dvc("status"))


def test_changed_source_is_refused_and_the_old_record_stays(project) -> None:
    old = [project.path(name).read_bytes() for name in ("dvc.yaml", "dvc.lock")]
    project.path("data/stimuli/items.csv").write_text("item 3\n")
    with pytest.raises(RecordError, match=r"data/raw/toy/a.txt \(rule fetch\)"):
        record(project.folder)
    assert [project.path(name).read_bytes() for name in ("dvc.yaml", "dvc.lock")] == old


def test_artifact_whose_source_is_gone_is_no_source(project) -> None:
    """Snakemake takes an output that it cannot make again as given."""
    project.path("data/stimuli/items.csv").unlink()
    with pytest.raises(RecordError, match=r"data/raw/toy/a\.txt, data/raw/toy/b\.1\.txt"):
        record(project.folder)


def test_file_that_changes_while_it_is_recorded_is_refused(
    project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def commit_and_change(scratch: Path) -> None:
        commit(scratch)
        project.path("data/results/toy/all.csv").write_text("changed\n")

    monkeypatch.setattr("isogloss.record.recording.commit", commit_and_change)
    old = project.path("dvc.lock").read_bytes()
    with pytest.raises(RecordError, match=r"differs: data/results/toy/all\.csv"):
        record(project.folder)
    assert project.path("dvc.lock").read_bytes() == old


@pytest.mark.slow
def test_killed_record_leaves_the_old_one_and_does_not_hinder_the_next(project) -> None:
    code = """
        import os, signal
        from pathlib import Path
        from isogloss.record import recording
        recording._require_unchanged = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        recording.record(Path())
    """
    old = [project.path(name).read_bytes() for name in ("dvc.yaml", "dvc.lock")]
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], cwd=project.folder, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert project.path(".dvc/tmp/record/dvc.lock").exists()
    assert [project.path(name).read_bytes() for name in ("dvc.yaml", "dvc.lock")] == old
    record(project.folder)
    assert [project.path(name).read_bytes() for name in ("dvc.yaml", "dvc.lock")] == old
    assert not project.path(".dvc/tmp/record").exists()


@pytest.mark.slow
def test_works_outside_git_and_keeps_git_files_out_of_the_cache_inside(project) -> None:
    project.git("add", "--force", "data/raw/toy/a.txt")
    record(project.folder)
    assert "data/raw/toy/a.txt:\n        cache: false" in project.path("dvc.yaml").read_text()
    assert "up to date" in project.dvc("status")
    project.path(".git").rename(project.path("git-of-before"))
    record(project.folder)
    assert "cache: false" not in project.path("dvc.yaml").read_text()


def test_run_leaves_a_receipt(recorded) -> None:
    assert was_recorded_here(recorded.folder)
