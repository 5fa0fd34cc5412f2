"""Finds outputs that were changed after the rule that writes them had ended, by their times.

For outputs of which no note says what was written (`isogloss.record.written`): those of commands
that are not Isogloss's own, and of runs of versions that kept no notes. Snakemake keeps the time
that an output had when its job ended (`.snakemake/metadata`, Snakemake 9). A later time means that
something else has written the file since. A time that was put back is not noticed.
"""

import json
import os
from base64 import urlsafe_b64decode
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from isogloss.errors import RecordError
from isogloss.record.hashing import IGNORED_NAMES

_METADATA = Path(".snakemake") / "metadata"


@dataclass(frozen=True, order=True)
class Change:
    """An output that is not known to be as its rule left it."""

    output: str
    """File or folder that a rule writes, relative to the project's folder."""
    note: str
    """What is known of it."""


def changes_after_rules(project: Path, outputs: Collection[str]) -> tuple[Change, ...]:
    """Return those of `outputs` that are younger than the end of their rule, by path.

    Outputs whose end Snakemake does not know are among them; those that are gone are not.

    Args:
        project: folder of the Snakefile.
        outputs: files and folders that rules write, relative to `project`. Snakemake also knows
            those of earlier configurations.

    Raises:
        RecordError: what Snakemake keeps cannot be read.
    """
    ends = dict(_ends(project)) if outputs else {}
    present = (output for output in sorted(outputs) if (project / output).exists())
    notes = ((output, _note(project, output, ends.get(output))) for output in present)
    return tuple(Change(output, note) for output, note in notes if note)


def _note(project: Path, output: str, ended: float | None) -> str:
    if ended is None:
        return (
            "nothing tells that its rule wrote it here (files of dvc.lock: `isogloss restore` "
            "takes them for results)"
        )
    youngest = max(_files(project / output), key=_time, default=None)
    if youngest is None or _time(youngest) <= ended:
        return ""
    name = youngest.relative_to(project).as_posix()
    return (
        f"{'' if name == output else f'{name} is '}younger than the end of the rule "
        "(a copy of the folder has to keep the times of files)"
    )


def _ends(project: Path) -> Iterator[tuple[str, float]]:
    for path, kept in _kept(project):
        ended = kept.get("endtime")
        if isinstance(ended, float):
            yield path, ended


def _kept(project: Path) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield each output with what is kept of its job.

    The name of the file is the path in URL-safe base64; where that is longer than a name may be,
    its parts are folders whose names begin with `@`.
    """
    root = project / _METADATA
    for folder, _, names in os.walk(root):
        for name in names:
            file = Path(folder, name)
            encoded = "".join(part.removeprefix("@") for part in file.relative_to(root).parts)
            try:
                path = urlsafe_b64decode(encoded).decode()
                kept = json.loads(file.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise RecordError(
                    f"{file}: cannot be read: {error}; delete it and run the workflow again"
                ) from error
            yield path, kept


def _files(output: Path) -> Iterator[Path]:
    if not output.is_dir():
        yield output
    for folder, _, names in os.walk(output):
        yield from (Path(folder, name) for name in names if name not in IGNORED_NAMES)


def _time(file: Path) -> float:
    return file.lstat().st_mtime
