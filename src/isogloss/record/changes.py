"""Names the cause of a file's other bytes, where one can be proved."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from isogloss.record.hashing import hash_bytes

_UP_TO = 16_000_000
"""Bytes up to which a differing file is looked at for a cause."""

_ENCODINGS = {
    "utf-8-sig": "UTF-8 with a byte order mark",
    "utf-16-be": "UTF-16 (big endian, no mark)",
    "utf-16-le": "UTF-16 (little endian, no mark)",
    "utf-16": "UTF-16",
    "latin-1": "Latin-1",
    "cp1252": "Windows-1252",
}
"""Encodings other than UTF-8 that editors and spreadsheets write."""

_LINE_ENDINGS = {"from LF to CRLF": b"\n", "from CRLF to LF": b"\r\n"}
"""The line ending of before, for each change of line endings."""


def cause_of_change(path: Path, recorded: str, elsewhere: Mapping[str, str], cache: Path) -> str:
    """Say what happened to a file that no longer has the MD5 `recorded`, or nothing.

    `elsewhere` are paths of other recorded files by their MD5, `cache` is DVC's cache. In this
    order: the file is empty; it has the bytes of another recorded file; only its encoding or its
    line endings changed, that is, undoing the change gives the recorded bytes; else, where the
    cache holds the recorded bytes, the place of the first difference.
    """
    if not path.is_file() or path.stat().st_size > _UP_TO:
        return ""
    content = path.read_bytes()
    if not content:
        return "the file is empty"
    other = elsewhere.get(hash_bytes(content))
    if other is not None:
        return f"has the bytes recorded for {other}"
    changed = next((name for name, text in _undone(content) if hash_bytes(text) == recorded), "")
    return changed or _first_difference(content, recorded, cache)


def _undone(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Each change that the content may have gone through, and the content without it."""
    for encoding, recoded in _recoded(content):
        if encoding:
            yield f"only the encoding changed, {encoding}", recoded
        for endings, text in _other_endings(recoded):
            if encoding:
                both = f"only the encoding changed, {encoding}, and the line endings, {endings}"
                yield both, text
            else:
                yield f"only the line endings changed, {endings}", text


def _other_endings(content: bytes) -> Iterator[tuple[str, bytes]]:
    unix = content.replace(b"\r\n", b"\n")
    for name, before in _LINE_ENDINGS.items():
        text = unix.replace(b"\n", before)
        if text != content:
            yield name, text


def _recoded(content: bytes) -> Iterator[tuple[str, bytes]]:
    """The content itself, and the content in each other encoding that it may have had."""
    yield "", content
    for now, before in _pairs():
        try:
            # Without translating line ends: they are a change of their own.
            text = content.decode(now)
            recoded = text.encode(before)
        except UnicodeError:
            continue
        if recoded != content:
            yield f"from {_name(before)} to {_name(now)}", recoded


def _pairs() -> Iterator[tuple[str, str]]:
    for encoding in _ENCODINGS:
        yield encoding, "utf-8"
        yield "utf-8", encoding


def _name(encoding: str) -> str:
    return _ENCODINGS.get(encoding, "UTF-8")


def _first_difference(content: bytes, recorded: str, cache: Path) -> str:
    try:
        original = (cache / "files" / "md5" / recorded[:2] / recorded[2:]).read_bytes()
    except OSError:
        return ""
    if hash_bytes(original) != recorded:
        return ""
    place = _first_place(content, original)
    if b"\0" in original[:8192]:
        return f"first differs at byte {place + 1}"
    line = original.count(b"\n", 0, place) + 1
    return f"first differs in line {line}"


def _first_place(one: bytes, other: bytes) -> int:
    """Offset of the first byte that differs, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
