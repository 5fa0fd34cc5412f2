"""No record, whoever wrote it, names a path outside the project."""

import hashlib
import json
from pathlib import Path

import pytest

from isogloss.errors import RecordError
from isogloss.record.lock import RecordedPath
from isogloss.restore.contents import recorded_files
from isogloss.restore.objects import object_path

ONE = "0" * 31 + "1"
TWO = "0" * 31 + "2"


def _directory(cache: Path, entries: list[tuple[str, str]], path: str = "d") -> RecordedPath:
    """A directory recorded with a list that has the right hash."""
    content = json.dumps([{"md5": md5, "relpath": name} for md5, name in entries])
    md5 = hashlib.md5(content.encode(), usedforsecurity=False).hexdigest() + ".dir"
    target = object_path(cache, md5)
    target.parent.mkdir(parents=True)
    target.write_text(content)
    return RecordedPath(path=path, hash="md5", md5=md5, size=0, nfiles=len(entries))


def _file(path: str) -> RecordedPath:
    return RecordedPath(path=path, hash="md5", md5=TWO, size=7)


def test_files_of_directories_are_listed_with_files(tmp_path: Path) -> None:
    directory = _directory(tmp_path, [(ONE, "x.csv"), (TWO, "deep/é ü.csv")])
    files = recorded_files([_file("data/f"), directory], tmp_path)
    assert [(file.path, file.md5, file.size) for file in files] == [
        ("data/f", TWO, 7),
        ("d/x.csv", ONE, None),
        ("d/deep/é ü.csv", TWO, None),
    ]


@pytest.mark.parametrize(
    "name",
    [
        "../x",
        "a/../../x",
        "/etc/x",
        "",
        ".",
        "a//x",
        "./x",
        "..\\x",
        "a\nb",
        "x\0",
        "a/",
        "\x1b[2J",
    ],
)
def test_name_in_a_list_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    directory = _directory(tmp_path, [(ONE, name)])
    with pytest.raises(RecordError, match="no path inside the project"):
        recorded_files([directory], tmp_path)


@pytest.mark.parametrize("path", ["../x", "/etc/x", ".git/hooks/post-checkout", ".DVC/config", ""])
def test_path_in_the_lock_that_leads_elsewhere_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(RecordError, match="no path inside the project"):
        recorded_files([_file(path)], tmp_path)


def test_file_that_is_also_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="inside of data/f, which is a file"):
        recorded_files([_file("data/f"), _file("data/f/g/h")], tmp_path)


def test_path_recorded_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="names d/x twice"):
        recorded_files([_directory(tmp_path, [(ONE, "x")]), _file("d/x")], tmp_path)


def test_list_of_another_length_is_refused(tmp_path: Path) -> None:
    directory = _directory(tmp_path, [(ONE, "x"), (TWO, "x")])
    with pytest.raises(RecordError, match="records 2 files in d, and their list names 1"):
        recorded_files([directory], tmp_path)


def test_hash_in_a_list_is_a_hash(tmp_path: Path) -> None:
    for md5 in ("xx/tmp/evil", "../../evil", ONE + ".dir"):
        with pytest.raises(RecordError, match="list of the files of d"):
            recorded_files([_directory(tmp_path / md5[:2], [(md5, "x")])], tmp_path / md5[:2])
