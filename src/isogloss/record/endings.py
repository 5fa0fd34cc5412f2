"""Finds outputs that were changed after the rule that writes them had ended.

Snakemake runs again whatever reads such a file and takes its new content for the rule's. It does
keep the time that an output had when its job ended (`.snakemake/metadata`, Snakemake 9). A later
time means that something else has written the file since. An editor that puts the time back is not
noticed; no content is kept to compare with.
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


@dataclass(frozen=True)
class Change:
    """A file that is younger than the end of the job that wrote it."""

    path: str
    """Relative to the project's folder; in an output that is a folder, the youngest file."""
    rule: str
    """Rule that wrote the output."""


def changes_after_rules(project: Path, outputs: Collection[str]) -> tuple[Change, ...]:
    """Return the files of `outputs` that were changed after their rule, by path.

    Outputs that are gone, or whose end Snakemake does not know, are not among them.

    Args:
        project: folder of the Snakefile.
        outputs: files and folders that rules write, relative to `project`. Snakemake also knows
            those of earlier configurations.

    Raises:
        RecordError: what Snakemake keeps cannot be read.
    """
    return tuple(sorted(_changes(project, outputs), key=lambda change: change.path))


def _changes(project: Path, outputs: Collection[str]) -> Iterator[Change]:
    for path, kept in _kept(project):
        ended = kept.get("endtime")
        if path not in outputs or not isinstance(ended, float) or not (project / path).exists():
            continue
        youngest = max(_files(project / path), key=_time, default=None)
        if youngest is not None and _time(youngest) > ended:
            yield Change(youngest.relative_to(project).as_posix(), str(kept.get("rule")))


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
