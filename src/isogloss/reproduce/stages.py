"""Which stages are run again, which are taken over as recorded, and in what order."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from isogloss.record.stages import Stage
from isogloss.reproduce.artifacts import FOLDER


@dataclass(frozen=True)
class Step:
    """Outputs to take over, and then outputs to make; everything before is there already."""

    take_over: tuple[str, ...]
    make: tuple[str, ...]


def steps(stages: Sequence[Stage], taken_over: Collection[str]) -> tuple[Step, ...]:
    """Divide the stages that write below `data/` into steps.

    `stages` are in the order of the chain; `taken_over` are names. An output that is taken over
    is put there only after everything that stands before it was made, or else it would seem
    older than its inputs.
    """
    level = _levels(stages, taken_over)
    found = []
    for number in range(max(level.values(), default=-1) + 1):
        here = [stage for stage in stages if level[stage.name] == number]
        found.append(
            Step(
                tuple(o for stage in here if stage.name in taken_over for o in data_of(stage)),
                tuple(o for stage in here if stage.name not in taken_over for o in data_of(stage)),
            )
        )
    return tuple(step for step in found if step.take_over or step.make)


def data_of(stage: Stage) -> tuple[str, ...]:
    """Return a stage's outputs below `data/`."""
    return tuple(out for out in stage.outs if out.startswith(FOLDER))


def _levels(stages: Sequence[Stage], taken_over: Collection[str]) -> dict[str, int]:
    """Number of the step of each stage.

    That of the last stage before it; one more where it is taken over and something before it is
    made again.
    """
    producer = {out: stage.name for stage in stages for out in stage.outs}
    level: dict[str, int] = {}
    made: dict[str, bool] = {}
    for stage in stages:
        before = _before(stage, producer)
        follows = any(made[name] for name in before)
        again = stage.name not in taken_over
        level[stage.name] = max((level[name] for name in before), default=0)
        level[stage.name] += int(follows and not again)
        made[stage.name] = again or follows
    return level


def _before(stage: Stage, producer: Mapping[str, str]) -> set[str]:
    return {producer[dep] for dep in stage.deps if dep in producer} - {stage.name}
