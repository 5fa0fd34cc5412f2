"""The published schema of what `isogloss verify --json` prints."""

from importlib.resources import files

SCHEMA_FILE = "verify.schema.json"


def schema_text() -> str:
    """Return the schema as it is shipped: JSON Schema, draft 2020-12."""
    return (files("isogloss.record") / SCHEMA_FILE).read_text(encoding="utf-8")
