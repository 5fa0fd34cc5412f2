"""Manifests of models as they were recorded."""

import json
from dataclasses import fields
from pathlib import Path, PurePosixPath
from typing import Any

from isogloss.errors import RecordError
from isogloss.models.identity import Identity, ModelIdentity
from isogloss.models.served import ServedIdentity
from isogloss.record.lock import Lock

FOLDER = "data/models"


def manifest_paths(lock: Lock) -> tuple[str, ...]:
    """Paths of the recorded manifests."""
    paths = (PurePosixPath(out.path) for out in lock.artifacts)
    wanted = (path for path in paths if path.suffix == ".json" and str(path.parent) == FOLDER)
    return tuple(sorted(map(str, wanted)))


def read_manifest(path: Path) -> tuple[Identity, str]:
    """What a manifest says of a model, and the digest that it states.

    Raises:
        RecordError: the file is missing, or no manifest.
    """
    try:
        content: Any = json.loads(path.read_text(encoding="utf-8"))
        digest = content.pop("digest")
        form = ModelIdentity if "weights_sha256" in content else ServedIdentity
        known = {field.name for field in fields(form)}
        return form(**{key: value for key, value in content.items() if key in known}), str(digest)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordError(
            f"{path.name} is no readable manifest of a model: `isogloss restore` or a run brings it"
        ) from error
