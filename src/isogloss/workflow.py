"""Runs the whole workflow, with Snakemake's own messages or without them."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence

QUIET = "ISOGLOSS_QUIET"
"""Environment variable that has the same effect as --quiet: it reaches the commands of rules."""

_QUIETER = ("--quiet", "host", "progress", "reason", "rules")
_CHATTER = re.compile(
    r"Assuming unrestricted shared filesystem usage\.|Building DAG of jobs\.\.\."
    r"|Using shell: .*|Provided cores: .*|Rules claiming more threads .*|Provided resources: .*"
    r"|Select jobs to execute\.\.\.|Execute \d+ jobs\.\.\.|Nothing to be done .*"
    r"|Complete log.*|Elapsed time: .*"
)
"""Lines that Snakemake 9.27 writes whatever part of its messages is turned off.

Its `--quiet all` would take the errors away, too.
"""


def run_workflow(options: Sequence[str], *, quiet: bool) -> int:
    """Run Snakemake in the current folder and return its exit status.

    `quiet` leaves what its rules warn of, and errors.
    """
    command = [sys.executable, "-m", "snakemake", *options]
    if not quiet:
        return subprocess.run(command, check=False).returncode
    with subprocess.Popen(
        [*command, *_QUIETER],
        env={**os.environ, QUIET: "1"},
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as process:
        try:
            _pass_on(process.stderr or ())
        except KeyboardInterrupt:
            _pass_on(process.stderr or ())  # Snakemake was interrupted, too, and ends its jobs.
            raise
    return process.returncode


def _pass_on(lines: Iterable[str]) -> None:
    for line in without_chatter(lines):
        sys.stderr.write(line)
        sys.stderr.flush()


def without_chatter(lines: Iterable[str]) -> Iterator[str]:
    """Leave out what Snakemake says of its own doings; a line that is not known is kept."""
    return (line for line in lines if not _CHATTER.fullmatch(line.strip()) and line.strip())
