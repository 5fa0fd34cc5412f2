"""Who a posting is put to the model for: personas, each with the same backgrounds."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self, TypeVar

from pydantic import Field, ValidationError, model_validator

from isogloss.config.base import Slug, Strict
from isogloss.config.faults import first_fault
from isogloss.config.load import read_yaml
from isogloss.errors import ConfigurationError
from isogloss.postings.personas import (
    GENDER,
    RACE,
    Attribute,
    Persona,
    Value,
    crossed,
    nobody,
)

Line = Annotated[str, Field(min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]+$")]
"""Text of one line."""

DEFAULT_ATTRIBUTES = (GENDER, RACE)
T = TypeVar("T", bound=Strict)

MOST_PERSONAS = 200
MOST_BACKGROUNDS = 200


@dataclass(frozen=True)
class Background:
    """What a prompt says of a candidate beside the attributes."""

    name: str
    text: str


@dataclass(frozen=True)
class Grid:
    """Personas and backgrounds; each persona is asked about with each background."""

    attributes: tuple[Attribute, ...]
    personas: tuple[Persona, ...]
    backgrounds: tuple[Background, ...]

    def attributes_of(self, persona: Persona) -> tuple[tuple[str, str], ...]:
        """Return every attribute with the persona's value, empty where none is stated."""
        stated = dict(persona.attributes)
        return tuple((one.name, stated.get(one.name, "")) for one in self.attributes)


class _Values(Strict):
    label: Line
    values: Annotated[dict[Slug, Line], Field(min_length=1)]
    reference: Slug

    @model_validator(mode="after")
    def _reference_is_a_value(self) -> Self:
        if self.reference not in self.values:
            raise ValueError(f"reference {self.reference!r} is not one of the values")
        if len(set(self.values.values())) < len(self.values):
            raise ValueError("two values have the same label")
        return self


class _PersonaFile(Strict):
    attributes: Annotated[dict[Slug, _Values], Field(min_length=1, max_length=3)]


class _BackgroundFile(Strict):
    backgrounds: Annotated[dict[Slug, Line], Field(min_length=1, max_length=MOST_BACKGROUNDS)]


def read_attributes(path: Path) -> tuple[Attribute, ...]:
    """Read attributes with their values from YAML.

    Raises `ConfigurationError` naming the file and the field.
    """
    content = _read(_PersonaFile, path)
    return tuple(
        Attribute(
            name,
            one.label,
            tuple(Value(value, label) for value, label in one.values.items()),
            one.reference,
        )
        for name, one in content.attributes.items()
    )


def read_backgrounds(path: Path) -> tuple[Background, ...]:
    """Read backgrounds by their names from YAML.

    Raises `ConfigurationError` naming the file and the field.
    """
    content = _read(_BackgroundFile, path)
    return tuple(Background(name, text) for name, text in content.backgrounds.items())


def grid_of(attributes: tuple[Attribute, ...], backgrounds: tuple[Background, ...]) -> Grid:
    """Return a persona for each combination of values, and one of whom nothing is stated.

    All attributes are stated together, so that each background counts in every comparison. An
    attribute with one value stays in the grid; it can be compared with nobody, which the
    results then say. Raises `ConfigurationError` for more than `MOST_PERSONAS` personas.
    """
    personas = (nobody(), *crossed(attributes))
    if len(personas) > MOST_PERSONAS:
        raise ConfigurationError(
            f"the attributes make {len(personas)} personas; use {MOST_PERSONAS} at the most"
        )
    names = [persona.name for persona in personas]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ConfigurationError(
            f"two personas would be called {repeated[0]!r}; give each value a name of its own"
        )
    return Grid(attributes, personas, backgrounds)


def _read(kind: type[T], path: Path) -> T:
    try:
        return kind.model_validate(read_yaml(path))
    except RecursionError as error:
        raise ConfigurationError(f"{path}: nested too deeply") from error
    except ValidationError as error:
        raise ConfigurationError(f"{path}: {first_fault(error)}") from error
