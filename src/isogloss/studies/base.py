"""What a study declares, and the records that stages pass to each other."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pandas as pd

from isogloss.analysis.files import Design
from isogloss.config.schema import StudySettings
from isogloss.errors import ConfigurationError, ItemError, ResponseError
from isogloss.score.responses import Response

if TYPE_CHECKING:
    from isogloss.analysis.plan import AnalysisPlan
    from isogloss.mixed.model import MixedModel
    from isogloss.score.ask import Asker


@dataclass(frozen=True)
class Contrast:
    """A comparison of two guises of the same item.

    The estimate of a contrast is `mean(guise) - mean(reference)`; swapping the two flips its sign.
    """

    name: str
    """Name used in tables, for instance `hedged - confident`."""
    guise: str
    """Guise whose mean is the minuend."""
    reference: str
    """Guise whose mean is the subtrahend."""


@dataclass(frozen=True)
class ItemSet:
    """Where the items of a set come from, where the study reads them in its own way.

    A set with neither files nor sources is read as its declaration in `data/stimuli` says.
    """

    files: tuple[str, ...] = ()
    """Authored files, relative to the project."""
    sources: tuple[str, ...] = ()
    """Ids in `data/sources.yaml`."""

    @property
    def as_declared(self) -> bool:
        """Whether the declaration says how the items are read."""
        return not (self.files or self.sources)


@dataclass(frozen=True)
class ItemTable:
    """Items of one set with the verdicts of validation."""

    item_set: str
    items: pd.DataFrame
    """`item_id`, and the columns that the study reads; each text is in a column of its own."""
    valid: Mapping[tuple[str, str], bool]
    """Whether validation accepted the pair, by item id and contrast name."""


@dataclass(frozen=True)
class Origin:
    """Who answered, and under which seed."""

    model: str
    seed: int


class Study(ABC):
    """One study: its items, guises, conditions, questions and contrasts.

    Studies differ here and nowhere else. Everything a stage needs to know about a study is one of
    these members.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    settings_model: ClassVar[type[StudySettings]]
    item_sets: ClassVar[Mapping[str, ItemSet]]
    contrasts: ClassVar[tuple[Contrast, ...]]
    design: ClassVar[Design] = "paired"

    def read_items(self, item_set: str, paths: Sequence[Path]) -> pd.DataFrame:  # noqa: ARG002
        """Return the items of a set in the form of `ItemTable.items`, where it is not as declared.

        `paths` are the set's files, then its fetched sources. Raises `ItemError`.
        """
        raise ItemError(f"study {self.name} has no reader of its own for item set {item_set!r}")

    @abstractmethod
    def respond(
        self, table: ItemTable, asker: "Asker", settings: StudySettings, origin: Origin
    ) -> list[Response]:
        """Put the study's questions to a model."""

    def replay(self, table: ItemTable, path: Path, origin: Origin) -> list[Response]:  # noqa: ARG002
        """Map responses that someone else recorded to rows of the response table.

        Raises `ResponseError`; here for every file, as by default no recorded form is known.
        """
        raise ResponseError(
            f"{path}: study {self.name} replays no recorded responses; give {origin.model} a "
            "backend that can be asked"
        )

    @abstractmethod
    def plan(self, settings: StudySettings, seed: int) -> "AnalysisPlan":
        """Return the plan of the analysis, fixed before responses are seen."""

    def mixed_models(self, settings: StudySettings) -> Sequence["MixedModel"]:  # noqa: ARG002
        """Return the mixed models of ratings, fixed before responses are seen; none by default."""
        return ()

    def item_set(self, name: str) -> ItemSet:
        """Return an item set; raise `ConfigurationError` when the study has none of that name."""
        if name not in self.item_sets:
            known = ", ".join(self.item_sets)
            raise ConfigurationError(f"study {self.name} has no item set {name!r}; use {known}")
        return self.item_sets[name]
