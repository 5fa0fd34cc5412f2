"""Program that writes the jobs of the workflow in the current folder to a file.

Run as `python -m isogloss.record.job_listing FILE [SNAKEMAKE OPTION ...]`. It makes a dry run of
every job (`--forceall`) and collects the `JOB_INFO` events of Snakemake's logger interface, one
JSON object a line. They hold the rules of this moment with their wildcards and their commands
unshortened, and need no record of an earlier run: `snakemake --detailed-summary` prints the
commands of the last run, joins their lines, and knows none in a fresh clone.
"""

import json
import logging
import sys
from pathlib import Path
from typing import TextIO

from snakemake.cli import main as snakemake  # type: ignore[import-untyped]
from snakemake_interface_logger_plugins.common import LogEvent

_FIELDS = ("rule_name", "wildcards", "input", "output", "shellcmd")


class JobWriter(logging.Handler):
    """Writes every job that Snakemake announces to `stream`."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream

    def emit(self, record: logging.LogRecord) -> None:
        """Write the record if it announces a job."""
        if getattr(record, "event", None) == LogEvent.JOB_INFO:
            job = {field: getattr(record, field) for field in _FIELDS}
            self._stream.write(json.dumps(job) + "\n")


def main() -> None:
    """Write the jobs to the file named first and end as Snakemake ends."""
    with Path(sys.argv[1]).open("w", encoding="utf-8") as stream:
        logging.getLogger().addHandler(JobWriter(stream))
        # A profile may ask for `quiet: [rules, progress]`, which ends a dry run before its jobs.
        quiet = ["--quiet", "host"]
        snakemake(["--dry-run", "--forceall", "--nolock", *quiet, *sys.argv[2:]])


if __name__ == "__main__":
    main()
