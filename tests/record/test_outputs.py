"""Outputs are compared with what their jobs wrote, and by their times without a note."""

from pathlib import Path

import pytest

from isogloss.record.endings import Change
from isogloss.record.expected import Expected
from isogloss.record.hashing import hash_file
from isogloss.record.outputs import changed_outputs
from isogloss.record.stages import Stage
from isogloss.record.written import keep_written

SCORE = Stage("score", "isogloss score --out a.csv", (), ("a.csv",))
REPORT = Stage("report", "isogloss report --out site", (), ("site",))
FOREIGN = Stage("sort", "sort a.csv > b.csv", ("a.csv",), ("b.csv",))
UNKNOWN = "nothing tells that its rule wrote it here"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A file, and a folder of two files, as their jobs have just written them."""
    (tmp_path / ".dvc").mkdir()
    (tmp_path / "site").mkdir()
    for name in ("a.csv", "site/1.html", "site/2.html", "site-map.csv"):
        (tmp_path / name).write_text(name)
    file, folder = tmp_path / "a.csv", tmp_path / "site"
    keep_written(tmp_path, file, [file])
    keep_written(tmp_path, folder, list(folder.iterdir()))
    return tmp_path


def content(project: Path) -> tuple[Expected, ...]:
    files = (path for path in sorted(project.rglob("*")) if path.is_file())
    return tuple(
        Expected(path.relative_to(project).as_posix(), hash_file(path).md5, None)
        for path in files
        if ".dvc" not in path.parts
    )


def changed(project: Path, *stages: Stage) -> list[Change]:
    return list(changed_outputs(stages, content(project), project))


def test_what_jobs_wrote_is_not_changed(project: Path) -> None:
    assert changed(project, SCORE, REPORT) == []


def test_other_bytes_are(project: Path) -> None:
    (project / "a.csv").write_text("b.csv")
    assert changed(project, SCORE, REPORT) == [
        Change("a.csv", "has other bytes than its rule wrote")
    ]


def test_the_files_of_a_folder_are_named_one_by_one(project: Path) -> None:
    (project / "site/1.html").write_text("2.html")
    (project / "site/2.html").unlink()
    (project / "site/3.html").write_text("3.html")
    assert changed(project, SCORE, REPORT) == [
        Change("site", "site/1.html has other bytes than its rule wrote"),
        Change("site", "site/2.html is gone"),
        Change("site", "site/3.html was not written by its rule"),
    ]


def test_a_command_that_notes_nothing_is_not_held_to_a_note(project: Path) -> None:
    """The note is of before, when the rule had another command."""
    once = Stage("score", "Rscript score.R", (), ("a.csv",))
    [change] = changed(project, once)
    assert change.note.startswith(UNKNOWN)


def test_an_output_without_a_note_is_looked_at_by_its_time(project: Path) -> None:
    (project / "b.csv").write_text("b")
    beside = Stage("beside", "isogloss beside", (), ("site-map.csv",))
    assert [
        (change.output, change.note[: len(UNKNOWN)])
        for change in changed(project, FOREIGN, SCORE, beside)
    ] == [("b.csv", UNKNOWN), ("site-map.csv", UNKNOWN)]
