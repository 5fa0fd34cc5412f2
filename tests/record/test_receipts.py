from pathlib import Path

import pytest

from isogloss.errors import RecordError
from isogloss.record.receipts import keep_receipt, was_recorded_here


def _pair(folder: Path, lock: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "dvc.yaml").write_text("stages")
    (folder / "dvc.lock").write_text(lock)
    return folder


def test_every_record_that_was_made_here_is_known(tmp_path: Path) -> None:
    project = _pair(tmp_path / "project", "first")
    assert not was_recorded_here(project)
    for lock in ("first", "second"):
        keep_receipt(_pair(tmp_path / "made", lock), project)
    assert was_recorded_here(project)
    assert was_recorded_here(_pair(project, "second"))
    assert not was_recorded_here(_pair(project, "third"))


def test_an_edited_file_of_the_pair_is_not_known(tmp_path: Path) -> None:
    project = _pair(tmp_path / "project", "first")
    keep_receipt(project, project)
    (project / "dvc.yaml").write_text("edited")
    assert not was_recorded_here(project)


def test_half_a_receipt_is_none_and_does_no_harm(tmp_path: Path) -> None:
    project = _pair(tmp_path / "project", "first")
    path = project / ".dvc/tmp/isogloss-records"
    keep_receipt(project, project)
    half = path.read_text()[:40]
    path.write_text(half)
    assert not was_recorded_here(project)
    keep_receipt(project, project)
    assert was_recorded_here(project)


def test_unreadable_receipts_are_an_error(tmp_path: Path) -> None:
    project = _pair(tmp_path / "project", "first")
    (project / ".dvc/tmp").mkdir(parents=True)
    (project / ".dvc/tmp/isogloss-records").write_bytes(b"\xff")
    with pytest.raises(RecordError, match="delete it"):
        was_recorded_here(project)
