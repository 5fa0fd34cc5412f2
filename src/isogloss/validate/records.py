"""The records of validation: a pair of wordings, and a check of it."""

from dataclasses import dataclass
from typing import Literal, get_args

CheckName = Literal[
    "text_present",
    "wrapped_quotes",
    "placeholder",
    "control_characters",
    "mojibake",
    "text_length",
    "duplicate_question",
    "near_duplicate_question",
    "similarity",
    "guise_markers",
    "reference_markers",
    "numbers",
    "names",
    "length_ratio",
    "reference_articles",
    "articles_removed",
    "bound_articles",
]
"""Every check there is, in the order in which tables list them."""

CHECK_NAMES: tuple[CheckName, ...] = get_args(CheckName)


@dataclass(frozen=True)
class Pair:
    """The two wordings of one item that a contrast compares."""

    item_id: str
    """Item of the pair."""
    contrast: str
    """Name of the contrast."""
    question: str
    """Question that both answer."""
    guise: str
    """Name of the guise."""
    reference: str
    """Name of the reference guise."""
    guise_text: str
    """Wording in the guise, repaired."""
    reference_text: str
    """Wording in the reference guise, repaired."""

    @property
    def cells(self) -> dict[str, str]:
        """Question and wordings by column name."""
        return {
            "question": self.question,
            self.guise: self.guise_text,
            self.reference: self.reference_text,
        }


@dataclass(frozen=True)
class Check:
    """One measured check of one pair."""

    item_id: str
    """Item of the pair."""
    contrast: str
    """Name of the contrast."""
    check: CheckName
    """What was checked."""
    value: float | None
    """What was measured; None where it could not be, which `reason` explains."""
    threshold: str
    """What the value is held to, for instance `>= 0.7`."""
    passed: bool
    """Whether the pair may be used as far as this check goes."""
    repaired: bool
    """Whether a fault was found and removed; a repaired pair passes."""
    reason: str
    """What is at fault or was repaired, in words; empty where nothing was."""


@dataclass(frozen=True)
class Verdict:
    """Whether one pair may be used."""

    item_id: str
    """Item of the pair."""
    contrast: str
    """Name of the contrast."""
    valid: bool
    """Whether the pair passed every check."""
    reason: str
    """Reasons of all failed checks, joined by `; `; empty for a valid pair."""
