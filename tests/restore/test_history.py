"""Code that is newer than the record is named; where git cannot tell, that is said."""

from pathlib import Path

import pytest
from tests.record.conftest import Project

from isogloss.errors import RecordError
from isogloss.restore.history import changes_since_record

PATHS = ("src", "config.yaml")


@pytest.fixture
def repository(_isolated: None, tmp_path: Path) -> Project:
    project = Project(tmp_path / "repository")
    project.path("src").mkdir(parents=True)
    for name in ("src/code.py", "config.yaml", "dvc.lock", "README.md"):
        project.path(name).write_text("1\n")
    project.git("init", "--quiet", "--initial-branch", "main")
    _commit(project)
    return project


def _commit(project: Project) -> None:
    project.git("add", ".")
    project.git("commit", "--quiet", "--message", "Change")


def _changed(project: Project) -> list[str]:
    return [finding.path for finding in changes_since_record(project.folder, PATHS)]


def test_nothing_changed(repository: Project) -> None:
    assert _changed(repository) == []


def test_other_files_may_change(repository: Project) -> None:
    repository.path("README.md").write_text("2\n")
    _commit(repository)
    assert _changed(repository) == []


@pytest.mark.parametrize("committed", [True, False])
def test_newer_code_is_named(repository: Project, committed: bool) -> None:
    commit = repository.git("rev-parse", "HEAD")[:12]
    repository.path("src/code.py").write_text("2\n")
    repository.path("config.yaml").unlink()
    if committed:
        _commit(repository)
    found = changes_since_record(repository.folder, PATHS)
    assert [finding.path for finding in found] == ["config.yaml", "src/code.py"]
    assert commit in found[0].note


def test_code_committed_with_a_new_record_is_its_own(repository: Project) -> None:
    repository.path("src/code.py").write_text("2\n")
    repository.path("dvc.lock").write_text("2\n")
    _commit(repository)
    assert _changed(repository) == []


def test_lock_that_is_not_committed(repository: Project) -> None:
    repository.path("dvc.lock").write_text("2\n")
    with pytest.raises(RecordError, match="not committed as it stands"):
        _changed(repository)


def test_history_that_is_cut_off(repository: Project, tmp_path: Path) -> None:
    address = repository.folder.as_uri()
    repository.git("clone", "--quiet", "--depth", "1", address, str(tmp_path / "shallow"))
    with pytest.raises(RecordError, match="unshallow"):
        changes_since_record(tmp_path / "shallow", PATHS)


@pytest.mark.usefixtures("_isolated")
def test_folder_without_git(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="git does not say"):
        changes_since_record(tmp_path, PATHS)
