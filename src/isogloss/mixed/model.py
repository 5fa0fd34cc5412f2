"""What a study declares about a mixed model."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    # Loads a compiler, which no other part of a declaration needs.
    from isogloss.stats.glmm.families import Family

Value = Literal["expected", "modal"]

By = Literal["model", "persona"]


@dataclass(frozen=True, kw_only=True)
class MixedModel:
    """A mixed model of ratings under the baseline condition, fitted to each item set and mode.

    Formulas may name the columns `rating`, `guise`, `model` and `item`, and `persona` where means
    are given by persona. The reference level of `guise` is the reference of the study's contrasts,
    that of `model` the first by name. The reference level of `persona` is the persona of whom
    nothing is said: a coefficient of `guise` is then what the wording alone does, and one of
    `guise:persona` how far a stated attribute changes that.

    `(1 | item/guise)` lets the effect of a guise vary between items, by an intercept for each
    wording beside that of its item. Without it, several ratings of a wording count as independent
    evidence about its guise. It is read as `(1 | item)` where items occur in one guise only, or
    each wording has one rating.
    """

    name: str
    """Name used in tables."""
    family: "Family"
    value: Value
    """What of a response is the rating: its expected value, or its one most probable answer."""
    several: str
    """Formula where several models answered; it names `guise` and the factor in `by`."""
    single: str
    """Formula where one model did; it names `guise`, and `persona` where `by` does."""
    by: By = "model"
    """Factor at whose levels guises are compared; `persona` in studies that have personas.

    There is then a fit for each role and family of personas.
    """
    reml: bool = False
    """Whether a gaussian is fitted by restricted likelihood."""
    modes: tuple[str, ...] = ("direct", "recorded")
    """Modes whose ratings are fitted, each by itself."""
