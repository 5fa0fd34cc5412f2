"""The recorded stages as steps and actions of the Provenance Run Crate profile."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from isogloss.crate.contents import PackagedFile, configurations
from isogloss.crate.entities import Entity, file_id, identity_of, ref, refs
from isogloss.crate.software import ENGINE, TOOL
from isogloss.record.lock import Lock, RecordedPath

WORKFLOW = "Snakefile"
"""Main workflow of a run."""
RUN = "#run"
"""Identifier of the action that is the whole run."""
ENGINE_RUN = "#run/engine"
"""Identifier of the action of the engine."""


@dataclass(frozen=True)
class Actions:
    """The entities of steps and actions, and what refers to them."""

    tools: tuple[Entity, ...]
    """A tool for each rule."""
    steps: tuple[Entity, ...]
    """A step for each stage, in the order of the chain."""
    runs: tuple[Entity, ...]
    """The run, the engine's action, and for each stage the control and the execution."""


def actions_of(
    lock: Lock, order: Sequence[str], files: Mapping[str, PackagedFile], name: str, version: str
) -> Actions:
    """Describe the stages of `lock`, in the order `order` of their names.

    `name` is the run's, `version` that of the software whose rules ran. When the stages ran, and
    who ran them, is not in the record, so no action has a time or an agent.
    """
    rules = list(dict.fromkeys(map(rule_of, order)))
    controls = [_control(stage) for stage in order]
    return Actions(
        tools=tuple(_tool(rule, version) for rule in rules),
        steps=tuple(_step(stage, place) for place, stage in enumerate(order, start=1)),
        runs=(
            _run(lock, files, name),
            {
                "@id": ENGINE_RUN,
                "@type": "OrganizeAction",
                "name": f"Snakemake ran the stages of {name}",
                "instrument": ref(ENGINE),
                "object": refs(control["@id"] for control in controls),
                "result": ref(RUN),
            },
            *controls,
            *(_execution(stage, lock, files) for stage in order),
        ),
    )


def rule_of(stage: str) -> str:
    """Name of the rule that a stage is a job of: the part before the wildcards' values."""
    found = re.match(r"[A-Za-z_][A-Za-z0-9_]*", stage)
    return found[0] if found else stage


def _tool(rule: str, version: str) -> Entity:
    return {
        "@id": f"#rule/{rule}",
        "@type": "SoftwareApplication",
        "name": f"rule {rule}",
        "description": "The shell command of this rule of the workflow.",
        "softwareVersion": version,
        "softwareRequirements": ref(TOOL),
    }


def _step(stage: str, place: int) -> Entity:
    return {
        "@id": f"#step/{quote(stage)}",
        "@type": "HowToStep",
        "name": stage,
        "position": str(place),
        "workExample": ref(f"#rule/{rule_of(stage)}"),
    }


def _control(stage: str) -> Entity:
    return {
        "@id": f"#control/{quote(stage)}",
        "@type": "ControlAction",
        "name": f"Snakemake started {stage}",
        "instrument": ref(f"#step/{quote(stage)}"),
        "object": ref(f"#stage/{quote(stage)}"),
    }


def _execution(stage: str, lock: Lock, files: Mapping[str, PackagedFile]) -> Entity:
    recorded = lock.stages[stage]
    return {
        "@id": f"#stage/{quote(stage)}",
        "@type": "CreateAction",
        "name": stage,
        "description": recorded.cmd,
        "instrument": ref(f"#rule/{rule_of(stage)}"),
        "object": _references(recorded.deps, files),
        "result": _references(recorded.outs, files),
    }


def _run(lock: Lock, files: Mapping[str, PackagedFile], name: str) -> Entity:
    read = {dep.path for stage in lock.stages.values() for dep in stage.deps}
    last = [out for out in lock.artifacts if out.path not in read]
    settings = [file_id(path) for path in configurations(lock) if path in files]
    return {
        "@id": RUN,
        "@type": "CreateAction",
        "name": name,
        "description": (
            "One run of the whole workflow, as dvc.lock has it. The record does not say when the "
            "stages ran, so no time is given."
        ),
        "instrument": ref(WORKFLOW),
        "object": [*_references(lock.inputs, files), *refs(settings)],
        "result": _references(last, files),
    }


def _references(
    recorded: Iterable[RecordedPath], files: Mapping[str, PackagedFile]
) -> list[Entity]:
    return refs(
        file_id(f"{entry.path}/") if entry.is_directory else identity_of(files[entry.path])
        for entry in recorded
    )
