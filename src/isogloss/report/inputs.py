"""What the audit page says about a project's sources and models."""

import json

from isogloss.config import RecordedModel
from isogloss.errors import ReportError
from isogloss.fetch import source_named
from isogloss.models.encoder import encoder_identity
from isogloss.project import Project, used_sources
from isogloss.report.audit import NOT_STATED, ModelRecord, SourceRecord, model_record


def source_records(project: Project) -> list[SourceRecord]:
    """Return the pin of every source that the run refers to."""
    pins = {name: source_named(project.sources, name) for name in used_sources(project)}
    return [
        SourceRecord(id=name, title=pin.title, sha256=pin.sha256, licence=pin.licence)
        for name, pin in pins.items()
    ]


def model_records(project: Project) -> list[ModelRecord]:
    """Return the identity of every model that answered, and of the sentence encoder."""
    names = dict.fromkeys(job.model for job in project.jobs())
    return [*(_record(project, name) for name in names), _encoder(project)]


def _record(project: Project, name: str) -> ModelRecord:
    config = project.config.models[name]
    if isinstance(config, RecordedModel):
        pin = source_named(project.sources, config.source)
        return ModelRecord(
            name=name,
            backend="recorded",
            origin=config.source,
            digest=pin.sha256,
            dtype=NOT_STATED,
            parameters=NOT_STATED,
            software=NOT_STATED,
        )
    path = project.root / project.model_input(name)
    try:
        return model_record(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise ReportError(f"{path}: not a readable model manifest; identify the model") from error


def _encoder(project: Project) -> ModelRecord:
    identity = encoder_identity(project.config.encoder, project.root)
    return ModelRecord(
        name="sentence encoder of the validation",
        backend=identity["backend"],
        origin=identity["origin"],
        digest=identity["sha256"],
        dtype="float32",
        parameters=NOT_STATED,
        software=NOT_STATED,
    )
