"""How far a number may be from the recorded one: a rule for each pattern of columns."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from isogloss.config.base import Strict
from isogloss.config.load import read_yaml
from isogloss.errors import ConfigurationError

DEFAULT_TOLERANCES = Path("config/tolerances.yaml")
"""Where a project keeps its tolerances."""

_Bound = Annotated[float, Field(ge=0)]


class Tolerance(Strict):
    """One rule, and why it is what it is."""

    absolute: _Bound = 0.0
    """Part of the bound that does not depend on the number."""
    relative: _Bound = 0.0
    """Part of the bound that is a share of the recorded number."""
    any_text: bool = False
    """Whether a text may be another one: it is told, and counts as no difference."""
    reason: Annotated[str, Field(min_length=1)]

    def bound(self, recorded: float) -> float:
        """Return `absolute + relative * |recorded|`."""
        return self.absolute + self.relative * abs(recorded)


class Tolerances(Strict):
    """All rules of a file; the first that matches table and column counts."""

    default: Tolerance
    """For a column without a rule."""
    tables: dict[str, dict[str, Tolerance]]
    """Rules by pattern of the table's path, then by pattern of the column's name."""

    def of(self, table: str, column: str) -> Tolerance:
        """Return the rule for a column."""
        for path, columns in self.tables.items():
            if fnmatchcase(table, path):
                for pattern, tolerance in columns.items():
                    if fnmatchcase(column, pattern):
                        return tolerance
        return self.default


def load_tolerances(path: Path) -> Tolerances:
    """Read the rules; raise `ConfigurationError` naming the key at fault."""
    raw = read_yaml(path)
    if not isinstance(raw, dict):
        raise ConfigurationError(f"{path}: must be a mapping with the keys default and tables")
    try:
        return Tolerances.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        unknown = first["type"] == "extra_forbidden"
        fault = "unknown key; remove it" if unknown else first["msg"]
        raise ConfigurationError(f"{path}: {_key(first['loc'])}: {fault}") from error


def check_patterns(tolerances: Tolerances, columns: Iterable[tuple[str, str]], path: Path) -> None:
    """Raise `ConfigurationError` naming the key of a pattern that matches none of `columns`.

    `columns` are pairs of a table's path and a column's name.
    """
    known = list(dict.fromkeys(columns))
    for table, rules in tolerances.tables.items():
        here = {column for name, column in known if fnmatchcase(name, table)}
        if not here:
            raise ConfigurationError(
                f"{path}: {_key(('tables', table))}: matches no table; correct or remove it"
            )
        for pattern in rules:
            if not any(fnmatchcase(column, pattern) for column in here):
                raise ConfigurationError(
                    f"{path}: {_key(('tables', table, pattern))}: matches no column of these "
                    "tables; correct or remove it"
                )


def _key(place: Iterable[str | int]) -> str:
    return " > ".join(str(part) for part in place) or "the file"
