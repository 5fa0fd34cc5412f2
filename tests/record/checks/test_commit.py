"""The record against the commit; a record that a run made here is told from an edited one."""

import os
import shutil
from pathlib import Path

import pytest
from tests.record.conftest import Project

from isogloss.record.checks.commit import CommitCheck
from isogloss.record.receipts import keep_receipt

LENIENT, STRICT = CommitCheck(), CommitCheck(demanded=True)


def _kinds(outcome) -> list[tuple[str, str]]:
    return [(finding.kind, finding.path) for finding in outcome.findings]


@pytest.mark.parametrize("check", [LENIENT, STRICT])
def test_a_committed_record_is_verified(recorded: Project, check: CommitCheck) -> None:
    outcome = check.run(recorded.folder)
    commit = recorded.git("rev-parse", "HEAD")[:12]
    assert outcome.status == "verified"
    assert commit in outcome.summary


def test_an_edited_record_is_uncommitted(project: Project) -> None:
    project.edit("dvc.lock", "size: ", "size:  ")
    outcome = LENIENT.run(project.folder)
    assert _kinds(outcome) == [("uncommitted", "dvc.lock")]
    assert outcome.findings[0].recorded == project.git("rev-parse", "HEAD:dvc.lock").strip()


def test_a_record_that_was_made_here_is_said_and_refused_on_demand(project: Project) -> None:
    project.edit("dvc.lock", "size: ", "size:  ")
    keep_receipt(project.folder, project.folder)
    outcome = LENIENT.run(project.folder)
    assert outcome.status == "verified"
    assert "dvc.lock recorded by a run here and not committed yet" in outcome.summary
    assert _kinds(STRICT.run(project.folder)) == [("uncommitted", "dvc.lock")]
    project.edit("dvc.lock", "size:  ", "size:   ")
    assert _kinds(LENIENT.run(project.folder)) == [("uncommitted", "dvc.lock")]


def test_same_size_and_time_do_not_hide_an_edit(project: Project) -> None:
    """Git itself believes them."""
    path = project.path("dvc.lock")
    project.git("status")
    times = path.stat()
    project.edit("dvc.lock", "schema: '2.0'", "schema: '2.1'")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert _kinds(LENIENT.run(project.folder)) == [("uncommitted", "dvc.lock")]


def test_other_edited_files_are_counted_or_on_demand_named(project: Project) -> None:
    project.edit("Snakefile", "item", "Item")
    project.path("profiles/default/config.yaml").unlink()
    project.path("new").write_text("not in the commit")
    lenient = LENIENT.run(project.folder)
    assert lenient.status == "verified"
    said = "2 other files of the commit differ here, a finding with --commit only: "
    assert lenient.summary.endswith(f"{said}Snakefile, profiles/default/config.yaml")
    strict = STRICT.run(project.folder)
    assert _kinds(strict) == [
        ("uncommitted", "Snakefile"),
        ("uncommitted", "profiles/default/config.yaml"),
    ]
    assert strict.findings[1].found is None


def test_a_link_in_place_of_a_committed_file_is_named(project: Project) -> None:
    project.path("Snakefile").rename(project.path("elsewhere"))
    project.path("Snakefile").symlink_to("elsewhere")
    assert _kinds(STRICT.run(project.folder)) == [("uncommitted", "Snakefile")]


def test_a_committed_link_is_no_difference(project: Project) -> None:
    project.path("link").symlink_to("Snakefile")
    project.git("add", "link")
    project.git("commit", "--quiet", "--message", "Add a link")
    assert STRICT.run(project.folder).status == "verified"


def test_a_record_that_was_never_committed(project: Project) -> None:
    project.git("rm", "--quiet", "--cached", "dvc.lock", "dvc.yaml")
    project.git("commit", "--quiet", "--message", "Forget the record")
    assert "not committed yet" in LENIENT.run(project.folder).summary
    project.path(".dvc/tmp/isogloss-records").unlink()
    outcome = LENIENT.run(project.folder)
    assert _kinds(outcome) == [("uncommitted", "dvc.yaml"), ("uncommitted", "dvc.lock")]
    assert "is not in commit" in outcome.findings[0].note


def test_line_ends_that_git_changes_by_itself_are_no_difference(project: Project) -> None:
    project.git("config", "core.autocrlf", "true")
    lock = project.path("dvc.lock")
    lock.write_bytes(lock.read_bytes().replace(b"\n", b"\r\n"))
    assert LENIENT.run(project.folder).status == "verified"


def test_a_project_in_a_folder_of_a_repository(recorded: Project, tmp_path: Path) -> None:
    shutil.copytree(recorded.folder, tmp_path / "all/part", ignore=shutil.ignore_patterns(".git"))
    repository, part = Project(tmp_path / "all"), Project(tmp_path / "all/part")
    repository.git("init", "--quiet")
    repository.path("other").write_text("1")
    assert LENIENT.run(part.folder).status == "not_checked"
    repository.git("add", ".")
    repository.git("commit", "--quiet", "--message", "All")
    repository.path("other").write_text("2")
    assert STRICT.run(part.folder).status == "verified"
    part.edit("dvc.yaml", "stages:", "stages: ")
    assert _kinds(STRICT.run(part.folder)) == [("uncommitted", "dvc.yaml")]


@pytest.mark.parametrize("check", [LENIENT, STRICT])
def test_without_git_or_a_commit_nothing_could_be_checked(
    project: Project, check: CommitCheck
) -> None:
    keep_receipt(project.folder, project.folder)
    shutil.rmtree(project.path(".git"))
    outcome = check.run(project.folder)
    assert outcome.status == "not_checked"
    assert "no git commit to compare" in outcome.not_checked[0]
    project.git("init", "--quiet")
    assert check.run(project.folder).status == "not_checked"


def test_without_a_record_nothing_could_be_checked(project: Project) -> None:
    project.path("dvc.lock").unlink()
    outcome = LENIENT.run(project.folder)
    assert outcome.status == "not_checked"
    assert "dvc.lock does not exist" in outcome.not_checked[0]
