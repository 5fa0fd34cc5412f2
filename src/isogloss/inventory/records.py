"""Rows of the tables about item sets and generated texts."""

from dataclasses import dataclass
from typing import Any, Literal

from isogloss.analysis.exclusions import ExclusionRow, ValidationRow
from isogloss.review.summary import Outcome

Status = Literal["validated", "out_of_reach"]


@dataclass(frozen=True)
class SetRow:
    """One row of `sets.csv`: an item set."""

    item_set: str
    """Folder and name."""
    title: str
    origin: str
    """`authored`, or the id of the source that it was published in."""
    status: Status
    """Whether its items were there to be validated."""
    reason: str
    """Why not; empty where they were."""
    items: int
    comparisons: int
    """Comparisons of two wordings, or columns of texts by themselves."""
    pairs: int
    """Pairs, or texts, of all comparisons."""
    valid: int
    """Those that passed every check."""
    content_note: str


@dataclass(frozen=True)
class GeneratedRow:
    """One row of `generated.csv`: texts put into a guise, by a rule or a model."""

    name: str
    item_set: str
    guise: str
    by: str
    """`rule:<name>@<version>`, or `model:<name>@<digest>`."""
    items: int
    candidates: int
    n_ok: int
    """Candidates that are a text."""
    n_refusal: int
    n_malformed: int
    n_error: int
    valid: int
    """Candidates that passed validation."""
    chosen: int
    """Items with a valid candidate."""
    share: float
    """Items with a valid candidate, of those that were asked for; NaN where there are none."""
    share_low: float
    """Lower bound of its Wilson interval (95 %)."""
    share_high: float
    not_asked: int
    """Items whose baseline text could not be used."""


INVENTORY_TABLES: dict[str, type[Any]] = {
    "sets": SetRow,
    "validation_summary": ValidationRow,
    "exclusions": ExclusionRow,
    "generated": GeneratedRow,
    "reviews": Outcome,
}
"""The tables, each written as `<name>.csv`, and the record that describes its columns."""
