"""Find the JSON objects in a reply that may hold other text."""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from isogloss.score.parsed import Parsed, malformed

MAX_CHARACTERS = 100_000
"""Longest reply that is read."""

MAX_DEPTH = 16
"""Deepest nesting of objects and arrays that is read."""

MAX_BRACES = 100
"""Most braces that are tried as the beginning of an object."""

Found = Parsed[dict[str, Any]]
"""An object of a reply, or what is wrong with it."""

_SPACE = re.compile(r"\s*")
_CUT_NUMBER = re.compile(r"-|\.|[eE][+-]?")
_WORDS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_BRACES = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}]', re.DOTALL)
_ECHO = re.compile(r":\s*(?:<[^<>{}]*>|\.\.\.|…)")


class _Ambiguous(ValueError):
    """An object that is JSON by its form, and has no one value."""


def objects(text: str) -> list[Found]:
    """Return the outermost JSON objects of a reply in order, those that cannot be read included.

    A text in braces that does not begin as JSON is passed over, and so is a template whose values
    are placeholders (`{"score": <1-10>}`). Nothing inside an object that cannot be read is taken
    for an object. Where the reply breaks off inside an object, or is too long or too deeply nested
    to be read, this is the last that is found.
    """
    if len(text) > MAX_CHARACTERS:
        return [malformed(f"longer than {MAX_CHARACTERS} characters")]
    try:
        return list(_objects(text))
    except RecursionError:
        return [malformed(f"JSON nested deeper than {MAX_DEPTH}")]


def _objects(text: str) -> Iterator[Found]:
    start = text.find("{")
    for _ in range(MAX_BRACES):
        if start < 0:
            return
        found, end = _object_at(text, start)
        if found is not None:
            yield found
        start = text.find("{", end)
    if start >= 0:
        yield malformed(f"more than {MAX_BRACES} opening braces")


def _object_at(text: str, start: int) -> tuple[Found | None, int]:
    """What begins at a brace, if it is an object or was meant for one, and where it ends."""
    try:
        end = _LENIENT.raw_decode(text, start)[1]
    except json.JSONDecodeError as error:
        first = text[_after_space(text, start + 1) :][:1]
        if first == "{":
            return None, start + 1
        if first in ('"', "") and _is_cut(text, error):
            return malformed("cut off inside a JSON object", text[start:]), len(text)
        closed = _closing(text, start)
        broken = first in ('"', "'") and not _ECHO.search(text, start, closed or len(text))
        return (malformed("not valid JSON", text[start:]) if broken else None), closed or start + 1
    return _read(text[start:end]), end


def _after_space(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return space.end() if space else position


def _is_cut(text: str, error: json.JSONDecodeError) -> bool:
    """Whether the decoder stopped for want of text, not at something that is no JSON."""
    rest = text[_after_space(text, error.pos) :]
    return (
        error.msg.startswith("Unterminated string")
        or any(word.startswith(rest) for word in _WORDS)  # also where nothing is left
        or _CUT_NUMBER.fullmatch(rest) is not None
        or (error.msg.startswith("Invalid \\u") and '"' not in rest)
    )


def _closing(text: str, start: int) -> int | None:
    """Where the brace at `start` is closed, braces in double quotes aside."""
    depth = 0
    for mark in _BRACES.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if depth == 0:
            return mark.end()
    return None


def _read(written: str) -> Found:
    try:
        value = _STRICT.decode(written)
        _check_depth(value, MAX_DEPTH)
        json.dumps(value, ensure_ascii=False).encode()
    except _Ambiguous as error:
        return malformed(str(error))
    except UnicodeEncodeError:
        return malformed("half of a surrogate pair in a JSON string")
    except ValueError:
        return malformed("a number too long to read")
    return Parsed(value, "ok")


def _check_depth(value: object, left: int) -> None:
    if isinstance(value, dict | list):
        if left == 0:
            raise _Ambiguous(f"JSON nested deeper than {MAX_DEPTH}")
        for part in value.values() if isinstance(value, dict) else value:
            _check_depth(part, left - 1)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, given in pairs:
        if name in value:
            raise _Ambiguous(f"field {name!r} occurs twice")
        value[name] = given
    return value


def _no_constant(constant: str) -> NoReturn:
    raise _Ambiguous(f"{constant} is not a JSON number")


def _finite(written: str) -> float:
    value = float(written)
    if value in (float("inf"), float("-inf")):
        raise _Ambiguous("a number too large to be read")
    return value


_LENIENT = json.JSONDecoder(parse_int=str, parse_float=str, strict=False)
_STRICT = json.JSONDecoder(
    object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_finite, strict=False
)
