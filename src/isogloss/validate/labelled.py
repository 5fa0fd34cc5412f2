"""The labelled pairs on which the checks are calibrated, and what can be wrong with a pair."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Self

import pandas as pd
from pydantic import Field, TypeAdapter, ValidationError, model_validator

from isogloss.config.base import Slug, Strict
from isogloss.config.load import read_yaml
from isogloss.errors import ItemError
from isogloss.validate.items import read_table
from isogloss.validate.records import CheckName

PAIR_COLUMNS: Final = [
    "pair_id",
    "guise",
    "reference_guise",
    "context",
    "reference",
    "text",
    "label",
    "fault",
    "split",
    "note",
]
"""Columns of the labelled pairs; `reference_guise` is empty where the reference is plain."""

LABELS: Final = ("good", "bad")
SPLITS: Final = ("development", "held_out")
"""Thresholds may be chosen on the first part; the second says whether they hold elsewhere."""


class Fault(Strict):
    """One way in which a pair can be bad."""

    what: Annotated[str, Field(min_length=1)]
    """What is wrong with such a pair, in a sentence."""
    checks: Annotated[tuple[CheckName, ...], Field(min_length=1, strict=False)]
    """Checks that are meant to fail it."""
    related: Annotated[tuple[CheckName, ...], Field(strict=False)] = ()
    """Checks that fail it for a good reason without being meant for it."""

    @model_validator(mode="after")
    def _each_check_once(self) -> Self:
        named = self.checks + self.related
        twice = [name for name in named if named.count(name) > 1]
        if twice:
            raise ValueError(f"{twice[0]} is named twice")
        return self


@dataclass(frozen=True)
class Labelled:
    """The calibration set."""

    pairs: pd.DataFrame
    """One row each, with `PAIR_COLUMNS`, every cell text."""
    faults: Mapping[str, Fault]
    """Faults by name."""


_FAULTS: Final = TypeAdapter(dict[Slug, Fault])


def load_labelled(folder: Path) -> Labelled:
    """Read `pairs.csv` and `faults.yaml` of a folder.

    Raises `ItemError` naming the file, the row and the field at fault, and `ConfigurationError`
    when the second file is no YAML.
    """
    faults = _load_faults(folder / "faults.yaml")
    path = folder / "pairs.csv"
    pairs = read_table(path, PAIR_COLUMNS)
    _check_pairs(pairs, faults, path)
    return Labelled(pairs, faults)


def _load_faults(path: Path) -> dict[str, Fault]:
    try:
        return _FAULTS.validate_python(read_yaml(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise ItemError(f"{path}: {place}: {first['msg']}") from error


def _check_pairs(pairs: pd.DataFrame, faults: Mapping[str, Fault], path: Path) -> None:
    if pairs.empty:
        raise ItemError(f"{path}: no pairs; the table has a header only")
    for column, allowed in (("label", LABELS), ("split", SPLITS), ("fault", ("", *faults))):
        wrong = ~pairs[column].isin(allowed)
        _refuse(pairs, wrong, path, f"{column} is none of {', '.join(filter(None, allowed))}")
    good = pairs["label"] == "good"
    _refuse(pairs, good != (pairs["fault"] == ""), path, "a bad pair has a fault, a good one none")
    for column in ("pair_id", "guise", "reference"):
        _refuse(pairs, pairs[column].str.strip() == "", path, f"{column} is empty; fill it in")
    _refuse(pairs, pairs.duplicated("pair_id"), path, "the pair_id stands in an earlier row")


def _refuse(pairs: pd.DataFrame, wrong: "pd.Series[bool]", path: Path, what: str) -> None:
    if wrong.any():
        row = int(wrong.to_numpy().argmax())
        raise ItemError(f"{path}: row {row + 1} (pair {pairs['pair_id'].iloc[row]!r}): {what}")
