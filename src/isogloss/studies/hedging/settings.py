"""What a configuration may say about the hedging study."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from isogloss.config.base import EachOnce, Strict
from isogloss.config.schema import StudySettings

Condition = Literal["baseline", "antibias", "cot_fewshot"]
Guise = Literal["confident", "hedged", "accent"]
Guises = Annotated[tuple[Guise, ...], Field(min_length=1, strict=False), EachOnce]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Conditions = Annotated[tuple[Condition, ...], Field(min_length=1, strict=False), EachOnce]


class ReasonedSettings(Strict):
    """Ratings given after the model wrote its reasons."""

    questions: Annotated[int, Field(ge=0)] = 20
    """How many items, drawn with the seed; 0 turns the mode off."""
    conditions: Conditions = ("baseline",)
    max_new_tokens: Annotated[int, Field(ge=1, le=4096)] = 60


class InterviewSettings(Strict):
    """Simulated interviews with a decision."""

    count: Annotated[int, Field(ge=0)] = 20
    """Interviews for each guise; 0 turns them off."""
    questions: Annotated[int, Field(ge=1)] = 10
    guises: Guises = ("confident", "hedged", "accent")
    """Guises that are interviewed, as far as the item set has them."""
    conditions: Conditions = ("baseline",)


class ScoringSettings(Strict):
    """What is put to a model."""

    conditions: Conditions = ("baseline", "antibias", "cot_fewshot")
    min_answer_mass: Share = 0.0
    """Answer mass below which a rating counts as `low_mass`; 0 turns the gate off."""
    reasoned: ReasonedSettings = ReasonedSettings()
    interviews: InterviewSettings = InterviewSettings()

    @model_validator(mode="after")
    def _conditions_are_rated(self) -> Self:
        if "baseline" not in self.conditions:
            raise ValueError("conditions must include baseline, which the others are compared with")
        for part in (self.reasoned.conditions, self.interviews.conditions):
            for condition in part:
                if condition not in self.conditions:
                    raise ValueError(f"{condition} is used below but not listed under conditions")
        return self


class AnalysisSettings(Strict):
    """How effects are judged."""

    alpha: Annotated[float, Field(gt=0.0, lt=0.5)] = 0.05
    smallest_effect: Annotated[float, Field(gt=0.0)] = 0.1
    """Smallest effect of interest in rating points: the bound of the equivalence test."""
    bootstrap_draws: Annotated[int, Field(ge=100)] = 2000
    threshold: Annotated[float, Field(ge=1.0, le=5.0)] = 3.0
    """Mean rating from which the rule advances a candidate."""


class HedgingSettings(StudySettings):
    """Settings of the hedging study."""

    scoring: ScoringSettings = ScoringSettings()
    analysis: AnalysisSettings = AnalysisSettings()
