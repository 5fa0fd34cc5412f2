"""Everything that one audit found, as one value: what the record and the page are made from."""

from dataclasses import dataclass
from typing import Any

from isogloss.audit.document import Document
from isogloss.audit.gender_coding import GenderCoding
from isogloss.audit.grid import Grid
from isogloss.audit.probe import Question
from isogloss.audit.profile import Profile
from isogloss.audit.records import Probe
from isogloss.audit.selection import Selection
from isogloss.audit.settings import AuditSettings


@dataclass(frozen=True)
class Audit:
    """One audit of one posting with one model."""

    created: str
    """When the audit was made: date and time in UTC, ISO 8601."""
    version: str
    """Version of this package."""
    lexicons: tuple[tuple[str, str], ...]
    """Files with the word lists of stage S1, each with its SHA-256."""
    document: Document
    """The posting as it was read."""
    profile: Profile
    """Stage S1: words of each register."""
    gender_coding: GenderCoding
    """Stage S1: the same posting by the word stems of Gender Decoder, as a cross-check."""
    settings: AuditSettings
    grid: Grid
    model: dict[str, Any]
    """Identity of the model, as a model manifest has it."""
    questions: tuple[Question, ...]
    """Stage S2: what was asked, in the order of `probes`."""
    probes: tuple[Probe, ...]
    """Stage S2: what came back."""
    selection: Selection
    """Stage S3: selection rates, impact ratios and tests."""
