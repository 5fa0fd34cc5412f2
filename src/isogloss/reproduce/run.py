"""A reproduction from beginning to end: copy, compute, ask again, compare."""

import json
import os
import platform
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from isogloss import __version__
from isogloss.project import Project
from isogloss.record.expected import Expected
from isogloss.record.lock import Lock, read_lock
from isogloss.record.stages import Stage
from isogloss.reproduce.artifacts import altered_files, recorded_files, written_files
from isogloss.reproduce.compare import Rules, compare_files
from isogloss.reproduce.drawing import Sample
from isogloss.reproduce.findings import NotDone, Reproduction, TableComparison
from isogloss.reproduce.mirror import make_mirror
from isogloss.reproduce.models import Draw, ask_again
from isogloss.reproduce.scratch import copy_project
from isogloss.reproduce.stages import data_of, steps
from isogloss.reproduce.takeover import served_stages, unsampled_stages
from isogloss.reproduce.tolerances import Tolerances
from isogloss.reproduce.workflow import Place, environment_with, run_steps


@dataclass(frozen=True)
class Order:
    """What is to be done."""

    config: Path
    """Configuration of the recorded run, absolute or relative to the project."""
    tolerances: Tolerances
    cores: str = "all"
    options: tuple[str, ...] = ()
    """Snakemake's options that the run was made with."""
    upstream: bool = False
    """Whether a sample also runs what stands before the answers."""
    sample: Sample | None = None
    """How many prompts to ask again; without it everything is computed again."""
    seed: int | None = None
    """Decides which; the configuration's by default."""


@dataclass(frozen=True)
class Recorded:
    """The recorded run."""

    lock: Lock
    files: tuple[Expected, ...]
    altered: tuple[str, ...]


def read_recorded(project: Path) -> Recorded:
    """Read what is recorded; raise `RecordError` where there is no record, or files lack."""
    lock = read_lock(project / "dvc.lock")
    files = recorded_files(lock, project)
    return Recorded(lock, files, altered_files(files, project))


def reproduce(project: Project, recorded: Recorded, order: Order, scratch: Path) -> Reproduction:
    """Compute the run again in `scratch`, and compare what it writes below `data/`.

    Raises `RecordError` when the workflow cannot be run. A model that cannot be asked is no
    error: it is among `failed`.
    """
    from_raw = make_mirror(project, scratch / "mirror")
    environment = environment_with(scratch / "mirror")
    place = Place(scratch / "project", environment, order.options, order.cores)
    copy_project(project.root, recorded.lock, order.config, place.folder)
    stages = [stage for stage in place.stages() if data_of(stage)]
    taken = _taken_over(project, stages, order)
    names = {entry.what for entry in taken}
    again = [stage for stage in stages if stage.name not in names]
    run_steps(steps(stages, names), project.root, place)
    found = Reproduction(
        mode="full" if order.sample is None else "sample",
        config=order.config.name if order.config.is_absolute() else order.config.as_posix(),
        machine=this_machine(),
        recomputed=tuple(stage.name for stage in again),
        taken_over=(*taken, *from_raw),
        altered=recorded.altered,
        tables=compare_folders(
            [entry.path for entry in recorded.files],
            _outputs(again),
            _outputs(stage for stage in stages if stage.name in names),
            (project.root, place.folder),
            order.tolerances,
        ),
    )
    if order.sample is None:
        return found
    return _with_new_answers(found, project, order, order.sample, place.folder)


def _taken_over(project: Project, stages: Sequence[Stage], order: Order) -> list[NotDone]:
    if order.sample is None:
        return served_stages(project, stages)
    return unsampled_stages(project, stages, upstream=order.upstream)


def _outputs(stages: Iterable[Stage]) -> set[str]:
    return {out for stage in stages for out in data_of(stage)}


def compare_folders(
    recorded: Sequence[str],
    made: Collection[str],
    taken_over: Collection[str],
    folders: tuple[Path, Path],
    tolerances: Tolerances,
) -> tuple[TableComparison, ...]:
    """Compare every file below `data/` that is recorded, or was made again, in order of names.

    `made` and `taken_over` are outputs of stages; what was taken over is not compared. `folders`
    are that of the recorded run and that of the new one.
    """
    before, now = folders
    copied = set(written_files(taken_over, now))
    new = set(written_files(made, now))
    tables = []
    for name in sorted(new | (set(recorded) - copied)):
        if name not in new:
            tables.append(TableComparison(name, "missing"))
        elif name not in recorded:
            tables.append(TableComparison(name, "extra"))
        else:
            rules = Rules(tolerances, level_of(before / name))
            tables.append(compare_files(name, before / name, now / name, rules))
    return tuple(tables)


def level_of(table: Path) -> float | None:
    """Level of significance in the plan beside a table; None where there is no plan."""
    try:
        alpha = json.loads((table.parent / "plan.json").read_text(encoding="utf-8"))["alpha"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return alpha if isinstance(alpha, float) else None


def this_machine() -> str:
    """Say what computed: processor architecture, system, Python and this package."""
    cores = os.cpu_count()
    return (
        f"{platform.machine()}, {cores} cores, {platform.system()}, "
        f"Python {platform.python_version()}, isogloss {__version__}"
    )


def _with_new_answers(
    found: Reproduction, project: Project, order: Order, sample: Sample, scratch: Path
) -> Reproduction:
    seed = project.config.seed if order.seed is None else order.seed
    wanted = Draw(sample, seed, order.tolerances)
    asked = ask_again(project, order.config, scratch, wanted)
    return replace(
        found,
        sample=str(sample),
        seed=seed,
        rescored=asked.rescored,
        failed=(*found.failed, *asked.failed),
        tables=tuple(sorted((*found.tables, *asked.tables), key=lambda one: one.table)),
    )
