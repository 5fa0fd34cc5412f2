"""A clone gets the recorded bytes or stays as it is, and Snakemake accepts only the former."""

import os
import shutil
import time
from pathlib import Path

import pytest
from filelock import FileLock
from tests.restore.conftest import ARTIFACTS, artifacts

from isogloss.errors import RecordError
from isogloss.record.findings import Finding
from isogloss.record.run_lock import lock_path
from isogloss.record.verify import verify
from isogloss.restore.run import Restoration, restore
from isogloss.restore.words import render

SITE = "reports/_site"


def _found(restored: Restoration) -> list[tuple[str, str]]:
    return [(finding.kind, finding.path) for finding in restored.findings]


def _is_untouched(clone) -> bool:
    """Whether a clone has no artifact, and Snakemake knows of none."""
    return not artifacts(clone) and not clone.path(".snakemake/metadata").exists()


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


@pytest.mark.slow
def test_restored_clone_is_verified_and_has_nothing_to_do(recorded, clone) -> None:
    restored = restore(clone.folder)
    assert restored.ok, render(restored)
    assert (restored.written, restored.kept) == (10, 0)
    assert artifacts(clone) == artifacts(recorded)
    assert verify(clone.folder).ok
    assert "Nothing to be done" in clone.snakemake("--dry-run").stdout
    assert clone.git("status", "--short") == ""
    assert list(clone.path(".dvc/tmp").glob("restore*")) == []
    assert clone.dvc("status", "--quiet") == ""
    shutil.rmtree(clone.store)
    again = restore(clone.folder)
    assert again.ok
    assert (again.written, again.kept, again.brought) == (0, 10, 0)
    assert "the workflow has nothing to do" in render(again)


@pytest.mark.slow
def test_part_of_a_restored_run_that_is_made_again_is_recorded(clone) -> None:
    assert restore(clone.folder).ok
    clone.path("data/results/toy/all.csv").unlink()
    done = clone.snakemake()
    assert done.returncode == 0, done.stdout + done.stderr
    assert verify(clone.folder).ok


@pytest.mark.slow
def test_rule_that_is_edited_after_a_restoration_runs_again(recorded, clone) -> None:
    """Also where nothing was written, and nothing is older than its inputs (after `dvc pull`)."""
    for name in ARTIFACTS:
        clone.path(name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(recorded.path(name), clone.path(name))
    past = recorded.path("dvc.lock").stat().st_mtime - 3600
    for path in clone.path("data/stimuli").iterdir():
        os.utime(path, (past, past))
    os.utime(clone.path("data/stimuli"), (past, past))
    for name in ARTIFACTS:
        os.utime(clone.path(name), (past + 60, past + 60))
    restored = restore(clone.folder)
    assert (restored.ok, restored.written) == (True, 0)
    clone.edit("Snakefile", "sed 's/item/{wildcards.name}/'", "sed 's/item/{wildcards.name} /'")
    said = clone.snakemake("--dry-run")
    assert "rule fetch" in said.stdout
    assert "Nothing to be done" not in said.stdout


@pytest.mark.parametrize(
    "names",
    [
        ["data/raw/toy/a.txt", "data/responses/toy/a.one"],
        ["data/responses/toy/b.1.two"],
        ["data/results/toy/all.csv", "reports/_site/index.html"],
    ],
)
def test_object_with_other_bytes_is_named_by_all_its_paths(clone, names: list[str]) -> None:
    _flip(clone.object(names[0]))
    restored = restore(clone.folder)
    assert _found(restored) == [("differs", name) for name in names]
    assert restored.findings[0].note == "in remote store"
    assert _is_untouched(clone)
    assert "the working tree is as it was" in render(restored)


def test_object_of_another_size_is_named_without_being_brought(clone) -> None:
    clone.object("data/results/toy/all.csv").write_text("longer than what was recorded\n" * 9)
    findings = restore(clone.folder).findings
    assert [(finding.found_size, finding.found_md5) for finding in findings] == [(270, None)] * 2
    assert _is_untouched(clone)


def test_list_that_names_a_file_outside_is_not_believed(clone) -> None:
    """`dvc pull` does write it there; see `isogloss.restore.remote`."""
    listing = clone.object(SITE)
    listing.write_text(listing.read_text().replace("index.html", "../../../escaped"))
    assert _found(restore(clone.folder)) == [("differs", SITE)]
    assert _is_untouched(clone)
    assert list(clone.folder.parent.rglob("escaped")) == []


def test_objects_that_the_remote_lacks_are_all_named(clone) -> None:
    clone.object("data/raw/toy/a.txt").unlink()
    clone.object("data/responses/toy/b.1.two").unlink()
    restored = restore(clone.folder)
    assert _found(restored) == [
        ("missing", "data/raw/toy/a.txt"),
        ("missing", "data/responses/toy/a.one"),
        ("missing", "data/responses/toy/b.1.two"),
    ]
    assert "dvc push" in restored.findings[0].note
    assert _is_untouched(clone)


@pytest.mark.slow
def test_what_the_remote_lacks_may_be_elsewhere(recorded, clone) -> None:
    name = "data/responses/toy/b.1.two"
    clone.object(name).unlink()

    def elsewhere(path: str, target: Path) -> str:
        shutil.copy(recorded.path(path), target)
        return "a shelf"

    assert restore(clone.folder, elsewhere=elsewhere).ok
    assert artifacts(clone) == artifacts(recorded)


def test_what_is_elsewhere_is_not_believed_either(clone) -> None:
    clone.object("data/responses/toy/b.1.two").unlink()

    def elsewhere(path: str, target: Path) -> str:
        target.write_text("something else")
        return "a shelf"

    [finding] = restore(clone.folder, elsewhere=elsewhere).findings
    assert (finding.kind, finding.note) == ("differs", "in a shelf")
    assert _is_untouched(clone)


@pytest.mark.slow
def test_damaged_object_of_the_cache_is_brought_again(clone) -> None:
    _flip(clone.object("data/raw/toy/a.txt"))
    shutil.copytree(clone.store, clone.path(".dvc/cache"))
    _flip(clone.object("data/raw/toy/a.txt"))
    restored = restore(clone.folder)
    assert restored.ok
    assert restored.brought == 1


def test_edited_file_is_never_overwritten_without_being_asked(clone) -> None:
    for name in ("data/raw/toy/a.txt", f"{SITE}/pages/1.html"):
        clone.path(name).parent.mkdir(parents=True)
        clone.path(name).write_text("mine")
    restored = restore(clone.folder)
    assert _found(restored) == [
        ("differs", "data/raw/toy/a.txt"),
        ("differs", f"{SITE}/pages/1.html"),
    ]
    assert "--force replaces it" in render(restored)
    assert set(artifacts(clone).values()) == {"mine"}


@pytest.mark.slow
def test_force_replaces_files_and_removes_what_is_too_much_in_a_directory(recorded, clone) -> None:
    for name in ("data/raw/toy/a.txt", f"{SITE}/pages/2.html"):
        clone.path(name).parent.mkdir(parents=True)
        clone.path(name).write_text("mine")
    assert restore(clone.folder, force=True).ok
    assert artifacts(clone) == artifacts(recorded)
    assert not clone.path(f"{SITE}/pages/2.html").exists()


def test_file_that_nothing_wrote_is_left_even_by_force(clone) -> None:
    clone.path("data/raw").mkdir()
    clone.path("data/raw/notes.txt").write_text("mine")
    assert _found(restore(clone.folder, force=True)) == [("extra", "data/raw/notes.txt")]
    assert clone.path("data/raw/notes.txt").read_text() == "mine"
    assert _is_untouched(clone)


def test_link_out_of_the_project_is_not_followed(clone, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    clone.path("data/responses").symlink_to(tmp_path / "outside")
    restored = restore(clone.folder, force=True)
    assert {finding.kind for finding in restored.findings} == {"missing"}
    assert "outside the project" in restored.findings[0].note
    assert list((tmp_path / "outside").iterdir()) == []


def test_folder_in_the_place_of_a_file_and_file_in_that_of_a_folder(clone) -> None:
    clone.path("data/results/toy/all.csv").mkdir(parents=True)
    clone.path("data/raw").write_text("mine")
    restored = restore(clone.folder, force=True)
    notes = {finding.path: finding.note for finding in restored.findings}
    assert "folder stands in its place" in notes["data/results/toy/all.csv"]
    assert notes["data/raw/toy/a.txt"] == "data/raw is no folder: move it away"
    assert clone.path("data/raw").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "old", "new", "found"),
    [
        ("data/stimuli/items.csv", "item 1", "item 3", ("input differs", "data/stimuli/items.csv")),
        ("dvc.yaml", "sed 's/item/a/'", "sed 's/item/A/'", ("stale", "dvc.yaml")),
    ],
)
def test_record_that_git_has_otherwise_brings_nothing(clone, name, old, new, found) -> None:
    clone.edit(name, old, new)
    assert found in _found(restore(clone.folder))
    assert _is_untouched(clone)


@pytest.mark.slow
def test_edited_workflow_gets_its_files_but_is_not_told_that_they_are_its_own(clone) -> None:
    clone.edit("Snakefile", 'cat {input} > {output}"', 'sort {input} > {output}"')
    restored = restore(clone.folder)
    assert _found(restored) == [("stale", "the workflow")]
    assert "not accepted" in render(restored)
    assert verify(clone.folder).ok
    assert "rule analysis" in clone.snakemake("--dry-run").stdout


@pytest.mark.slow
def test_changes_that_the_caller_knows_of_are_not_laundered(clone) -> None:
    change = Finding("stale", "src/code.py")
    restored = restore(clone.folder, changes=lambda: (change,))
    assert restored.findings == (change,)
    assert set(artifacts(clone)) == set(ARTIFACTS)
    assert list(clone.path(".snakemake/metadata").iterdir()) == []


def test_input_of_a_time_in_the_future_is_named_before_anything_is_written(clone) -> None:
    """Snakemake cannot touch what is made from it, and would remove it."""
    future = time.time() + 3600
    os.utime(clone.path("data/stimuli/items.csv"), (future, future))
    with pytest.raises(RecordError, match=r"items\.csv is of a time in the future"):
        restore(clone.folder)
    assert _is_untouched(clone)


def test_no_restoration_during_a_run(clone) -> None:
    clone.path(".snakemake").mkdir()
    with FileLock(lock_path(clone.folder)), pytest.raises(RecordError, match="going on"):
        restore(clone.folder)


def test_file_that_changes_meanwhile_is_kept(clone, monkeypatch: pytest.MonkeyPatch) -> None:
    from isogloss.restore import run

    def slow(files, cache, scratch) -> None:
        clone.path("data/raw/toy").mkdir(parents=True)
        clone.path("data/raw/toy/a.txt").write_text("mine")

    monkeypatch.setattr(run, "stage", slow)
    with pytest.raises(RecordError, match="changed while"):
        restore(clone.folder)
    assert artifacts(clone) == {"data/raw/toy/a.txt": "mine"}
