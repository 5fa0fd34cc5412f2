"""Notes of what jobs wrote: whole, of the project only, and by output."""

import json
import os
import threading
from pathlib import Path

import pytest

from isogloss.errors import RecordError
from isogloss.record.hashing import hash_bytes
from isogloss.record.lock import Lock
from isogloss.record.written import keep_recorded, keep_written, last_written


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project/.dvc").mkdir(parents=True)
    (tmp_path / "project/data").mkdir()
    return tmp_path / "project"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def notes(project: Path) -> list[Path]:
    return sorted((project / ".dvc/tmp/isogloss-written").glob("**/*"))


def test_a_file_is_noted_in_place_of_what_was_noted_before(project: Path) -> None:
    assert last_written(project, "data/a.csv") is None
    for text in ("first", "second"):
        file = write(project / "data/a.csv", text)
        keep_written(project, file, [file])
    written = last_written(project, "data/a.csv")
    assert written is not None
    assert written.files == {"data/a.csv": hash_bytes(b"second")}
    assert len(notes(project)) == 1
    assert last_written(project, "data") is None


def test_of_a_folder_only_the_files_that_were_written_are_noted(project: Path) -> None:
    folder = project / "site"
    files = [write(folder / name, name) for name in ("index.html", "pages/1.html")]
    write(folder / "of-before.html", "not written now")
    keep_written(project, folder, files)
    written = last_written(project, "site")
    assert written is not None
    assert written.files == {
        "site/index.html": hash_bytes(b"index.html"),
        "site/pages/1.html": hash_bytes(b"pages/1.html"),
    }


def test_a_path_is_the_same_however_it_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(project / "data/a.csv", "")
    link = project.parent / "link"
    link.symlink_to(project)
    monkeypatch.chdir(project)
    for output in (Path("data/a.csv"), Path("data/../data/a.csv"), link / "data/a.csv"):
        file.write_text(str(output))
        keep_written(project, output, [output])
        written = last_written(project, "data/a.csv")
        assert written is not None
        assert written.files == {"data/a.csv": hash_bytes(bytes(output))}
    assert len(notes(project)) == 1


def test_a_folder_that_is_a_link_to_another_disk_is_of_the_project(project: Path) -> None:
    (project.parent / "disk").mkdir()
    (project / "data/results").symlink_to(project.parent / "disk")
    file = write(project / "data/results/a.csv", "a")
    keep_written(project, file, [file])
    assert last_written(project, "data/results/a.csv") is not None


def test_nothing_is_noted_outside_a_project(project: Path) -> None:
    outside = write(project.parent / "a.csv", "a")
    keep_written(project, outside, [outside])
    assert sorted(project.rglob("*")) == [project / ".dvc", project / "data"]
    (project / ".dvc").rmdir()
    file = write(project / "data/a.csv", "a")
    keep_written(project, file, [file])
    assert sorted(project.rglob("*")) == [project / "data", file]


def test_a_long_path_and_one_that_is_no_text_are_noted(project: Path) -> None:
    for name in ("x" * 250, os.fsdecode(b"\xff.csv")):
        file = write(project / "data" / name, "a")
        keep_written(project, file, [file])
    assert len(notes(project)) == 2
    assert last_written(project, f"data/{'x' * 250}") is not None


def test_a_note_that_cannot_be_written_whole_leaves_the_one_of_before(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(project / "data/a.csv", "first")
    keep_written(project, file, [file])
    file.write_text("second")

    def fails(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(OSError, match="No space"):
        keep_written(project, file, [file])
    written = last_written(project, "data/a.csv")
    assert written is not None
    assert written.files == {"data/a.csv": hash_bytes(b"first")}
    assert len(notes(project)) == 1


def test_many_at_once_leave_one_whole_note(project: Path) -> None:
    file = write(project / "data/a.csv", "a" * 100_000)
    threads = [
        threading.Thread(target=keep_written, args=(project, file, [file])) for _ in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    written = last_written(project, "data/a.csv")
    assert written is not None
    assert written.files == {"data/a.csv": hash_bytes(file.read_bytes())}
    assert len(notes(project)) == 1


@pytest.mark.parametrize("text", ["", '{"output": "data/a.csv"}', "\xff"])
def test_a_note_that_cannot_be_read_is_named_with_the_remedy(project: Path, text: str) -> None:
    file = write(project / "data/a.csv", "a")
    keep_written(project, file, [file])
    [note] = notes(project)
    note.write_text(text, encoding="latin-1")
    with pytest.raises(RecordError, match=rf"{note.name} cannot be read.*delete it and data/a.csv"):
        last_written(project, "data/a.csv")


def test_recorded_files_are_noted_for_jobs_that_note_themselves(project: Path) -> None:
    listing = [{"md5": "1" * 32, "relpath": "index.html"}, {"md5": "2" * 32, "relpath": "p/1.html"}]
    content = json.dumps(listing).encode()
    md5 = hash_bytes(content)
    kept = project / ".dvc/cache/files/md5" / md5[:2] / f"{md5[2:]}.dir"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(content)
    file = {"hash": "md5", "md5": "3" * 32, "size": 1}
    folder = {"hash": "md5", "md5": f"{md5}.dir", "size": 2, "nfiles": 2}
    stages = {
        "report": {"cmd": "isogloss report", "outs": [{"path": "site", **folder}]},
        "score": {"cmd": "isogloss score", "outs": [{"path": "data/a.csv", **file}]},
        "sort": {"cmd": "sort a > data/b.csv", "outs": [{"path": "data/b.csv", **file}]},
    }
    keep_recorded(project, Lock.model_validate({"schema": "2.0", "stages": stages}))
    found = {out: last_written(project, out) for out in ("site", "data/a.csv", "data/b.csv")}
    assert {out: one and one.files for out, one in found.items()} == {
        "site": {"site/index.html": "1" * 32, "site/p/1.html": "2" * 32},
        "data/a.csv": {"data/a.csv": "3" * 32},
        "data/b.csv": None,
    }
