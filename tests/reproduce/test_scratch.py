"""The copy of a project and the mirror of its sources, both inside the scratch folder."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from tests.reproduce.conftest import Toy

from isogloss.errors import RecordError
from isogloss.fetch import FileSource
from isogloss.project import Project, open_project
from isogloss.record.lock import read_lock
from isogloss.reproduce.mirror import make_mirror
from isogloss.reproduce.scratch import copy_files, copy_project

CONFIG = Path("config/config.yaml")
WORDS = b"words\n"


def files(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if not p.is_dir()}


def test_what_git_keeps_is_copied_as_it_stands_and_nothing_that_was_made(
    toy: Toy, scratch: Path
) -> None:
    toy.path("kept/items.csv").write_text("edited\n")
    toy.path(".isogloss").mkdir()
    toy.path(".isogloss/responses.sqlite").write_text("answers")
    toy.path("notes.txt").write_text("not in git")
    copy_project(toy.folder, read_lock(toy.path("dvc.lock")), CONFIG, scratch)
    copied = files(scratch)
    assert (scratch / "kept/items.csv").read_text() == "edited\n"
    assert {"Snakefile", "config/config.yaml", "data/sources.yaml"} <= copied
    assert not [name for name in copied if name.startswith(("data/results", ".isogloss", ".git/"))]
    assert "notes.txt" not in copied


def test_inputs_of_the_run_and_the_configuration_are_copied_though_git_lacks_them(
    toy: Toy, scratch: Path
) -> None:
    lock = toy.path("dvc.lock")
    lock.write_text(lock.read_text().replace("path: kept/analyse.py", "path: own/analyse.py"))
    toy.path("own").mkdir()
    toy.path("own/analyse.py").write_text("mine\n")
    toy.path("config/mine.yaml").write_text("seed: 1\n")
    copy_project(toy.folder, read_lock(lock), Path("config/mine.yaml"), scratch)
    assert {"own/analyse.py", "config/mine.yaml"} <= files(scratch)


@pytest.mark.parametrize("name", ["../outside.txt", "a/../../outside.txt", "/outside.txt"])
def test_nothing_is_copied_out_of_the_folder(toy: Toy, scratch: Path, name: str) -> None:
    with pytest.raises(RecordError, match="leads out of the project"):
        copy_files(toy.folder, [name], scratch)


def _with_source(toy: Toy, *, url: str | None, sha256: str) -> Project:
    pin = FileSource(
        title="t", sha256=sha256, bytes=6, licence="l", citation="c", kind="file", url=url,
        mirror="deep/words.txt",
    )  # fmt: skip
    return replace(open_project(CONFIG, toy.folder), sources={"words": pin})


@pytest.mark.parametrize(
    ("url", "content", "taken"),
    [
        (None, WORDS, True),
        (None, b"other\n", False),
        ("https://example.org/words.txt", WORDS, False),
    ],
)
def test_recorded_bytes_stand_in_for_a_source_that_cannot_be_fetched(
    toy: Toy, scratch: Path, url: str | None, content: bytes, taken: bool
) -> None:
    toy.path("data/raw/words/words.txt").write_bytes(content)
    project = _with_source(toy, url=url, sha256=hashlib.sha256(WORDS).hexdigest())
    named = make_mirror(project, scratch / "mirror")
    assert [one.what for one in named] == (["words"] if taken else [])
    assert files(scratch / "mirror") == ({"deep/words.txt"} if taken else set())


def test_the_mirror_at_hand_goes_first(
    toy: Toy, scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mirror/deep").mkdir(parents=True)
    (tmp_path / "mirror/deep/words.txt").write_text("of the mirror\n")
    monkeypatch.setenv("ISOGLOSS_MIRROR", str(tmp_path / "mirror"))
    project = _with_source(toy, url=None, sha256=hashlib.sha256(WORDS).hexdigest())
    assert make_mirror(project, scratch / "mirror") == []
    assert (scratch / "mirror/deep/words.txt").read_text() == "of the mirror\n"
