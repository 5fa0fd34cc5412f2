"""Columns that the tables of a persona design share."""

from dataclasses import dataclass
from typing import Literal

from isogloss.analysis.differences import Difference, Judgement
from isogloss.analysis.pairs import Subset
from isogloss.analysis.plan import AnalysisPlan, PersonaDesign
from isogloss.analysis.records import MissingCounts
from isogloss.errors import ConfigurationError

ALL_MODELS = "all models"
"""Value of `model` in a row about the responses of several models together."""

Pairing = Literal["paired", "unpaired"]
"""`unpaired` where the two guises of an item set share no item."""

Comparison = Literal["language", "persona"]
"""`language`: a guise against another, same persona; `persona`: a persona against another."""


@dataclass(frozen=True)
class PersonaCell:
    """Responses of one model, or of all, to one item set in one role, condition and mode."""

    study: str
    model: str
    """Name of the model, or `all models`; the latter exists where several models answered."""
    item_set: str
    role: str
    condition: str
    mode: str


@dataclass(frozen=True)
class Tested:
    """A difference with its interval, tests and counts."""

    pairing: Pairing
    """Whether the two sides are compared item by item or as two groups of items."""
    difference: Difference
    d: float
    """Standardised difference; `d_kind` names the standardiser."""
    d_kind: str
    n: int
    """Pairs behind the estimate, or responses of both sides where items are unpaired."""
    n_items: int
    """Distinct items among them."""
    n_unpaired: int
    """Units left out because a response that they need was never asked for."""
    missing: MissingCounts
    """Units left out because a response has no value, by what became of it."""
    judgement: Judgement


def persona_design(plan: AnalysisPlan) -> PersonaDesign:
    """Return the plan's persona design; raise `ConfigurationError` when it has none."""
    if plan.personas is None:
        raise ConfigurationError("the plan names no personas; give it a persona design")
    return plan.personas


def row_order(plan: AnalysisPlan) -> dict[str, tuple[str, ...]]:
    """Order in which the tables list their cells."""
    return {
        "item_set": (),
        "role": persona_design(plan).roles,
        "mode": (),
        "condition": (plan.baseline, *plan.conditions),
        "model": (ALL_MODELS,),
    }


SUBSETS: tuple[Subset, ...] = ("all", "validated")
