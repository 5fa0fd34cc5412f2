"""Remembers which records were made in this folder.

A run records other hashes than the commit that is checked out, because floating-point results
differ between processors. That is no fault as long as the record is the one that the run wrote.
The receipt tells such a record from one that was edited. It is no proof against someone who means
to deceive, which only the comparison with a commit is.
"""

from pathlib import Path

from isogloss.errors import RecordError
from isogloss.fetch.obtain import sha256_of
from isogloss.record.stages import RECORD_FILES


def keep_receipt(made: Path, project: Path) -> None:
    """Note that `project` gets the dvc.yaml and dvc.lock that stand in the folder `made`.

    Called before the pair is moved into the project, so that an interruption leaves no pair
    without its receipt.
    """
    path = _receipts(project)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="ascii", newline="\n") as stream:
        stream.write(f"\n{_line(made)}\n")


def was_recorded_here(project: Path) -> bool:
    """Whether a record that was made in this folder had the dvc.yaml and dvc.lock of now."""
    try:
        return _line(project) in _receipts(project).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return False
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{_receipts(project)} cannot be read: {error}: delete it") from error


def _receipts(project: Path) -> Path:
    return project / ".dvc" / "tmp" / "isogloss-records"


def _line(folder: Path) -> str:
    return " ".join(sha256_of(folder / name) for name in RECORD_FILES)
