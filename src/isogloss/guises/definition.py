"""What a guise is: a file in `data/guises`, and nothing in the code, defines one."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, model_validator

from isogloss.config.base import Slug, Strict
from isogloss.config.faults import first_fault
from isogloss.config.load import read_yaml
from isogloss.errors import ConfigurationError, ItemError

Text = Annotated[str, Field(min_length=1)]
Measure = Literal["lexicon", "articles", "aae"]
"""How a text is searched for a guise's devices.

`lexicon` counts the expressions of a lexicon; `articles` counts the articles that are left;
`aae` looks for features of African American English by the words around them.
"""
MAX_BYTES = 200_000
"""Largest file that is read as a guise."""
Dimension = Literal["length", "reading_grade", "sentiment", "politeness", "content"]
"""A dimension of a text; `content` is closeness in meaning and the claims that are made."""


class Device(Strict):
    """One means by which a guise is brought about."""

    name: Slug
    """Class of the lexicon, or feature of the measure, that counts this device."""
    what: Text
    """How it is done, in a sentence."""
    examples: Annotated[tuple[Text, ...], Field(min_length=1, strict=False)]
    """Sentences, or parts of them, that show the device."""
    source: Text
    """Key of the publication that describes it."""


class Density(Strict):
    """How much of a guise a text must have, in devices per 1,000 words."""

    least: Annotated[float, Field(ge=0)]
    """Least in a text that is said to be in the guise."""
    most: Annotated[float, Field(gt=0)]
    """Most in such a text; with more it reads as a caricature."""
    reference_most: Annotated[float, Field(ge=0)]
    """Most in the text that it is compared with."""
    gain: Annotated[float, Field(gt=0)] | None = None
    """Least by which the guise must have more than the reference, where neither is without them."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.least < self.most:
            raise ValueError("least must be below most")
        if self.gain is None and self.reference_most > self.least:
            raise ValueError("reference_most must not be above least, unless a gain is given")
        return self


class GuiseDefinition(Strict):
    """A way of saying things."""

    name: Slug
    """The name of the file, without its ending."""
    title: Text
    phenomenon: Text
    """What it is, as a writer who has to bring it about must know."""
    devices: Annotated[tuple[Device, ...], Field(min_length=1, strict=False)]
    keep: Annotated[tuple[Text, ...], Field(min_length=1, strict=False)]
    """What must stay as it is when a text is put into the guise."""
    measure: Measure = "lexicon"
    lexicon: str | None = None
    """File, relative to the project, that `lexicon` counts by."""
    density: Density | None = None
    """None where the measure has a rule of its own, as `articles` has."""
    moves: Annotated[tuple[Dimension, ...], Field(strict=False)] = ()
    """Dimensions that the guise moves by being what it is; they are measured and not judged."""
    overlaps: Annotated[tuple[Slug, ...], Field(strict=False)] = ()
    """Other guises whose devices are partly the same; they are measured and not judged."""
    labels: Annotated[tuple[Text, ...], Field(strict=False)] = ()
    """Words that name the guise and so must not stand in a text, in lower case."""
    rule: Slug | None = None
    """Rule of `isogloss.stimuli.rules` that brings the guise about."""
    sources: dict[Slug, Text]
    """Publications by key."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.measure == "lexicon") != (self.lexicon is not None):
            raise ValueError("lexicon belongs to measure: lexicon, and must be given there")
        if (self.measure == "articles") != (self.density is None):
            raise ValueError("density must be given, except with measure: articles")
        unknown = sorted({d.source for d in self.devices} - set(self.sources))
        if unknown:
            raise ValueError(f"source {unknown[0]} of a device is not among the sources")
        names = [device.name for device in self.devices]
        if len(set(names)) < len(names):
            raise ValueError("a device is defined twice")
        return self


def load_guise(path: Path) -> GuiseDefinition:
    """Read the definition of one guise; raise `ItemError` naming the file and the field."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ItemError(f"{path}: more than {MAX_BYTES} bytes; a guise is a page or two")
        guise = GuiseDefinition.model_validate(read_yaml(path))
    except (OSError, RecursionError, ConfigurationError) as error:
        raise ItemError(f"{path}: the guise cannot be read ({error})") from error
    except ValidationError as error:
        raise ItemError(f"{path}: {first_fault(error, 'the file')}") from error
    if guise.name != path.stem:
        raise ItemError(f"{path}: name is {guise.name!r}; it must be {path.stem!r} as the file's")
    return guise


def load_guises(folder: Path) -> dict[str, GuiseDefinition]:
    """Read every guise of a folder, by name; raise `ItemError` for an unknown overlap."""
    guises = {path.stem: load_guise(path) for path in sorted(folder.glob("*.yaml"))}
    for guise in guises.values():
        unknown = sorted(set(guise.overlaps) - set(guises))
        if unknown:
            raise ItemError(f"{folder / guise.name}.yaml: overlaps: no guise {unknown[0]!r}")
    return guises
