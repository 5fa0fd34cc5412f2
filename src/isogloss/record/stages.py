"""DVC stages, one for each job of the workflow."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path, PurePosixPath

from isogloss.errors import RecordError
from isogloss.record.hashing import hash_bytes
from isogloss.record.jobs import Job

RECORD_FILES = ("dvc.yaml", "dvc.lock")
"""What the rule `record` writes; its job is no stage."""


@dataclass(frozen=True, order=True)
class Stage:
    """One stage of dvc.yaml."""

    name: str
    """Rule and wildcard values, of letters, digits, `-` and `_`."""
    command: str
    """The rule's own shell command with everything filled in."""
    deps: tuple[str, ...]
    """Inputs, relative to the project's folder, sorted."""
    outs: tuple[str, ...]
    """Files and directories written, relative to the project's folder, sorted."""


def stages_of_jobs(jobs: Iterable[Job], project: Path) -> tuple[Stage, ...]:
    """Stages in the order of the chain: a stage after all that it depends on, then by name.

    Jobs that write nothing (a target rule) and the job of the rule `record` are left out.

    Raises:
        RecordError: a rule has no shell command, or a path lies outside `project`.
    """
    recorded = [job for job in jobs if job.outputs and not set(job.outputs) & set(RECORD_FILES)]
    taken = Counter(_name(job) for job in recorded)
    return _in_chain_order([_stage(job, project, taken) for job in recorded])


def _stage(job: Job, project: Path, taken: Counter[str]) -> Stage:
    if not job.command:
        raise RecordError(
            f"rule {job.rule} has no shell command, so its outputs cannot be recorded: "
            "write it with `shell:`"
        )
    outs = _paths(job.rule, job.outputs, project)
    name = _name(job)
    unique = name if taken[name] == 1 else f"{name}-{hash_bytes(outs[0].encode())[:8]}"
    return Stage(unique, job.command.strip(), _paths(job.rule, job.inputs, project), outs)


def _name(job: Job) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "-", "-".join((job.rule, *job.wildcards.values())))


def _paths(rule: str, paths: Iterable[str], project: Path) -> tuple[str, ...]:
    return tuple(sorted({_inside(rule, path, project) for path in paths}))


def _inside(rule: str, path: str, project: Path) -> str:
    """The path relative to the project's folder."""
    relative = Path(path)
    if relative.is_absolute() and relative.is_relative_to(project):
        relative = relative.relative_to(project)
    if relative.is_absolute() or ".." in relative.parts:
        raise RecordError(
            f"rule {rule} names {path}, which lies outside the project's folder: nobody else "
            "could check it; let the rule `fetch` bring it in"
        )
    return relative.as_posix()


def _in_chain_order(stages: list[Stage]) -> tuple[Stage, ...]:
    producer = {out: stage.name for stage in stages for out in stage.outs}
    sorter = TopologicalSorter({stage.name: _before(stage, producer) for stage in stages})
    by_name = {stage.name: stage for stage in stages}
    ordered: list[Stage] = []
    sorter.prepare()
    while sorter.is_active():
        ready = sorter.get_ready()
        ordered += [by_name[name] for name in sorted(ready)]
        sorter.done(*ready)
    return tuple(ordered)


def _before(stage: Stage, producer: dict[str, str]) -> set[str]:
    """Names of the stages that write a dependency or a directory around it."""
    around = {str(path) for dep in stage.deps for path in (dep, *PurePosixPath(dep).parents)}
    return {producer[path] for path in around if path in producer} - {stage.name}
