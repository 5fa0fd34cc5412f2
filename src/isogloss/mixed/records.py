"""Rows of the tables of mixed models."""

from dataclasses import dataclass
from typing import Any, Literal

from isogloss.analysis.families import Adjusted
from isogloss.analysis.pairs import Subset
from isogloss.analysis.records import MissingCounts
from isogloss.stats.results import Status

Quantity = Literal["mean", "contrast", "interaction"]


@dataclass(frozen=True)
class Block:
    """Ratings of all models about one item set, to which one mixed model is fitted."""

    study: str
    item_set: str
    condition: str
    mode: str
    task: str
    """What was asked, or the role that the model was given."""
    persona_family: str
    """Family of personas that the ratings are about; empty in a study without personas."""
    subset: Subset
    """`validated` leaves out the wordings that failed validation."""
    fit: str
    """Name of the mixed model in the study's declaration."""


@dataclass(frozen=True)
class CoefficientRow:
    """One row of `mixed_coefficients.csv`: a fixed effect or a threshold."""

    block: Block
    part: Literal["coefficient", "threshold"]
    term: str
    """Column of the model matrix, or `1|2` for the threshold between 1 and 2."""
    estimate: float
    """On the scale of the linear predictor: rating points of a gaussian, else logits."""
    low: float
    high: float
    se: float
    z: float
    p_value: float
    """Of a coefficient, not adjusted; a threshold has none."""
    status: Status
    reason: str | None
    method: str


@dataclass(frozen=True)
class MarginRow:
    """One row of `mixed_margins.csv`: what a fit predicts for a guise, or between two."""

    block: Block
    model: str
    """`all models` where the fit gives means by persona and several models gave ratings."""
    persona: str
    """Empty where the fit gives means by model."""
    quantity: Quantity
    guise: str
    contrast: str
    """Empty for a mean."""
    reference_persona: str
    """Persona whose contrast is taken away from that of `persona`; of an interaction only."""
    estimate: float
    """Predicted rating; guise minus reference; or the difference of two such differences.

    In points of the scale.
    """
    low: float
    high: float
    se: float
    p_value: float
    """Of a contrast or an interaction."""
    adjusted: Adjusted
    """Of a contrast or an interaction; a mean has no family, and `family_size` 0."""
    n: int
    """Ratings of the model, or about the personas, in the guises concerned that are in the fit."""
    status: Status
    reason: str | None
    method: str


@dataclass(frozen=True)
class FitRow:
    """One row of `mixed_fits.csv`: how a mixed model was fitted and how that ended."""

    block: Block
    formula: str
    distribution: str
    """Family of the response."""
    rating: str
    """Column of the responses that is the rating."""
    references: str
    """Reference level of each factor."""
    n_models: int
    n: int
    """Ratings used."""
    n_dropped: int
    """Responses with the outcome `ok` that lack the rating, or are about a persona left out."""
    missing: MissingCounts
    """Responses without a value, which are not in the fit."""
    groups: str
    """Levels of each grouping factor, such as `item: 94`."""
    variances: str
    """Variance of each random intercept, such as `item: 0.31`."""
    dispersion: float
    """Residual standard deviation of a gaussian; else none."""
    loglik: float
    npar: int
    """Parameters estimated."""
    aic: float
    status: str
    """Status of the fit."""
    reason: str | None
    """Why it is not `converged`, and what was left out."""
    method: str


MIXED_TABLES: dict[str, type[Any]] = {
    "mixed_coefficients": CoefficientRow,
    "mixed_margins": MarginRow,
    "mixed_fits": FitRow,
}
"""The tables, each written as `<name>.csv`, and the record that describes its columns."""
