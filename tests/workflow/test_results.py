"""Only what the rules' commands wrote is recorded, whatever the times of the files are."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.workflow.conftest import Run

from isogloss.record.lock import read_lock
from isogloss.record.written import last_written
from isogloss.stage_outputs import JOB

pytestmark = [pytest.mark.slow, pytest.mark.mirror]

RESULTS = Path("data/results/hedging")
EFFECTS = RESULTS / "effects.csv"
ITEMS = Path("data/items/hedging/own/items.csv")


def edit_in_secret(path: Path) -> None:
    """Change a digit of a result, and put the time of the file back."""
    times, content = path.stat(), path.read_bytes()
    place = max(content.rfind(digit) for digit in (b"1", b"2", b"3"))
    path.write_bytes(content[:place] + b"4" + content[place + 1 :])
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def refused(run: Run) -> str:
    done = run.isogloss("record")
    assert done.returncode == 2, done.stdout
    assert "delete these and run `snakemake --cores all` again" in done.stdout
    return done.stdout


def assert_recorded(run: Run) -> None:
    done = run.isogloss("record")
    assert done.returncode == 0, done.stdout
    assert run.isogloss("verify", "--no-workflow", "--no-models").returncode == 0


def test_every_command_notes_every_output_of_its_rule(finished: tuple[Run, str]) -> None:
    folder = finished[0].folder
    lock = read_lock(folder / "dvc.lock")
    for stage in lock.stages.values():
        for out in stage.outs:
            written = last_written(folder, out.path)
            assert written is not None, out.path
            assert len(written.files) == out.nfiles


def test_an_edit_with_its_time_put_back_is_refused_until_it_is_deleted(
    copied: Callable[[], Run],
) -> None:
    """Also after the rules that read the file have run again."""
    run = copied()
    edit_in_secret(run.folder / EFFECTS)
    shutil.rmtree(run.folder / "reports/_generated")
    done = run("snakemake", "--cores", "all")
    assert done.returncode != 0
    said = f"  {EFFECTS} (rule analysis_hedging): has other bytes than its rule wrote"
    assert said in done.stdout
    (run.folder / EFFECTS).unlink()
    run.snakemake()
    assert run.isogloss("verify").returncode == 0


def test_a_job_notes_nothing_of_what_stands_beside_its_outputs(copied: Callable[[], Run]) -> None:
    """An edit of the items, in whose folder the verdicts are, is not taken for a result."""
    run = copied()
    before = last_written(run.folder, ITEMS.as_posix())
    edit_in_secret(run.folder / ITEMS)
    job = Run(run.folder, {**run.environment, JOB: "yes"})
    done = job.isogloss("validate", "hedging", "own", "--folder", str(ITEMS.parent))
    assert done.returncode == 0, done.stdout
    assert last_written(run.folder, ITEMS.as_posix()) == before


def test_an_older_file_moved_into_the_place_of_a_result_is_refused(
    copied: Callable[[], Run],
) -> None:
    run = copied()
    older = run.folder / "older.csv"
    shutil.copy2(run.folder / EFFECTS, older)
    edit_in_secret(older)
    os.utime(older, (0, 0))
    older.replace(run.folder / EFFECTS)
    assert f"  {EFFECTS} (rule analysis_hedging): has other bytes" in refused(run)


def test_a_page_that_is_edited_added_or_gone_is_refused(copied: Callable[[], Run]) -> None:
    run = copied()
    site = run.folder / "reports/_site"
    edit_in_secret(site / "index.html")
    (site / "audit.html").unlink()
    (site / "more.html").write_text("more", encoding="utf-8")
    os.utime(site / "more.html", (0, 0))
    said = refused(run)
    line = "  reports/_site (rule report): reports/_site/"
    assert f"{line}index.html has other bytes" in said
    assert f"{line}audit.html is gone" in said
    assert f"{line}more.html was not written by its rule" in said


def test_a_command_given_by_hand_that_writes_what_its_rule_wrote_is_no_hindrance(
    copied: Callable[[], Run],
) -> None:
    run = copied()
    done = run.isogloss("analysis", "hedging", f"--out={run.folder / RESULTS}", "--quiet")
    assert done.returncode == 0, done.stdout
    run.snakemake()
    assert_recorded(run)


def test_results_of_a_setting_that_was_changed_and_put_back_are_refused(
    copied: Callable[[], Run],
) -> None:
    """The file is newer than its inputs, and all that Snakemake knows is as it was."""
    run = copied()
    config = run.folder / "config/config.yaml"
    text = config.read_text(encoding="utf-8")
    assert "alpha: 0.05" in text
    config.write_text(text.replace("alpha: 0.05", "alpha: 0.01"), encoding="utf-8")
    done = run.isogloss("analysis", "hedging", "--out", str(RESULTS))
    assert done.returncode == 0, done.stdout
    config.write_text(text, encoding="utf-8")
    done = run("snakemake", "--cores", "all")
    assert done.returncode != 0
    assert f"  {EFFECTS} (rule analysis_hedging): has other bytes than its rule" in done.stdout


def test_a_copy_that_does_not_keep_the_times_of_files_is_recorded(
    copied: Callable[[], Run], tmp_path: Path
) -> None:
    run = copied()
    subprocess.run(["cp", "-r", run.folder, tmp_path / "copy"], check=True)
    copy = Run(tmp_path / "copy", run.environment)
    copy.snakemake()
    assert_recorded(copy)


def test_a_run_without_notes_is_held_to_the_times_of_its_files(copied: Callable[[], Run]) -> None:
    run = copied()
    shutil.rmtree(run.folder / ".dvc/tmp/isogloss-written")
    assert_recorded(run)
    times = (run.folder / EFFECTS).stat()
    os.utime(run.folder / EFFECTS)
    assert f"  {EFFECTS} (rule analysis_hedging): younger than the end" in refused(run)
    os.utime(run.folder / EFFECTS, ns=(times.st_atime_ns, times.st_mtime_ns))
    shutil.rmtree(run.folder / ".snakemake/metadata")
    assert f"  {ITEMS} (rule stimuli): nothing tells that its rule wrote it" in refused(run)


def test_a_restored_run_is_recorded_after_a_part_of_it_ran_again(
    copied: Callable[[], Run], tmp_path: Path
) -> None:
    run = copied()
    for command in (["add", "-A"], ["commit", "-q", "-m", "run"]):
        git(run.folder, *command)
    for command in (["remote", "add", "--default", "store", str(tmp_path / "store")], ["push"]):
        done = run("dvc", *command)
        assert done.returncode == 0, done.stdout
    git(run.folder, "commit", "-q", "-a", "-m", "remote")
    git(tmp_path, "clone", "-q", str(run.folder), "clone")
    clone = Run(tmp_path / "clone", run.environment)
    done = clone.isogloss("restore")
    assert done.returncode == 0, done.stdout
    (clone.folder / EFFECTS).unlink()
    clone.snakemake()
    assert_recorded(clone)
    edit_in_secret(clone.folder / ITEMS)
    assert f"  {ITEMS} (rule stimuli): has other bytes" in refused(clone)


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True)
