from pathlib import Path

import pytest

from isogloss.errors import RecordError
from isogloss.record.scratch import link_content, scratch_repository


def _write(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("content")
    return path


def test_content_is_linked_not_copied(tmp_path: Path) -> None:
    file = _write(tmp_path / "project/data/folder/file")
    _write(tmp_path / "project/data/folder/.snakemake_timestamp")
    link_content(["data/folder", "data/folder/file"], tmp_path / "project", tmp_path / "scratch")
    linked = [path for path in (tmp_path / "scratch").rglob("*") if path.is_file()]
    assert linked == [tmp_path / "scratch/data/folder/file"]
    assert linked[0].samefile(file)


def test_where_links_are_impossible_content_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise PermissionError

    monkeypatch.setattr("os.link", refuse)
    file = _write(tmp_path / "project/file")
    link_content(["file"], tmp_path / "project", tmp_path / "scratch")
    assert (tmp_path / "scratch/file").read_text() == "content"
    assert not (tmp_path / "scratch/file").samefile(file)


def test_what_cannot_be_recorded_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/link").symlink_to(tmp_path)
    with pytest.raises(RecordError, match=r"folder/link is no file"):
        link_content(["folder"], tmp_path, tmp_path / "scratch")
    with pytest.raises(RecordError, match=r"gone does not exist: no `temp\(\)` output"):
        link_content(["gone"], tmp_path, tmp_path / "scratch")


def test_one_user_at_a_time_and_nothing_left(tmp_path: Path) -> None:
    (tmp_path / ".dvc").mkdir()
    (tmp_path / ".dvc/config").write_text("[cache]\n    dir = ../../store\n")
    with scratch_repository(tmp_path) as scratch:
        settings = (scratch / ".dvc/config").read_text()
        assert f"dir = {tmp_path.parent / 'store'}\n" in settings
        with pytest.raises(RecordError, match="already"), scratch_repository(tmp_path):
            pass
        assert scratch.exists()
    assert not scratch.exists()
