"""What the audit page says about a project's sources and models."""

import json

from isogloss.config import RecordedModel
from isogloss.crate.identifier import identifier_of_files
from isogloss.errors import ReportError
from isogloss.fetch import source_named
from isogloss.guises.definition import load_guises
from isogloss.models.encoder import encoder_identity
from isogloss.project import Project, used_sources
from isogloss.report.audit import NOT_STATED, ModelRecord, SourceRecord, model_record
from isogloss.report.parts import PartInputs
from isogloss.report.results import read_results
from isogloss.report.stimuli_tables import read_stimuli_results
from isogloss.report.weat_tables import read_weat_results

SOURCES = "data/sources.yaml"
"""File of the pins, relative to the project's folder."""


def source_records(project: Project) -> list[SourceRecord]:
    """Return the pin of every source that the run refers to."""
    pins = {name: source_named(project.sources, name) for name in used_sources(project)}
    return [
        SourceRecord(name, pin.title, pin.sha256, pin.licence, SOURCES)
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
        manifest = json.loads(path.read_text(encoding="utf-8"))
        return model_record(manifest, project.model_input(name))
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


def part_inputs(project: Project) -> PartInputs:
    """Read everything that the report's parts are made from.

    Raises `ReportError`, or another error of this package, naming the file at fault.
    """
    root = project.root
    return PartInputs(
        tuple(
            read_results(root / project.results_folder(study), study)
            for study in project.config.studies
        ),
        read_stimuli_results(
            (root / project.inventory_paths()[0]).parent,
            (root / project.calibration_paths()[0]).parent,
            load_guises(root / "data" / "guises"),
        ),
        read_weat_results((root / project.weat_paths()[0]).parent),
        source_records(project),
        model_records(project),
        identifier_of_files(root, project.parts_inputs()),
    )
