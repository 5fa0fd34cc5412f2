"""Replies that are JSON objects: the schemas that ask for them, and what they say."""

import json
import re
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match

from isogloss.errors import AnswerError
from isogloss.score.objects import objects
from isogloss.score.parsed import Parsed, malformed

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_PLACEHOLDER = re.compile(r"\s*(?:<.*>|\.\.\.|…)\s*", re.DOTALL)
_NAMED = ("properties", "patternProperties", "$defs", "definitions")
_LITERAL = ("const", "enum", "default", "examples")


def schema_of_integer(name: str, low: int, high: int) -> dict[str, Any]:
    """Return the schema of an object whose only field is a whole number on a scale."""
    return {
        "type": "object",
        "properties": {name: {"type": "integer", "minimum": low, "maximum": high}},
        "required": [name],
        "additionalProperties": False,
    }


def canonical_schema(schema: Mapping[str, Any]) -> str:
    """Return a JSON schema (draft 2020-12) as one line in which its keywords are sorted.

    The order of the properties is kept, since a model writes them in that order. Raises
    `AnswerError` when the schema is not valid, or refers to another document.
    """
    try:
        written = json.dumps(_canonical(schema), separators=(",", ":"), allow_nan=False)
        Draft202012Validator.check_schema(json.loads(written))
    except SchemaError as error:
        raise AnswerError(f"JSON schema, {error.json_path}: {error.message}") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise AnswerError(f"JSON schema is not plain JSON: {error}") from error
    return written


def _canonical(schema: Any) -> Any:
    """Sort the keywords of a schema and of the schemas in it."""
    if isinstance(schema, Mapping):
        return {keyword: _canonical_value(keyword, schema[keyword]) for keyword in sorted(schema)}
    return [_canonical(part) for part in schema] if isinstance(schema, list | tuple) else schema


def _canonical_value(keyword: str, value: Any) -> Any:
    if keyword == "$ref" and not str(value).startswith("#"):
        raise AnswerError(f"JSON schema refers to {value!r}; write that part into it")
    if keyword in _LITERAL:
        return value
    if keyword in _NAMED and isinstance(value, Mapping):
        return {name: _canonical(part) for name, part in value.items()}
    return _canonical(value)


def read_object(text: str, schema: str | None = None) -> Parsed[dict[str, Any]]:
    """Return the last JSON object that a reply gives; text and fences around it do not matter.

    Malformed are: no object; an object that the end of the reply cuts off or that is not valid
    JSON; a name that occurs twice; `NaN` and infinities; half of a surrogate pair; nesting deeper
    than `MAX_DEPTH`; a reply longer than `MAX_CHARACTERS`; and, where a schema is given as
    `canonical_schema` writes it, an object that does not satisfy it.
    """
    found = objects(text)
    if not found:
        return malformed("no JSON object", text)
    last = found[-1]
    return last if last.value is None or schema is None else _validated(last.value, schema)


def _validated(value: dict[str, Any], schema: str) -> Parsed[dict[str, Any]]:
    error = best_match(Draft202012Validator(json.loads(schema)).iter_errors(value))
    if error is not None:
        return malformed(f"{error.json_path} fails {error.validator}", error.instance)
    return Parsed(value, "ok")


def read_field(text: str, name: str) -> Parsed[Any]:
    """Return the value of a field in the last JSON object that has it.

    A field inside another object does not count, nor does a placeholder (`"<1-10>"`). Malformed
    are: a later object that cannot be read (see `read_object`), no field, `null`.
    """
    for found in reversed(objects(text)):
        if found.value is None:
            return found
        if name not in found.value or _is_placeholder(found.value[name]):
            continue
        if found.value[name] is None:
            return malformed(f"field {name!r} is null")
        return Parsed(found.value[name], "ok")
    return malformed(f"no JSON object with a field {name!r}", text)


def _is_placeholder(value: object) -> bool:
    return isinstance(value, str) and _PLACEHOLDER.fullmatch(value) is not None


def read_integer(text: str, name: str, low: int, high: int) -> Parsed[int]:
    """Return the whole number from `low` to `high` in a field of a JSON object.

    `7` and `7.0` are the number 7, as in JSON Schema, and so is the string `"7"`, which holds
    these digits alone. `true`, `7.5`, `"7.0"`, `"7/10"` and numbers off the scale are malformed.
    """
    found = read_field(text, name)
    if found.status != "ok":
        return Parsed(None, found.status, found.reason)
    value = _whole(found.value)
    if value is None:
        return malformed("not a whole number", found.value)
    if not low <= value <= high:
        return malformed(f"not from {low} to {high}", value)
    return Parsed(value, "ok")


def _whole(given: object) -> int | None:
    if isinstance(given, bool):
        return None
    if isinstance(given, str):
        return int(given) if _WHOLE.fullmatch(given) else None
    if isinstance(given, int) or (isinstance(given, float) and given.is_integer()):
        return int(given)
    return None
