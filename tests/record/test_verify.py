"""Every change to a recorded file is found and named, whatever its time says."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from isogloss.errors import RecordError
from isogloss.record.findings import render
from isogloss.record.hashing import hash_file
from isogloss.record.verify import verify, verify_workflow


def _flip_last_bit(path: Path) -> None:
    """Change one byte of a file and put its times back."""
    status = path.stat()
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def _found(project) -> list[tuple[str, str]]:
    return [(finding.kind, finding.path) for finding in verify(project.folder).findings]


def test_untouched_project_is_verified(recorded) -> None:
    verification = verify(recorded.folder)
    assert verification.ok
    assert verification.exit_code == 0
    assert (verification.stages, verification.artifacts, verification.inputs) == (7, 10, 2)
    assert render(verification).startswith("verified 10 artifacts (0.0 MB) in 7 stages")


@pytest.mark.parametrize(
    ("name", "line"),
    [("data/raw/toy/a.txt", 2), ("data/results/toy/all.csv", 4), ("reports/_site/pages/1.html", 1)],
)
def test_flipped_bit_with_its_time_put_back_is_found(project, name: str, line: int) -> None:
    recorded = hash_file(project.path(name))
    _flip_last_bit(project.path(name))
    verification = verify(project.folder)
    [finding] = verification.findings
    assert verification.exit_code == 1
    assert (finding.kind, finding.path) == ("differs", name)
    assert finding.recorded_md5 == recorded.md5
    assert finding.found_md5 == hash_file(project.path(name)).md5 != recorded.md5
    assert finding.found_size == recorded.size
    assert finding.note == f"first differs in line {line}"


def test_dvc_itself_overlooks_that_bit(project) -> None:
    """The reason for a verifier of our own; when this fails, it may no longer be needed."""
    assert "up to date" in project.dvc("status")
    _flip_last_bit(project.path("data/raw/toy/a.txt"))
    assert "up to date" in project.dvc("status")


@pytest.mark.parametrize("name", ["data/responses/toy/a.two", "reports/_site/pages/1.html"])
def test_deleted_artifact_is_missing(project, name: str) -> None:
    project.path(name).unlink()
    assert _found(project) == [("missing", name)]


def test_deleted_directory_is_missing_file_by_file(project) -> None:
    shutil.rmtree(project.path("reports/_site"))
    assert _found(project) == [
        ("missing", "reports/_site/index.html"),
        ("missing", "reports/_site/pages/1.html"),
    ]


@pytest.mark.parametrize(
    "name", ["data/raw/stray.txt", "data/responses/toy/new/x.csv", "reports/_site/pages/2.html"]
)
def test_stray_file_is_extra(project, name: str) -> None:
    project.path(name).parent.mkdir(exist_ok=True)
    project.path(name).write_text("stray")
    assert _found(project) == [("extra", name)]


def test_link_to_a_directory_is_extra(project) -> None:
    project.path("data/raw/link").symlink_to(project.path("data/stimuli"))
    assert _found(project) == [("extra", "data/raw/link")]


def test_files_of_git_and_of_the_system_are_not_extra(project) -> None:
    project.path("data/raw/NOTICE").write_text("kept in git")
    project.git("add", "--force", "data/raw/NOTICE")
    for name in ("data/raw/.gitignore", "reports/_site/.DS_Store"):
        project.path(name).write_text("")
    assert _found(project) == []


def test_folders_to_look_for_extra_files_can_be_chosen(project) -> None:
    project.path("data/raw/stray.txt").write_text("stray")
    project.path("data/stimuli/stray.txt").write_text("stray")
    found = verify(project.folder, folders=["data/stimuli"]).findings
    assert ("extra", "data/stimuli/stray.txt") in [(f.kind, f.path) for f in found]
    assert "data/raw/stray.txt" not in [finding.path for finding in found]


def test_changed_source_is_an_input_that_differs(project) -> None:
    _flip_last_bit(project.path("data/stimuli/items.csv"))
    assert _found(project) == [
        ("input differs", "data/stimuli"),
        ("input differs", "data/stimuli/items.csv"),
    ]
    project.path("data/stimuli/items.csv").unlink()
    assert ("input missing", "data/stimuli/items.csv") in _found(project)


def test_changed_line_endings_are_named(project) -> None:
    path = project.path("data/results/toy/all.csv")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    [finding] = verify(project.folder).findings
    assert finding.note == "only the line endings changed, from LF to CRLF"


def test_edited_dvcfile_is_stale(project) -> None:
    project.edit("dvc.yaml", "sed 's/item/a/'", "sed 's/item/A/'")
    [finding] = verify(project.folder).findings
    assert (finding.kind, finding.path) == ("stale", "dvc.yaml")
    assert finding.note == "stage fetch-a: command differs from dvc.lock"


def test_edited_rule_is_stale_even_without_a_trace_of_the_run(project) -> None:
    shutil.rmtree(project.path(".snakemake"))
    assert verify_workflow(project.folder) == ()
    project.edit("Snakefile", 'cat {input} > {output}"', 'sort {input} > {output}"')
    [finding] = verify_workflow(project.folder)
    assert (finding.kind, finding.path) == ("stale", "the workflow")
    assert finding.note == "stage analysis: command differs from dvc.lock"


def test_directory_whose_list_is_lost_is_checked_as_a_whole(project) -> None:
    for listing in project.path(".dvc/cache").rglob("*.dir"):
        listing.unlink()
    assert verify(project.folder).ok
    project.path("reports/_site/pages/2.html").write_text("stray")
    [finding] = verify(project.folder).findings
    assert (finding.kind, finding.path) == ("differs", "reports/_site")
    assert "dvc fetch" in finding.note


def test_changed_list_of_a_directory_is_not_believed(project) -> None:
    [listing] = project.path(".dvc/cache").rglob("*.dir")
    listing.chmod(0o644)
    listing.write_text("[]")
    assert verify(project.folder).ok


def _remove(path: Path) -> None:
    path.unlink()


def _garble(path: Path) -> None:
    path.write_bytes(b"\xff: [")


@pytest.mark.parametrize("name", ["dvc.lock", "dvc.yaml"])
@pytest.mark.parametrize("damage", [_remove, _garble])
def test_unreadable_record_could_not_be_checked(
    project, name: str, damage: Callable[[Path], None]
) -> None:
    damage(project.path(name))
    with pytest.raises(RecordError, match=name):
        verify(project.folder)


def _is_verified(project) -> bool:
    try:
        return verify(project.folder).ok
    except RecordError:
        return False


def test_a_size_that_is_not_that_of_the_recorded_bytes_is_found(project) -> None:
    size = project.path("data/results/toy/all.csv").stat().st_size
    content = hash_file(project.path("data/results/toy/all.csv"))
    entry = f"md5: {content.md5}\n      size: {size}"
    lock = project.path("dvc.lock").read_text()
    project.path("dvc.lock").write_text(lock.replace(entry, f"{entry}0"))
    [finding] = verify(project.folder).findings
    assert (finding.kind, finding.path) == ("differs", "data/results/toy/all.csv")
    assert (finding.recorded_size, finding.found_size) == (size * 10, size)
    assert "dvc.lock states another number" in finding.note


def test_record_cut_short_is_never_verified(project) -> None:
    whole = project.path("dvc.lock").read_bytes()
    assert _is_verified(project)
    for size in range(0, len(whole) - 1, 97):
        project.path("dvc.lock").write_bytes(whole[:size])
        assert not _is_verified(project), size


@pytest.mark.slow
def test_remote_clone_and_pull_give_the_recorded_project(project, tmp_path: Path) -> None:
    project.dvc("remote", "add", "--local", "--default", "store", str(tmp_path / "store"))
    project.dvc("push", "--quiet")
    clone = type(project)(tmp_path / "clone")
    project.git("clone", "--quiet", str(project.folder), str(clone.folder))
    verification = verify(clone.folder)
    assert {finding.kind for finding in verification.findings} == {"missing"}
    assert "isogloss restore" in render(verification)
    clone.dvc("remote", "add", "--local", "--default", "store", str(tmp_path / "store"))
    clone.dvc("pull", "--quiet")
    assert verify(clone.folder).ok
    assert clone.git("status", "--short") == ""
    _flip_last_bit(clone.path("reports/_site/index.html"))
    assert _found(clone) == [("differs", "reports/_site/index.html")]
