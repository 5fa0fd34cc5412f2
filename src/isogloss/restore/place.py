"""Files written into the working tree, each whole or not at all."""

import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from isogloss.errors import RecordError
from isogloss.record.expected import Expected
from isogloss.record.hashing import hash_file
from isogloss.restore.objects import object_path

LONG_AGO = 315_532_800
"""Time given to restored files, 1980-01-01: older than any input, so that Snakemake trusts none."""


def stage(files: Sequence[Expected], cache: Path, scratch: Path) -> None:
    """Copy the objects of `files` from the cache to `scratch`, by their paths.

    The copies are hashed, for what is copied here is what will stand in the working tree.

    Raises:
        RecordError: a copy has other bytes than recorded.
    """
    for file in files:
        target = scratch / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(object_path(cache, file.md5), target)
        if hash_file(target).md5 != file.md5:
            raise RecordError(f"{file.path} changed while it was copied: nothing was restored")
        os.utime(target, (LONG_AGO, LONG_AGO))


def place(files: Iterable[Expected], removed: Iterable[str], scratch: Path, project: Path) -> None:
    """Move staged `files` into `project`, after removing those that are too many."""
    for path in removed:
        (project / path).unlink()
    for file in files:
        target = project / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        (scratch / file.path).replace(target)
