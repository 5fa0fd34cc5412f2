"""The jobs of the workflow in a folder, as its rules and its configuration now define them."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from isogloss.record.commands import run_python
from isogloss.record.jobs import Job
from isogloss.record.stages import Stage, stages_of_jobs


def read_jobs(listing: str) -> tuple[Job, ...]:
    """Parse the lines that `isogloss.record.job_listing` wrote."""
    return tuple(Job.model_validate_json(line) for line in listing.splitlines())


def workflow_jobs(project: Path, options: Sequence[str] = ()) -> tuple[Job, ...]:
    """Jobs of the default target of the workflow in `project`.

    `options` are the Snakemake options that the workflow is run with as far as they decide which
    jobs there are (see `configuration_options`). Nothing is run and no lock is taken, so a rule
    of a running workflow may call this. Takes 1 to 2 s.

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


def configuration_options(
    configfiles: Sequence[str | Path], overrides: Mapping[str, Any], *, project: Path
) -> tuple[str, ...]:
    """Snakemake options that repeat `--configfile` and `--config` of a run in `project`.

    Files in the project are named relative to it.

    Examples:
        >>> configuration_options(["/p/config/paper.yaml"], {"seed": 3}, project=Path("/p"))
        ('--configfile', 'config/paper.yaml', '--config', 'seed=3')
    """
    paths = [Path(path) for path in configfiles]
    files = [str(p.relative_to(project) if p.is_relative_to(project) else p) for p in paths]
    values = [f"{key}={json.dumps(value)}" for key, value in overrides.items()]
    return (
        *(("--configfile", *files) if files else ()),
        *(("--config", *values) if values else ()),
    )
