"""Which part of an audit can serve which provision; information, not legal advice."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator

from isogloss.config.base import Slug, Strict
from isogloss.config.load import read_yaml
from isogloss.errors import ConfigurationError

Words = Annotated[str, Field(min_length=1, max_length=600)]


class Law(Strict):
    """A law, or a guideline."""

    name: Words
    check: Words
    """What the reader has to find out, because it may have changed."""


class Provision(Strict):
    """A place in a law."""

    law: Slug
    place: Words
    about: Words
    """What it is about, in words of this project."""


class Item(Strict):
    """A part of the record."""

    title: Words
    where: Annotated[tuple[Words, ...], Field(min_length=1, strict=False)]
    """Files of the record that hold it."""
    serves: Annotated[dict[Slug, Words], Field(min_length=1)]
    """How it can serve each provision, by the provision's name."""


class Obligations(Strict):
    """Laws, their provisions, and the parts of a record that can serve them."""

    notice: Words
    laws: Annotated[dict[Slug, Law], Field(min_length=1)]
    provisions: Annotated[dict[Slug, Provision], Field(min_length=1)]
    items: Annotated[dict[Slug, Item], Field(min_length=1)]

    @model_validator(mode="after")
    def _names_exist(self) -> Self:
        _same({one.law for one in self.provisions.values()}, self.laws, "law")
        served = {name for item in self.items.values() for name in item.serves}
        _same(served, self.provisions, "provision")
        return self


def read_obligations(path: Path) -> Obligations:
    """Read the mapping from YAML.

    Raises `ConfigurationError` naming the file and the field.
    """
    try:
        return Obligations.model_validate(read_yaml(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise ConfigurationError(f"{path}: {place}: {first['msg']}") from error


@cache
def obligations() -> Obligations:
    """Return the mapping that this package ships."""
    with as_file(files("isogloss.audit") / "obligations.yaml") as path:
        return read_obligations(path)


def _same(used: set[str], known: Mapping[str, object], kind: str) -> None:
    unknown, unused = sorted(used - set(known)), sorted(set(known) - used)
    if unknown:
        raise ValueError(f"{kind} {unknown[0]!r} is not described")
    if unused:
        raise ValueError(f"{kind} {unused[0]!r} is described and never used")
