from pathlib import Path

import pytest
from tests.record.conftest import Project

from isogloss.errors import RecordError
from isogloss.record.repository import (
    committed,
    git_hashes,
    ignored_paths,
    require_repository,
    tracked_files,
)


def test_git_says_what_it_keeps_and_what_it_ignores(recorded) -> None:
    assert {"Snakefile", "data/stimuli/items.csv"} <= tracked_files(recorded.folder)
    assert "data/raw/toy/a.txt" not in tracked_files(recorded.folder)
    paths = ["data/raw/toy/a.txt", "Snakefile", "not/yet/added"]
    assert ignored_paths(recorded.folder, paths) == {"data/raw/toy/a.txt"}
    assert ignored_paths(recorded.folder, ["Snakefile"]) == frozenset()


def test_outside_git_nothing_is_kept_or_ignored(tmp_path: Path) -> None:
    assert tracked_files(tmp_path) == ignored_paths(tmp_path, ["a"]) == frozenset()


def test_broken_git_repository_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: nowhere")
    with pytest.raises(RecordError, match="git cannot list the files"):
        tracked_files(tmp_path)


def test_missing_dvc_folder_names_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="dvc init --no-scm"):
        require_repository(tmp_path)
    (tmp_path / ".dvc").mkdir()
    require_repository(tmp_path)


def test_no_commit_outside_git_and_before_the_first(tmp_path: Path) -> None:
    assert committed(tmp_path) is None
    Project(tmp_path).git("init", "--quiet")
    assert committed(tmp_path) is None


def test_the_commit_has_the_files_as_git_hashes_them(recorded) -> None:
    head = committed(recorded.folder)
    assert head is not None
    assert head.commit == recorded.git("rev-parse", "HEAD").strip()
    assert set(head.blobs) == tracked_files(recorded.folder)
    assert git_hashes(recorded.folder, head.blobs) == head.blobs
    assert git_hashes(recorded.folder, []) == {}
