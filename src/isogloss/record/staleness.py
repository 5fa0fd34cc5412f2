"""Stages that are defined in another way than they were recorded."""

from collections.abc import Iterable, Mapping

from isogloss.record.findings import Finding
from isogloss.record.lock import Lock
from isogloss.record.stages import Stage


def stale_stages(stages: Iterable[Stage], lock: Lock, *, source: str) -> tuple[Finding, ...]:
    """Findings for the stages that dvc.lock does not have as `stages` has them, and vice versa.

    `source` says where `stages` come from: dvc.yaml, or the workflow (`workflow_stages`), which
    tells whether a rule was edited after the run that is recorded.
    """
    defined = {stage.name: stage for stage in stages}
    locked = _locked_stages(lock)
    notes = (_difference(name, defined, locked) for name in sorted(defined.keys() | locked.keys()))
    return tuple(Finding("stale", source, note=note) for note in notes if note)


def _locked_stages(lock: Lock) -> dict[str, Stage]:
    return {
        name: Stage(
            name,
            stage.cmd,
            tuple(sorted(dep.path for dep in stage.deps)),
            tuple(sorted(out.path for out in stage.outs)),
        )
        for name, stage in lock.stages.items()
    }


def _difference(name: str, defined: Mapping[str, Stage], locked: Mapping[str, Stage]) -> str:
    if name not in locked:
        return f"stage {name} is not in dvc.lock"
    if name not in defined:
        return f"stage {name} is in dvc.lock only"
    pairs = {
        "command": (defined[name].command, locked[name].command),
        "inputs": (defined[name].deps, locked[name].deps),
        "outputs": (defined[name].outs, locked[name].outs),
    }
    parts = [part for part, (now, then) in pairs.items() if now != then]
    verb = "differs" if parts == ["command"] else "differ"
    return f"stage {name}: {' and '.join(parts)} {verb} from dvc.lock" if parts else ""
