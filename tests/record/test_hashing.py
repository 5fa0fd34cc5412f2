import os
from pathlib import Path

import pytest

from isogloss.errors import RecordError
from isogloss.record import hashing

ROOT = Path(__file__).resolve().parents[2]
EMPTY = "d41d8cd98f00b204e9800998ecf8427e"
"""MD5 of no bytes (RFC 1321, appendix A.5)."""


def test_file_hash_is_md5_of_the_bytes(tmp_path: Path) -> None:
    (tmp_path / "abc").write_bytes(b"abc")
    found = hashing.hash_file(tmp_path / "abc")
    assert found == hashing.ContentHash("900150983cd24fb0d6963f7d28e17f72", 3)  # RFC 1321, A.5


def test_empty_directory_is_the_hash_of_an_empty_list(tmp_path: Path) -> None:
    assert hashing.hash_directory(tmp_path).md5 == hashing.hash_bytes(b"[]") + ".dir"


def test_directory_hash_is_that_of_the_sorted_list() -> None:
    listing = (
        f'[{{"md5": "{EMPTY}", "relpath": "a/b"}}, {{"md5": "{EMPTY}", "relpath": "\\u00e9"}}]'
    )
    expected = hashing.hash_bytes(listing.encode()) + ".dir"
    assert hashing.directory_md5({"é": EMPTY, "a/b": EMPTY}) == expected


def test_only_files_are_hashed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    found = hashing.hash_files([tmp_path / "file", tmp_path / "none", tmp_path])
    assert found == {tmp_path / "file": hashing.ContentHash(EMPTY, 0)}


def test_what_is_no_content_is_left_out_and_dvc_is_told_the_same(tmp_path: Path) -> None:
    (tmp_path / "sub/__pycache__").mkdir(parents=True)
    for name in ("sub/__pycache__/x.pyc", ".snakemake_timestamp", "sub/.DS_Store", "sub/kept"):
        (tmp_path / name).write_text("")
    assert hashing.directory_files(tmp_path) == ("sub/kept",)
    lines = (ROOT / ".dvcignore").read_text().splitlines()
    assert {line for line in lines if not line.startswith("#")} == hashing.IGNORED_NAMES


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read every file")
def test_unreadable_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("")
    (tmp_path / "secret").chmod(0)
    with pytest.raises(RecordError, match="secret"):
        hashing.hash_file(tmp_path / "secret")
