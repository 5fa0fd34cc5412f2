"""The jobs of the workflow in a folder, as its rules and its configuration now define them."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from isogloss.record.commands import run_python
from isogloss.record.jobs import Job
from isogloss.record.stages import Stage, stages_of_jobs


def read_jobs(listing: str) -> tuple[Job, ...]:
    """Parse the lines that `isogloss.record.job_listing` wrote."""
    return tuple(Job.model_validate_json(line) for line in listing.splitlines())


def workflow_jobs(project: Path, options: Sequence[str] = ()) -> tuple[Job, ...]:
    """Jobs of the default target of the workflow in `project`.

    `options` are the Snakemake options that the workflow is run with as far as they decide which
    jobs there are, such as `("--config", "file=config/paper.yaml")`. Nothing is run and no lock
    is taken, so a rule of a running workflow may call this. Takes 1 to 2 s.

    Raises:
        RecordError: Snakemake cannot read the workflow or build its jobs.
    """
    with tempfile.TemporaryDirectory() as scratch:
        listing = Path(scratch, "jobs.jsonl")
        run_python(
            ("-m", "isogloss.record.job_listing", str(listing), *options),
            folder=project,
            purpose="list the jobs of the workflow",
        )
        return read_jobs(listing.read_text(encoding="utf-8"))


def workflow_stages(project: Path, options: Sequence[str] = ()) -> tuple[Stage, ...]:
    """DVC stages of the workflow in `project`, an absolute path; arguments as `workflow_jobs`.

    Raises:
        RecordError: as `workflow_jobs` and `stages_of_jobs`.
    """
    return stages_of_jobs(workflow_jobs(project, options), project)
