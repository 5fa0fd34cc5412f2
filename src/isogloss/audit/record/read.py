"""Reading the record of an audit, after every byte of it was checked."""

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from isogloss.audit.record.content import TEXT_FILE
from isogloss.audit.record.schema import check
from isogloss.audit.record.sums import SUMS, verify
from isogloss.audit.records import Probe
from isogloss.errors import RecordError

_PROBE = TypeAdapter(Probe)
_FILES = ("audit.json", "responses.jsonl", "prompts.jsonl", TEXT_FILE)


@dataclass(frozen=True)
class Record:
    """The record of an earlier audit, as it was written."""

    content: dict[str, Any]
    """Content of `audit.json`."""
    probes: tuple[Probe, ...]
    """What came back for each question."""
    text: str
    """The posting's text."""
    sha256: str
    """Hash of the whole record: SHA-256 of `SHA256SUMS`."""


def read_record(folder: Path) -> Record:
    """Verify every file of a record against its hash and the schema, and read it.

    Raises `RecordError` naming the file that differs, is missing, or has another form.
    """
    sums = verify(folder)
    for name in _FILES:
        if name not in sums:
            raise RecordError(f"{folder / name}: missing from the record; use a complete copy")
    content = _json((folder / "audit.json").read_bytes(), f"{folder / 'audit.json'}")
    check(content, f"{folder / 'audit.json'}")
    return Record(
        content,
        _probes(folder / "responses.jsonl"),
        (folder / TEXT_FILE).read_bytes().decode("utf-8", "replace"),
        sha256((folder / SUMS).read_bytes()).hexdigest(),
    )


def _probes(path: Path) -> tuple[Probe, ...]:
    lines = path.read_bytes().split(b"\n")
    found = []
    for number, line in enumerate(filter(None, lines), start=1):
        place = f"{path}, line {number}"
        row = _json(line, place)
        try:
            row["attributes"] = list(row["attributes"].items())
            row["profile"] = row.pop("background")
            found.append(_PROBE.validate_python(row))
        except (AttributeError, KeyError, TypeError, ValidationError) as error:
            raise RecordError(f"{place}: not a response of an audit") from error
    return tuple(found)


def _json(content: bytes, place: str) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{place}: not readable JSON ({error})") from error
