"""Which columns name a row of a table, and which rows of two tables belong together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from isogloss.reproduce.cells import is_integer, is_measured
from isogloss.score.responses import KEY

VERDICTS = frozenset(
    {"verdict", "status", "outcome", "equivalent", "flagged", "significant", "valid", "passed"}
)
"""Columns that say how something was judged, where they hold words and no counts."""

_REMARKS = frozenset({"reason", "method", "text", "modal"})

Key = tuple[str, ...]


def is_verdict(column: str) -> bool:
    """Whether a column of words says how something was judged."""
    return column in VERDICTS or column.endswith("_status")


@dataclass(frozen=True)
class Matched:
    """Rows of two tables, by position."""

    pairs: tuple[tuple[int, int], ...]
    """Positions in the recorded table and in the other one."""
    only_recorded: tuple[int, ...]
    only_found: tuple[int, ...]


def key_columns(recorded: pd.DataFrame, found: pd.DataFrame) -> Key:
    """Return the columns by which rows are matched.

    Those of the response table where it is one. Else the fewest, in order, that tell all rows of
    either table apart: columns of text first, then of whole numbers. Verdicts, remarks and
    measured numbers are never among them. Where no such columns tell all rows apart, all of them.
    """
    shared = [name for name in recorded.columns if name in found.columns]
    if set(KEY) <= set(shared):
        return tuple(KEY)
    candidates = list(_candidates(recorded, found, shared))
    for count in range(1, len(candidates) + 1):
        chosen = candidates[:count]
        if not (recorded.duplicated(chosen).any() or found.duplicated(chosen).any()):
            return tuple(chosen)
    return tuple(candidates)


def _candidates(
    recorded: pd.DataFrame, found: pd.DataFrame, shared: Sequence[str]
) -> Iterator[str]:
    wholes = []
    for name in shared:
        cells = {*recorded[name], *found[name]} - {""}
        judged = is_verdict(name) or name in _REMARKS or name.endswith(("_reason", "_method"))
        if judged or not cells or any(map(is_measured, cells)):
            continue
        if all(map(is_integer, cells)):
            wholes.append(name)
        else:
            yield name
    yield from wholes


def match_rows(recorded: pd.DataFrame, found: pd.DataFrame, key: Key) -> Matched:
    """Match rows of the same key; among rows of one key, the first with the first and so on."""
    places = _places(found, key)
    pairs, only_recorded = [], []
    for name, position in _places(recorded, key).items():
        other = places.pop(name, None)
        if other is None:
            only_recorded.append(position)
        else:
            pairs.append((position, other))
    return Matched(tuple(pairs), tuple(only_recorded), tuple(places.values()))


def _places(frame: pd.DataFrame, key: Key) -> dict[tuple[Key, int], int]:
    """Position of each row by its key and by how often that key came before."""
    seen: dict[Key, int] = {}
    places = {}
    for position, name in enumerate(names_of(frame, key)):
        seen[name] = seen.get(name, -1) + 1
        places[name, seen[name]] = position
    return places


def names_of(frame: pd.DataFrame, key: Key) -> list[Key]:
    """Return each row's values in the key's columns; none of them for an empty key."""
    if not key:
        return [()] * len(frame)
    return list(zip(*(frame[name] for name in key), strict=True))
