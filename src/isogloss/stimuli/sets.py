"""Item sets: which file holds the texts, which guises are compared. Declared in `data/stimuli`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, ValidationError, model_validator

from isogloss.config.base import Slug, Strict
from isogloss.config.faults import first_fault
from isogloss.config.load import read_yaml
from isogloss.config.stimuli import SetName
from isogloss.config.thresholds import Thresholds
from isogloss.errors import ConfigurationError, ItemError
from isogloss.guises.definition import GuiseDefinition
from isogloss.validate.comparison import Comparison

Name = Annotated[str, Field(min_length=1)]


class Compared(Strict):
    """Two columns to be compared, or one to be looked at by itself."""

    name: str = ""
    """Name in tables; without it `guise - reference`, or the column of a text by itself."""
    guise: Name
    """Column of the wording in the guise."""
    reference: Name | None = None
    """Column of the wording that it is compared with; without it the text stands by itself."""
    definition: Slug | None = None
    """Guise of `data/guises` that the first wording must be in."""
    counter: Slug | None = None
    """Guise of `data/guises` that the reference must be in."""
    where: dict[Name, Name] = {}
    """Only rows that have this value in this column."""
    thresholds: dict[Name, Any] = {}
    """Thresholds that differ from those of the configuration; keys of `Thresholds`."""

    @property
    def called(self) -> str:
        """Its name, given or made from the columns."""
        made = self.guise if self.reference is None else f"{self.guise} - {self.reference}"
        return self.name or made

    @model_validator(mode="after")
    def _counter_needs_reference(self) -> Self:
        if self.counter is not None and self.reference is None:
            raise ValueError("counter needs a reference")
        return self


class Pivot(Strict):
    """Rows of a file that become columns: one row for each item and guise."""

    item: Name
    """Column that says which rows belong together."""
    column: Name
    """Column whose values name the new columns."""
    text: Name
    """Column with the texts."""


class StimulusSet(Strict):
    """A set of items."""

    title: Name
    content_note: str = ""
    """Warning that stands before the texts wherever they are shown."""
    file: str | None = None
    """Authored file, relative to the project."""
    source: Slug | None = None
    """Id in `data/sources.yaml` of a published file."""
    header: tuple[Name, ...] = Field(default=(), strict=False)
    """Names of the columns of a tab-separated file without header."""
    columns: dict[Name, Name] = {}
    """New names by the file's own."""
    pivot: Pivot | None = None
    number: Slug | None = None
    """Beginning of the ids of items whose file has none: `number-001`."""
    turns: Name | None = None
    """Column with a conversation as JSON, whose user's turns become the column `text`."""
    context: Name | None = None
    """Column with what both wordings refer to: the question that they answer."""
    also: tuple[Name, ...] = Field(default=(), strict=False)
    """Columns with further texts, checked for faults of form and for what gives the guise away."""
    compare: Annotated[tuple[Compared, ...], Field(min_length=1, strict=False)]
    related: tuple[SetName, ...] = Field(default=(), strict=False)
    """Sets that share texts with this one on purpose."""

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.file is None) == (self.source is None):
            raise ValueError("give either file or source")
        names = [compared.called for compared in self.compare]
        if len(set(names)) < len(names):
            raise ValueError("two comparisons have the same name")
        return self


@dataclass(frozen=True)
class DeclaredSet:
    """A set with the place of its declaration."""

    name: str
    """Folder and name, `hedging/own`."""
    path: Path
    content: StimulusSet

    @property
    def folder(self) -> str:
        """First part of the name: the study that the items are for."""
        return self.name.partition("/")[0]

    def comparisons(
        self, guises: Mapping[str, GuiseDefinition], general: Mapping[str, Any]
    ) -> list[Comparison]:
        """Return what is to be compared, with thresholds: the general ones, then the set's own.

        Raises `ItemError` for a guise that is not defined or a threshold that does not exist.
        """
        return [self._comparison(compared, guises, general) for compared in self.content.compare]

    def _comparison(
        self, compared: Compared, guises: Mapping[str, GuiseDefinition], general: Mapping[str, Any]
    ) -> Comparison:
        wanted = [n for n in (compared.definition, compared.counter) if n is not None]
        unknown = [name for name in wanted if name not in guises]
        if unknown:
            raise ItemError(
                f"{self.path}: {compared.called}: no guise {unknown[0]!r} in data/guises; "
                f"there are {', '.join(guises)}"
            )
        try:
            thresholds = Thresholds.model_validate({**general, **compared.thresholds})
        except ValidationError as error:
            raise ItemError(
                f"{self.path}: {compared.called}: thresholds: {first_fault(error)}"
            ) from error
        return Comparison(
            name=compared.called,
            guise=compared.guise,
            reference=compared.reference,
            definition=None if compared.definition is None else guises[compared.definition],
            counter=None if compared.counter is None else guises[compared.counter],
            thresholds=thresholds,
            where=tuple(compared.where.items()),
        )


def load_sets(folder: Path) -> dict[str, DeclaredSet]:
    """Read every declaration in `folder/<study>/<set>.yaml`, by name.

    Raises `ItemError` naming the file and the field.
    """
    found = [_load(path) for path in sorted(folder.glob("*/*.yaml"))]
    sets = {declared.name: declared for declared in found}
    for declared in found:
        unknown = sorted(set(declared.content.related) - set(sets))
        if unknown:
            raise ItemError(f"{declared.path}: related: no set {unknown[0]!r}")
    return sets


def set_named(sets: Mapping[str, DeclaredSet], study: str, name: str) -> DeclaredSet:
    """Return a set; raise `ConfigurationError` naming those that exist."""
    if f"{study}/{name}" not in sets:
        raise ConfigurationError(
            f"no item set {study}/{name} in data/stimuli; there are {_listed(sets)}"
        )
    return sets[f"{study}/{name}"]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _load(path: Path) -> DeclaredSet:
    try:
        declared = StimulusSet.model_validate(read_yaml(path))
    except (RecursionError, ConfigurationError) as error:
        raise ItemError(f"{path}: the item set cannot be read ({error})") from error
    except ValidationError as error:
        raise ItemError(f"{path}: {first_fault(error)}") from error
    return DeclaredSet(f"{path.parent.name}/{path.stem}", path, declared)
