"""What a reviewer filled in, as it stands in the file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from isogloss.errors import ItemError

LARGEST_FILE = 50_000_000
"""Most bytes of a file that is read."""


@dataclass(frozen=True)
class FilledRow:
    """One pair of a filled-in file, not yet checked."""

    place: str
    """Where it stands, for instance `row 5`."""
    item_set: str
    item_id: str
    contrast: str
    text_sha256: str
    verdict: str
    comment: str
    blind: bool
    """Whether the verdict was given without sight of what the machine found."""
    decided_at: str | None = None
    """When, in ISO 8601, where the file says so."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Texts that the file shows for the pair, by column."""


@dataclass(frozen=True)
class Filled:
    """A filled-in file."""

    path: Path
    sha256: str
    reviewer: str
    """Whose it is according to the file; empty where it does not say."""
    rows: tuple[FilledRow, ...]


def read_filled(path: Path) -> Filled:
    """Read a filled-in spreadsheet (`.xlsx`) or a file of decisions from the page (`.json`).

    Raises `ItemError` naming the file, and the row or field, when it is no such file.
    """
    from isogloss.review.read_page import read_decisions_file
    from isogloss.review.read_workbook import read_workbook

    readers = {".xlsx": read_workbook, ".json": read_decisions_file}
    if path.suffix.lower() not in readers:
        raise ItemError(f"{path}: give the spreadsheet (.xlsx) or the page's download (.json)")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ItemError(f"{path}: the file cannot be read ({error.strerror})") from error
    if len(content) > LARGEST_FILE:
        raise ItemError(f"{path}: larger than {LARGEST_FILE:,} bytes; give the file as exported")
    reviewer, rows = readers[path.suffix.lower()](path, content)
    return Filled(path, sha256(content).hexdigest(), reviewer, rows)
