"""What decides an audit beside the posting and the model."""

from typing import Annotated

from pydantic import Field

from isogloss.config.base import EachOnce, Strict
from isogloss.postings.roles import HIGH, LOW, ROLES, Role


class AuditSettings(Strict):
    """Settings of an audit; they are part of its record."""

    threshold: Annotated[int, Field(ge=LOW, le=HIGH)] = 7
    """Least score that counts as selected."""
    roles: Annotated[tuple[Role, ...], Field(min_length=1, strict=False), EachOnce] = ROLES
    min_answer_mass: Annotated[float, Field(ge=0.0, le=1.0)] = 0.0
    """Answer mass below which a score counts as `low_mass`; 0 turns the gate off."""
    alpha: Annotated[float, Field(gt=0.0, lt=0.5)] = 0.05
    bootstrap_draws: Annotated[int, Field(ge=100)] = 2000
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    """Decides the bootstrap."""
