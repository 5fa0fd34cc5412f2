"""Rows of result tables, and how they become a table."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, cast, get_type_hints

import pandas as pd

from isogloss.score.responses import MISSING

CELL = ["study", "model", "item_set", "condition", "mode"]
"""Columns that say which design cell a row belongs to."""


@dataclass(frozen=True)
class Cell:
    """Responses of one model to one item set under one condition in one mode."""

    study: str
    model: str
    item_set: str
    condition: str
    mode: str


@dataclass(frozen=True)
class MissingCounts:
    """How many responses, or pairs of responses, have no value, by what became of them."""

    n_missing_refusal: int
    n_missing_malformed: int
    n_missing_low_mass: int
    n_missing_error: int


def missing_counts(outcomes: "pd.Series[str]") -> MissingCounts:
    """Count every outcome that carries no value."""
    counts = outcomes.value_counts()
    return MissingCounts(**{f"n_missing_{name}": int(counts.get(name, 0)) for name in MISSING})


def cells(rows: pd.DataFrame) -> list[tuple[Cell, pd.DataFrame]]:
    """Split a response table into its design cells, in order of their names."""
    return [
        (Cell(*cast(tuple[str, ...], key)), part)
        for key, part in rows.groupby(CELL, sort=True, dropna=False)
    ]


def types_of(kind: type[Any]) -> dict[str, type[Any]]:
    """Columns of a record with their types; a field that is itself a record gives its own."""
    hints = get_type_hints(kind)
    found: dict[str, type[Any]] = {}
    for field in fields(kind):
        hint: type[Any] = hints[field.name]
        found |= types_of(hint) if is_dataclass(hint) else {field.name: hint}
    return found


def columns_of(kind: type[Any]) -> list[str]:
    """Names of the columns of a record."""
    return list(types_of(kind))


def values_of(record: Any) -> list[object]:
    """Values of a record in the order of `columns_of`."""
    values = [getattr(record, field.name) for field in fields(record)]
    nested = [values_of(v) if is_dataclass(v) else [v] for v in values]
    return [value for group in nested for value in group]


def table(kind: type[Any], records: Iterable[Any]) -> pd.DataFrame:
    """Make a table with one row for each record; it has all columns even without a row."""
    return pd.DataFrame([values_of(record) for record in records], columns=columns_of(kind))


def in_order(frame: pd.DataFrame, orders: dict[str, tuple[str, ...]]) -> pd.DataFrame:
    """Sort a table by the columns of `orders`; names outside an order follow it by name."""

    def position(column: "pd.Series[Any]") -> "pd.Series[Any]":
        order = orders.get(str(column.name), ())
        rest = tuple(sorted(set(column.astype(str)) - set(order)))
        places = {name: place for place, name in enumerate((*order, *rest))}
        return column.astype(str).map(places)

    return frame.sort_values(list(orders), key=position, kind="stable", ignore_index=True)
