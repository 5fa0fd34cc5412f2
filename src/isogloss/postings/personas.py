"""Who a job posting is judged for: personas that differ in stated demographic attributes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

UNSPECIFIED = "unspecified"
"""Name of the persona of whom no attribute is stated."""


@dataclass(frozen=True)
class Value:
    """One value of an attribute."""

    name: str
    """Name in tables, for instance `female`."""
    label: str
    """How a prompt states it, for instance `Female`."""


@dataclass(frozen=True)
class Attribute:
    """A demographic attribute with the values that are compared."""

    name: str
    """Name in tables, for instance `gender`."""
    label: str
    """Name of the field in a prompt, for instance `Gender`."""
    values: tuple[Value, ...]
    reference: str
    """Name of the value that the others are compared with."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the values."""
        return tuple(value.name for value in self.values)


@dataclass(frozen=True)
class Persona:
    """A persona: its name, and the attributes that a prompt states of it."""

    name: str
    stated: tuple[tuple[Attribute, Value], ...] = ()

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Labels of the stated attributes with the labels of their values."""
        return tuple((attribute.label, value.label) for attribute, value in self.stated)

    @property
    def attributes(self) -> tuple[tuple[str, str], ...]:
        """Names of the stated attributes with the names of their values."""
        return tuple((attribute.name, value.name) for attribute, value in self.stated)


GENDER = Attribute(
    "gender", "Gender", (Value("female", "Female"), Value("male", "Male")), reference="male"
)
RACE = Attribute(
    "race",
    "Race/ethnicity",
    (
        Value("white", "White"),
        Value("black", "Black or African American"),
        Value("asian", "Asian American"),
        Value("hispanic", "Hispanic American"),
    ),
    reference="white",
)
"""The four groups of the published study; labels of the census of the United States."""


def nobody() -> Persona:
    """Return the persona of whom nothing is stated."""
    return Persona(UNSPECIFIED)


def singles(attribute: Attribute) -> list[Persona]:
    """Return a persona for each value of an attribute, of whom nothing else is stated."""
    return [Persona(value.name, ((attribute, value),)) for value in attribute.values]


def crossed(attributes: Sequence[Attribute]) -> list[Persona]:
    """Return a persona for each combination of values; its name joins theirs by a comma."""
    return [
        Persona(
            ", ".join(value.name for value in values), tuple(zip(attributes, values, strict=True))
        )
        for values in product(*(attribute.values for attribute in attributes))
    ]
