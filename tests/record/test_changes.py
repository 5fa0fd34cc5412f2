"""A cause is named only where undoing it gives the recorded bytes."""

from pathlib import Path

import pytest

from isogloss.record.changes import cause_of_change
from isogloss.record.hashing import hash_bytes

TEXT = "name,value\nWörter,1\n"
BOM = b"\xef\xbb\xbf"


def _cause(folder: Path, recorded: bytes, found: bytes, **elsewhere: str) -> str:
    (folder / "file").write_bytes(found)
    return cause_of_change(folder / "file", hash_bytes(recorded), elsewhere, folder / "cache")


@pytest.mark.parametrize(
    ("recorded", "found", "cause"),
    [
        (TEXT.encode(), BOM + TEXT.encode(), "from UTF-8 to UTF-8 with a byte order mark"),
        (BOM + TEXT.encode(), TEXT.encode(), "from UTF-8 with a byte order mark to UTF-8"),
        (TEXT.encode(), TEXT.encode("utf-16"), "from UTF-8 to UTF-16"),
        (TEXT.encode(), TEXT.encode("utf-16-be"), "from UTF-8 to UTF-16 (big endian, no mark)"),
        (TEXT.encode(), TEXT.encode("utf-16-le"), "from UTF-8 to UTF-16 (little endian, no mark)"),
        (TEXT.encode(), TEXT.encode("latin-1"), "from UTF-8 to Latin-1"),
        (TEXT.encode("latin-1"), TEXT.encode(), "from Latin-1 to UTF-8"),
        ("“€”\n".encode(), "“€”\n".encode("cp1252"), "from UTF-8 to Windows-1252"),
    ],
)
def test_changed_encoding(tmp_path: Path, recorded: bytes, found: bytes, cause: str) -> None:
    assert _cause(tmp_path, recorded, found) == f"only the encoding changed, {cause}"


@pytest.mark.parametrize(
    ("recorded", "found", "cause"),
    [
        (b"a\nb\n", b"a\r\nb\r\n", "from LF to CRLF"),
        (b"a\r\nb\r\n", b"a\nb\n", "from CRLF to LF"),
        (b"a\nb\n", b"a\r\nb\n", "from LF to CRLF"),
    ],
)
def test_changed_line_endings(tmp_path: Path, recorded: bytes, found: bytes, cause: str) -> None:
    assert _cause(tmp_path, recorded, found) == f"only the line endings changed, {cause}"


def test_what_a_spreadsheet_does_to_both(tmp_path: Path) -> None:
    saved = BOM + TEXT.replace("\n", "\r\n").encode()
    assert _cause(tmp_path, TEXT.encode(), saved) == (
        "only the encoding changed, from UTF-8 to UTF-8 with a byte order mark, "
        "and the line endings, from LF to CRLF"
    )


@pytest.mark.parametrize(
    "found", [TEXT.encode("latin-1") + b"x", BOM + TEXT.encode() + b"x", b"a\r\nc\r\n", b"\xff\x00"]
)
def test_another_change_beside_it_is_no_change_of_encoding(tmp_path: Path, found: bytes) -> None:
    assert _cause(tmp_path, TEXT.encode(), found) == ""


def test_empty_file_and_bytes_of_another(tmp_path: Path) -> None:
    assert _cause(tmp_path, b"a", b"") == "the file is empty"
    known = {hash_bytes(b"b"): "data/b"}
    assert _cause(tmp_path, b"a", b"b", **known) == "has the bytes recorded for data/b"


@pytest.mark.parametrize(
    ("recorded", "found", "cause"),
    [
        (b"1\n2\n3\n", b"1\nx\n3\n", "first differs in line 2"),
        (b"1\n2\n3\n", b"1\n2\n", "first differs in line 3"),
        (b"1\n2\n", b"1\n2\n3\n", "first differs in line 3"),
        (b"x1\n", b"y1\n", "first differs in line 1"),
        (b"\0" * 100_000, b"\0" * 70_000 + b"\1" + b"\0" * 29_999, "first differs at byte 70001"),
    ],
)
def test_place_of_the_first_difference(
    tmp_path: Path, recorded: bytes, found: bytes, cause: str
) -> None:
    md5 = hash_bytes(recorded)
    kept = tmp_path / "cache/files/md5" / md5[:2] / md5[2:]
    kept.parent.mkdir(parents=True)
    kept.write_bytes(recorded)
    assert _cause(tmp_path, recorded, found) == cause
    kept.write_bytes(b"not what was stored")
    assert _cause(tmp_path, recorded, found) == ""
