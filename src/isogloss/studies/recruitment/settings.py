"""What a configuration may say about the recruitment study."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from isogloss.config.base import EachOnce, Strict
from isogloss.config.schema import StudySettings
from isogloss.postings.roles import ROLES, Role

Ablation = Literal["description", "title"]
Ablations = Annotated[tuple[Ablation, ...], Field(strict=False), EachOnce]
Roles = Annotated[tuple[Role, ...], Field(min_length=1, strict=False), EachOnce]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class GeneratedSettings(Strict):
    """Scores that the model writes by itself, as JSON, at temperature 0."""

    items: Annotated[int, Field(ge=0)] = 0
    """How many items of a set, drawn with the seed; 0 turns the mode off."""
    max_new_tokens: Annotated[int, Field(ge=8, le=4096)] = 32


class AblationSettings(Strict):
    """Questions that show a part of the posting only."""

    conditions: Ablations = ("description", "title")
    """Parts shown; `title` is left out where both wordings share it."""
    roles: Annotated[tuple[Role, ...], Field(strict=False), EachOnce] = ROLES


class ScoringSettings(Strict):
    """What is put to a model."""

    roles: Roles = ROLES
    """Roles in which the whole posting is judged."""
    crossed: bool = True
    """Whether personas with race and gender are asked about, with the whole posting."""
    ablations: AblationSettings = AblationSettings()
    failed_wordings: bool = False
    """Whether wordings that failed validation are asked about too; their rows say so."""
    min_answer_mass: Share = 0.0
    """Answer mass below which a score counts as `low_mass`; 0 turns the gate off."""
    generated: GeneratedSettings = GeneratedSettings()

    @model_validator(mode="after")
    def _ablations_have_their_baseline(self) -> Self:
        for role in self.ablations.roles:
            if role not in self.roles:
                raise ValueError(f"{role} is used under ablations but not listed under roles")
        return self


class AnalysisSettings(Strict):
    """How effects are judged."""

    alpha: Annotated[float, Field(gt=0.0, lt=0.5)] = 0.05
    smallest_effect: Annotated[float, Field(gt=0.0)] = 0.25
    """Smallest effect of interest in points of the scale from 1 to 10."""


class RecruitmentSettings(StudySettings):
    """Settings of the recruitment study."""

    scoring: ScoringSettings = ScoringSettings()
    analysis: AnalysisSettings = AnalysisSettings()
