"""Stages whose outputs are taken over as recorded, each with the reason.

A stage that asks a model has the model's manifest among its inputs.
"""

from collections.abc import Sequence

from isogloss.config import OpenAIModel, RecordedModel, TransformersModel
from isogloss.project import Project
from isogloss.record.stages import Stage
from isogloss.reproduce.findings import NotDone
from isogloss.reproduce.stages import data_of

_SERVED = "asks {}, a model behind a server, which is never asked again"


def served_stages(project: Project, stages: Sequence[Stage]) -> list[NotDone]:
    """Stages that ask a model behind a server: it costs, and nothing binds it to its answers."""
    manifests = _manifests(project, OpenAIModel)
    return [
        NotDone(stage.name, _SERVED.format(manifests[dep]))
        for stage in stages
        for dep in stage.deps
        if dep in manifests and data_of(stage)
    ]


def unsampled_stages(project: Project, stages: Sequence[Stage], *, upstream: bool) -> list[NotDone]:
    """Stages that a sample does not run.

    These are all that ask a model, describe one or bring a source in and, unless `upstream`, what
    stands before the answers: items and their validation, calibration, generated texts.
    """
    reasons = {stage.name: _why_not(project, stage) for stage in stages if data_of(stage)}
    after = {*_tables_of_results(project), *_replayed(project)}
    return [
        NotDone(stage.name, reasons[stage.name] or "stands before the answers; --upstream runs it")
        for stage in stages
        if data_of(stage) and (reasons[stage.name] or not (upstream or after & set(stage.outs)))
    ]


def _why_not(project: Project, stage: Stage) -> str | None:
    """Why a stage is never run for a sample; None for one that can be."""
    local, served = (_manifests(project, kind) for kind in (TransformersModel, OpenAIModel))
    asked = [dep for dep in stage.deps if dep in local | served]
    if asked and asked[0] in served:
        return _SERVED.format(served[asked[0]])
    if asked and {project.responses_path(job) for job in project.jobs()} & set(stage.outs):
        return f"asks {local[asked[0]]}, of which a sample is asked again"
    if asked:
        return f"asks {local[asked[0]]} for something else than responses"
    if set(stage.outs) & set(local | served):
        return "describes a model; a local one is described anew when it is asked"
    return None if stage.deps else "brings a pinned source in"


def _tables_of_results(project: Project) -> list[str]:
    """Tables that sum up responses, items or embeddings."""
    of_studies = [
        path
        for study in project.config.studies
        for path in (*project.result_paths(study), *project.mixed_paths(study))
    ]
    return [*of_studies, *project.weat_paths(), *project.inventory_paths()]


def _replayed(project: Project) -> list[str]:
    """Response tables that replay what others recorded."""
    models = project.config.models
    jobs = [job for job in project.jobs() if isinstance(models[job.model], RecordedModel)]
    return [project.responses_path(job) for job in jobs]


def _manifests(
    project: Project, kind: type[TransformersModel] | type[OpenAIModel]
) -> dict[str, str]:
    """Name of each model of a kind by the path of its manifest."""
    models = project.config.models
    return {project.model_input(name): name for name, m in models.items() if isinstance(m, kind)}
