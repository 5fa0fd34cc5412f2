"""YAML files of DVC as typed records."""

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from isogloss.config.faults import first_fault
from isogloss.errors import RecordError

Document = TypeVar("Document", bound=BaseModel)


def read_document(path: Path, form: type[Document]) -> Document:
    """Read a YAML file and check it against `form`.

    Raises:
        RecordError: the file is missing, unreadable, no YAML, or has another form.
    """
    try:
        return form.model_validate(_load_yaml(path))
    except ValidationError as error:
        fault = first_fault(error, "the whole file")
        raise RecordError(
            f"{path}: {fault}: restore it from git or run `snakemake --cores all`"
        ) from error


def _load_yaml(path: Path) -> Any:
    """Content in YAML 1.2, the dialect that DVC reads and writes."""
    try:
        return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RecordError(
            f"{path} does not exist: run `snakemake --cores all`, or restore it from git"
        ) from None
    except (OSError, UnicodeDecodeError, YAMLError) as error:
        reason = " ".join(str(error).split())
        raise RecordError(f"{path} cannot be read: {reason}: restore it from git") from error
