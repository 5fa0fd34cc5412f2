"""What is compared: the columns of an item table, the guises they must be in, the thresholds."""

from dataclasses import dataclass

from isogloss.config.thresholds import Thresholds
from isogloss.guises.definition import GuiseDefinition


@dataclass(frozen=True)
class Comparison:
    """Two wordings of each item, or one text of each item by itself."""

    name: str
    """Name in tables: that of the contrast, or of the column of a text by itself."""
    guise: str
    """Column of the wording that is in the guise."""
    reference: str | None
    """Column of the wording that it is compared with; None for a text by itself."""
    definition: GuiseDefinition | None
    """The guise that the first wording must be in; None where it is in none."""
    counter: GuiseDefinition | None
    """The guise that the reference must be in; None where it is in none."""
    thresholds: Thresholds
    where: tuple[tuple[str, str], ...] = ()
    """Columns and the value that a row must have there to be looked at."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns whose texts are compared, the reference first."""
        return (self.guise,) if self.reference is None else (self.reference, self.guise)

    @property
    def definitions(self) -> tuple[GuiseDefinition, ...]:
        """The guises that the comparison is about."""
        return tuple(found for found in (self.definition, self.counter) if found is not None)

    @property
    def moves(self) -> frozenset[str]:
        """Dimensions that are measured and not judged."""
        return frozenset(name for found in self.definitions for name in found.moves)

    @property
    def own(self) -> frozenset[str]:
        """Guises whose markers are expected: those compared, and what they overlap with."""
        return frozenset(n for found in self.definitions for n in (found.name, *found.overlaps))
