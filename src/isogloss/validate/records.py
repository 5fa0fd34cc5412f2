"""The records of validation: a pair of wordings, and a check of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

CheckName = Literal[
    "text_present",
    "wrapped_quotes",
    "placeholder",
    "control_characters",
    "mojibake",
    "text_length",
    "reply_prose",
    "language",
    "spelling",
    "duplicate_question",
    "near_duplicate_question",
    "duplicate_text",
    "near_duplicate_text",
    "duplicate_across",
    "label_leak",
    "demographic_leak",
    "identical",
    "similarity",
    "numbers",
    "units",
    "names",
    "technologies",
    "negations",
    "claims",
    "guise_markers",
    "guise_markers_most",
    "reference_markers",
    "guise_gain",
    "counter_markers",
    "counter_markers_most",
    "counter_in_guise",
    "counter_gain",
    "other_markers",
    "length_ratio",
    "reading_grade",
    "sentiment",
    "politeness",
    "reference_articles",
    "articles_removed",
    "bound_articles",
    "judge",
]
"""Every check there is, in the order in which tables list them."""

CHECK_NAMES: tuple[CheckName, ...] = get_args(CheckName)


@dataclass(frozen=True)
class Pair:
    """The two wordings of one item that are compared, or one text by itself."""

    item_id: str
    """Item of the pair."""
    contrast: str
    """Name of the contrast."""
    guise: str
    """Column of the wording in the guise."""
    guise_text: str
    """Wording in the guise, repaired."""
    reference: str | None = None
    """Column of the other wording; None for a text by itself."""
    reference_text: str | None = None
    """The other wording, repaired; None for a text by itself."""
    context: Mapping[str, str] = field(default_factory=dict)
    """Text that both refer to, such as the question that they answer, by its column."""
    also: Mapping[str, str] = field(default_factory=dict)
    """Further texts of the item by column."""

    @property
    def wordings(self) -> dict[str, str]:
        """The texts that are compared, by column."""
        texts = {self.guise: self.guise_text}
        if self.reference is not None and self.reference_text is not None:
            texts[self.reference] = self.reference_text
        return texts

    @property
    def cells(self) -> dict[str, str]:
        """Every text of the pair, by column."""
        return {**self.context, **self.wordings, **self.also}


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
    """What the value is held to, for instance `>= 0.7`; `measured only` where it is not judged."""
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
