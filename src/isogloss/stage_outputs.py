"""What the command of a stage has written, noted once it has ended well."""

import shlex
import sys
from collections.abc import Iterable
from pathlib import Path


def wrote_files(project: Path, files: Iterable[Path]) -> None:
    """Note the files that the command that is running has written, each an output of its own.

    The record of the run refuses an output that has other bytes later. `project` is the project's
    folder; what lies outside of it is not noted.
    """
    from isogloss.record.written import keep_written

    for file in files:
        keep_written(project, file, [file], _command())


def wrote_folder(project: Path, folder: Path, files: Iterable[Path]) -> None:
    """The same of a folder that is an output as a whole, with all the files written into it."""
    from isogloss.record.written import keep_written

    keep_written(project, folder, files, _command())


def _command() -> str:
    return shlex.join(("isogloss", *sys.argv[1:]))
