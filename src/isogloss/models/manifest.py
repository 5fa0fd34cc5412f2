"""What a configured model is, whichever way it is reached."""

from pathlib import Path
from typing import Any

from isogloss.config.schema import OpenAIModel, TransformersModel
from isogloss.fetch import Source
from isogloss.models.identity import manifest_of
from isogloss.models.served import served_identity


def identify_model(
    name: str, config: TransformersModel | OpenAIModel, sources: dict[str, Source], project: Path
) -> dict[str, Any]:
    """Return a model's manifest: of its files, or of the server that is asked.

    Raises `ModelError` when a model that runs here cannot be loaded; a server is not spoken to.
    """
    if isinstance(config, OpenAIModel):
        return manifest_of(served_identity(name, config))
    from isogloss.models.local import load_model

    return manifest_of(load_model(name, config, sources, project).identity)
