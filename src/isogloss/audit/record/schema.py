"""The published schema of `audit.json`."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator

from isogloss.errors import RecordError

SCHEMA_FILE = "audit.schema.json"
SCHEMA_ID = "urn:isogloss:schema:audit:1"
"""Stable name of the schema; another form of `audit.json` gets another number."""


def schema_text() -> str:
    """Return the schema as it is shipped and copied into records."""
    return (files("isogloss.audit.record") / SCHEMA_FILE).read_text(encoding="utf-8")


def check(content: Any, place: str) -> None:
    """Raise `RecordError` naming the place and the field that the schema does not allow."""
    faults = sorted(_validator().iter_errors(content), key=lambda fault: fault.json_path)
    if faults:
        field = faults[0].json_path.removeprefix("$").lstrip(".") or "the whole file"
        raise RecordError(f"{place}: {field}: {_short(faults[0].message)}")


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema_text()))


def _short(message: str) -> str:
    return message if len(message) <= 200 else f"{message[:100]} … {message[-99:]}"
