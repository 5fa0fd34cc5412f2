"""What went into a run: sources and models, with the hashes that identify them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from isogloss.report.cells import words
from isogloss.report.markdown import Column, escape, pipe_table
from isogloss.report.provenance import ORIGIN, Origin, Record

NOT_STATED = "not stated"
_SOFTWARE = {"transformers": "transformers", "torch": "torch", "openai": "client"}
"""Libraries, and the fields of a manifest that hold their versions."""


@dataclass(frozen=True)
class SourceRecord:
    """A source of the run."""

    id: str
    title: str
    sha256: str
    licence: str
    file: str = ""
    """Where this stands, relative to the project's folder."""


@dataclass(frozen=True)
class ModelRecord:
    """A model of the run, or whoever answered in its place."""

    name: str
    backend: str
    origin: str
    digest: str
    """Hash over everything that decides the model's responses."""
    dtype: str
    parameters: str
    software: str
    file: str = ""
    """Where this stands, relative to the project's folder."""


def model_record(manifest: Mapping[str, Any], file: str = "") -> ModelRecord:
    """Take from a model's manifest what the report shows; what it lacks is `not stated`."""
    versions = [f"{name} {manifest[key]}" for name, key in _SOFTWARE.items() if key in manifest]
    parameters = manifest.get("n_parameters")
    return ModelRecord(
        name=str(manifest.get("name", NOT_STATED)),
        backend=str(manifest.get("backend", NOT_STATED)),
        origin=str(manifest.get("origin") or _served(manifest) or NOT_STATED),
        digest=str(manifest.get("digest", NOT_STATED)),
        dtype=str(manifest.get("dtype", NOT_STATED)),
        parameters=NOT_STATED if parameters is None else f"{int(parameters):,}",
        software=", ".join(versions) or NOT_STATED,
        file=file,
    )


def _served(manifest: Mapping[str, Any]) -> str | None:
    """Where a served model is, and in which state its user took it to be."""
    if "base_url" not in manifest:
        return None
    version = manifest.get("version")
    marked = "" if version is None else f" ({version})"
    return f"{manifest.get('model', NOT_STATED)}{marked} at {manifest['base_url']}"


def audit_part(
    sources: Sequence[SourceRecord], models: Sequence[ModelRecord], identifier: str = ""
) -> str:
    """Return the tables of sources and of models, and what the package of the run is called."""
    package = [f"The package of this run (`isogloss package`) is `{identifier}`.\n"]
    return "\n".join([_sources(sources), _models(models), *(package if identifier else [])])


def _sources(sources: Sequence[SourceRecord]) -> str:
    if not sources:
        return "*No source was fetched.*\n"
    columns = [
        Column("Source", words("id")),
        Column("What it is", words("title")),
        Column("Licence", words("licence")),
        Column("SHA-256", _code("sha256")),
    ]
    rows = [_with_origin(source, {}, source.id) for source in sources]
    return pipe_table(rows, columns, caption="Sources of this run.", label="tbl-audit-sources")


def _models(models: Sequence[ModelRecord]) -> str:
    if not models:
        return "*No model was asked.*\n"
    columns = [
        Column("Model", words("name")),
        Column("Backend", words("backend")),
        Column("Origin", words("origin")),
        Column("Precision", words("dtype")),
        Column("Parameters", words("parameters"), "right"),
        Column("Software", words("software")),
        Column("Digest", _code("digest")),
    ]
    caption = (
        "Models of this run. The digest of a model that ran here covers weights, adapter, "
        "tokenizer, chat template and precision; that of a model behind a server its address, its "
        "name and what was asked for, since its weights are not seen; that of recorded responses "
        "is the hash of their file, that of an encoder the hash of its weights."
    )
    rows = [_with_origin(model, _keys_of(model)) for model in models]
    return pipe_table(rows, columns, caption=caption, label="tbl-audit-models")


def _keys_of(model: ModelRecord) -> dict[str, tuple[str, ...]]:
    """Keys of a manifest behind the fields that have another name."""
    software = tuple(key for name, key in _SOFTWARE.items() if name in model.software)
    return {"parameters": ("n_parameters",), "software": software}


def _with_origin(
    record: SourceRecord | ModelRecord, behind: Mapping[str, tuple[str, ...]], entry: str = ""
) -> Record:
    """Return the fields of a record; `behind` names the keys of a field that has another name."""
    row = asdict(record)
    if not record.file:
        return row
    keys = {name: behind.get(name, (name,)) for name in row}
    return {**row, ORIGIN: (Origin(record.file, keys, entry=entry),)}


def _code(name: str) -> Callable[[Record], str]:
    def cell(row: Record) -> str:
        text = str(row[name])
        return f"`{text}`" if text.isalnum() else escape(text)

    return cell
