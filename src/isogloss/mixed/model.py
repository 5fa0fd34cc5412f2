"""What a study declares about a mixed model."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    # Loads a compiler, which no other part of a declaration needs.
    from isogloss.stats.glmm.families import Family

Value = Literal["expected", "modal"]


@dataclass(frozen=True, kw_only=True)
class MixedModel:
    """A mixed model of ratings under the baseline condition, fitted to each item set and mode.

    Formulas may name the columns `rating`, `guise`, `model` and `item`. The reference level of
    `guise` is the reference of the study's contrasts, that of `model` the first by name.
    """

    name: str
    """Name used in tables."""
    family: "Family"
    value: Value
    """What of a response is the rating: its expected value, or its one most probable answer."""
    several: str
    """Formula where several models answered; it names `guise` and `model`."""
    single: str
    """Formula where one model did; it names `guise`."""
    reml: bool = False
    """Whether a gaussian is fitted by restricted likelihood."""
    modes: tuple[str, ...] = ("direct", "recorded")
    """Modes whose ratings are fitted, each by itself."""
