"""What a job notes of its outputs, and when it notes nothing."""

from pathlib import Path

import pytest
from tests.command_line import Call
from tests.test_cli import call, elsewhere, files  # noqa: F401

from isogloss.record.hashing import hash_file
from isogloss.record.written import last_written
from isogloss.stage_outputs import JOB

OUT = "data/items/hedging/own"
STIMULI = ("stimuli", "hedging", "own", "--out", OUT)


@pytest.fixture
def folder(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: F811
    """A project with a DVC repository, whose workflow is running."""
    (elsewhere / ".dvc").mkdir()
    monkeypatch.setenv(JOB, "yes")
    return elsewhere


def test_a_job_notes_what_it_wrote(call: Call, folder: Path) -> None:  # noqa: F811
    assert call(*STIMULI).status == 0
    for name in (f"{OUT}/items.csv", f"{OUT}/repairs.csv"):
        written = last_written(folder, name)
        assert written is not None
        assert written.files == {name: hash_file(folder / name).md5}


def test_a_command_given_by_hand_notes_nothing(
    call: Call,  # noqa: F811
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(JOB)
    assert call(*STIMULI).status == 0
    assert last_written(folder, f"{OUT}/items.csv") is None


def test_a_command_that_fails_leaves_the_note_of_before(call: Call, folder: Path) -> None:  # noqa: F811
    assert call(*STIMULI).status == 0
    before = last_written(folder, f"{OUT}/items.csv")
    source = folder / "data/stimuli/hedging/items.csv"
    source.write_text(source.read_text(encoding="utf-8") + "half a row", encoding="utf-8")
    assert call(*STIMULI).status == 1
    assert last_written(folder, f"{OUT}/items.csv") == before


def test_a_command_leaves_nothing_but_its_outputs_elsewhere(
    call: Call,  # noqa: F811
    folder: Path,
    tmp_path: Path,
) -> None:
    before = files(tmp_path)
    assert call(*STIMULI[:-1], tmp_path / "made").status == 0
    (folder / ".dvc").rmdir()
    assert call(*STIMULI).status == 0
    made = {"made/items.csv", "made/repairs.csv"}
    here = {f"work/project/{OUT}/{name}.csv" for name in ("items", "repairs")}
    assert files(tmp_path) - before == made | here
