"""What a command has written as a job of the workflow, noted once it has ended well."""

import os
from collections.abc import Iterable
from pathlib import Path

JOB = "ISOGLOSS_JOB"
"""Environment variable that the Snakefile sets for the commands of its jobs.

Snakemake looks after the inputs, the settings and the code of a job. Nobody does of a command given
by hand, so that what it writes is no result of a rule, unless it has the bytes of one.
"""


def wrote_files(project: Path, files: Iterable[Path]) -> None:
    """Note the files that the job that is running has written, each an output of its own.

    The record of the run refuses an output that has other bytes later. `project` is the project's
    folder; what lies outside of it is not noted.
    """
    from isogloss.record.written import keep_written

    if JOB in os.environ:
        for file in files:
            keep_written(project, file, [file])


def wrote_folder(project: Path, folder: Path, files: Iterable[Path]) -> None:
    """The same of a folder that is an output as a whole, with all the files written into it."""
    from isogloss.record.written import keep_written

    if JOB in os.environ:
        keep_written(project, folder, files)
