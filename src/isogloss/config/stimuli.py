"""What a configuration may say about stimuli: sets to validate, thresholds, texts to generate."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from isogloss.config.base import EachOnce, Slug, Strict
from isogloss.config.thresholds import Thresholds

SetName = Annotated[str, Field(pattern=r"^[a-z0-9_]+/[a-z0-9_-]+$")]
"""Folder and name of a declared item set, `hedging/own`."""


class Generated(Strict):
    """Wordings of one guise to be made from the texts of an item set."""

    set: SetName
    """The item set."""
    reference: Annotated[str, Field(min_length=1)]
    """Column with the texts to be put into the guise."""
    guise: Slug
    """Guise of `data/guises`."""
    by: Annotated[str, Field(min_length=1)] = "rules"
    """`rules`, for the rule that the guise names, or the name of a model."""
    items: Annotated[int, Field(ge=1)] | None = None
    """How many items, evenly spread over the set; without it all."""
    candidates: Annotated[int, Field(ge=1, le=50)] = 3
    """Drafts of a model for each item; a rule makes one."""
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.8
    """Of a model's drafts."""
    max_new_tokens: Annotated[int, Field(ge=1, le=4096)] = 400
    """Most tokens of a draft."""


class StimuliSettings(Strict):
    """Settings of stimuli and of their validation."""

    sets: Annotated[tuple[SetName, ...], Field(strict=False), EachOnce] = ()
    """Item sets to validate beside those that the studies' runs use."""
    thresholds: Thresholds = Thresholds()
    """What every pair is held to, unless its set says otherwise."""
    judge: Slug | None = None
    """Model that is asked about each pair that passed every other check; null for none."""
    generate: dict[Slug, Generated] = {}
    """Texts to be generated and validated, by a name of the user's."""

    @model_validator(mode="after")
    def _names_are_no_models(self) -> Self:
        for name, made in self.generate.items():
            if made.by == "rules" and "temperature" in made.model_fields_set:
                raise ValueError(f"generate.{name}: temperature has no effect on rules; remove it")
        return self
