"""Where can be written, and what is said of errors of the system."""

import errno
import os
from pathlib import Path

import pytest

from isogloss.places import require_file_place, require_folder_place, sentence


def test_a_new_place_below_a_folder_is_free(tmp_path: Path) -> None:
    file = tmp_path / "new" / "deep" / "a.csv"
    require_file_place(file)
    require_folder_place(file.parent)
    assert list(tmp_path.iterdir()) == []  # looking leaves nothing behind
    file.parent.mkdir(parents=True)
    file.write_text("earlier")
    require_file_place(file)
    require_folder_place(file.parent)
    assert file.read_text() == "earlier"  # replaced by the command, not by the look


def test_a_folder_is_no_place_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as caught:
        require_file_place(tmp_path)
    assert sentence(caught.value) == f"{tmp_path}: this is a folder; name a file"


def test_nothing_is_written_below_a_file(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.touch()
    for place in (file, file / "deep" / "er"):
        with pytest.raises(NotADirectoryError) as caught:
            require_folder_place(place)
        said = f"{file}: a file stands where a folder is needed; name another place"
        assert sentence(caught.value) == said
    with pytest.raises(NotADirectoryError):
        require_file_place(file / "b.csv")


def test_a_folder_without_permission_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError) as caught:
        require_file_place(tmp_path / "new" / "a.csv")
    assert sentence(caught.value).startswith(f"{tmp_path}: it may not be read or written; change")


def test_an_error_without_a_file_or_a_remedy_is_said_as_it_is() -> None:
    assert sentence(OSError("no answer")) == "no answer"
    odd = OSError(errno.EXDEV, "Invalid cross-device link", "a")
    assert sentence(odd) == str(odd)
    full = OSError(errno.ENOSPC, "No space left on device", b"a")
    assert sentence(full) == "a: the disk is full; make room and run the command again"
