"""Runs the workflow in the scratch folder, step by step, with a progress bar."""

import os
import re
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from isogloss.errors import RecordError
from isogloss.fetch.obtain import cache_dir
from isogloss.record.commands import run_python
from isogloss.record.stages import Stage, stages_of_jobs
from isogloss.record.workflow import read_jobs
from isogloss.reproduce.progress import Jobs
from isogloss.reproduce.scratch import copy_files
from isogloss.reproduce.stages import Step

LOG = "workflow.log"
"""Everything that Snakemake says, in the copy."""
LISTING = "jobs.jsonl"

_DONE = re.compile(r"^(\d+) of (\d+) steps \(")
_LINES_SHOWN = 25
_PATIENCE_S = 60


@dataclass(frozen=True)
class Place:
    """Where the workflow runs, and how."""

    folder: Path
    """The copy of the project."""
    environment: Mapping[str, str]
    options: tuple[str, ...]
    """Snakemake's options that decide which jobs there are."""
    cores: str

    def stages(self) -> tuple[Stage, ...]:
        """Return the stages of the workflow in the copy; raise `RecordError` as Snakemake does."""
        listing = self.folder / LISTING
        run_python(
            ("-m", "isogloss.record.job_listing", str(listing), *self.options),
            folder=self.folder,
            purpose="list the jobs of the workflow in a copy of what git keeps",
            environment=self.environment,
        )
        return stages_of_jobs(read_jobs(listing.read_text(encoding="utf-8")), self.folder)


def environment_with(mirror: Path) -> dict[str, str]:
    """Return the environment of stages: this one, with its Python's commands, and `mirror`."""
    return {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        "ISOGLOSS_CACHE": str(cache_dir().absolute()),
        "ISOGLOSS_MIRROR": str(mirror),
    }


def run_steps(steps: Sequence[Step], project: Path, place: Place) -> None:
    """Take over from `project`, and make, what the steps say.

    Raises `RecordError`, with the last lines that Snakemake wrote, when it fails.
    """
    for number, step in enumerate(steps, start=1):
        copy_files(project, step.take_over, place.folder)
        if step.make:
            what = (
                f"recomputing, part {number} of {len(steps)}" if len(steps) > 1 else "recomputing"
            )
            # Times decide alone: what was taken over has no history that Snakemake could know.
            triggers = ("--rerun-triggers", "mtime", "--cores", place.cores, "--nolock")
            run_snakemake([*step.make, *triggers, *place.options], place, what)


def run_snakemake(arguments: Sequence[str], place: Place, what: str) -> None:
    """Run Snakemake; raise `RecordError` when it does not succeed.

    An interruption is passed on to it, and waited for, so that none of its jobs is left behind.
    """
    last: deque[str] = deque(maxlen=_LINES_SHOWN)
    command = [sys.executable, "-P", "-m", "snakemake", *arguments]
    with (
        (place.folder / LOG).open("a", encoding="utf-8") as log,
        _started(command, place) as process,
        Jobs(what) as progress,
    ):
        for line in process.stdout or ():
            log.write(line)
            last.append(line.rstrip())
            if done := _DONE.match(line):
                progress.at(int(done[1]), int(done[2]))
    if process.returncode != 0:
        said = "\n".join(f"  {line}" for line in last)
        raise RecordError(
            f"the workflow did not finish in {place.folder}; only files that git keeps were copied "
            f"there\n{said}"
        )


@contextmanager
def _started(command: Sequence[str], place: Place) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        command,
        cwd=place.folder,
        env=place.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            yield process
            process.wait()
        except BaseException:
            _end(process)
            raise


def _end(process: "subprocess.Popen[str]") -> None:
    """End a process and everything it started."""
    for number in (signal.SIGINT, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=_PATIENCE_S)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
