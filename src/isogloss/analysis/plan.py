"""What an analysis needs to know about a study, as one value."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from isogloss.analysis.files import Design
from isogloss.errors import ConfigurationError, ReportError
from isogloss.studies.base import Contrast

Multiplicity = Literal["holm"]
"""Corrections that control the family-wise error rate without assuming independence."""


@dataclass(frozen=True)
class PersonaFamily:
    """Personas that are compared with each other."""

    name: str
    """What they differ in, for instance `gender`."""
    personas: tuple[str, ...]
    """In the order in which tables list them; the reference is one of them."""
    reference: str
    """Persona that the others are compared with."""


@dataclass(frozen=True)
class CrossedFamily:
    """Personas that differ in two attributes, of which the second has two values."""

    name: str
    outer: tuple[str, ...]
    """Values of the first attribute."""
    inner: tuple[str, str]
    """Values of the second; differences are the first of the two minus the second."""
    cells: tuple[tuple[str, str, str], ...]
    """Value of the first attribute, value of the second, and the persona that has both."""


@dataclass(frozen=True)
class PersonaDesign:
    """Who an item is said to concern, as a factor beside its guise."""

    roles: tuple[str, ...]
    """Tasks that the model was given, in the order in which tables list them."""
    unspecified: str
    """Persona of whom no attribute is said."""
    families: tuple[PersonaFamily, ...]
    """Each exists in an item set where its personas occur."""
    crossed: tuple[CrossedFamily, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AnalysisPlan:
    """Contrasts, scale and thresholds of a study, fixed before its responses are seen.

    Raises `ConfigurationError` when the parts contradict each other.
    """

    contrasts: tuple[Contrast, ...]
    """Comparisons in the order in which tables list them."""
    conditions: tuple[str, ...]
    """Conditions in the order in which tables list them; others follow by name."""
    baseline: str
    """Condition that the others are compared with."""
    smallest_effect: float
    """Smallest effect of interest, in units of the scale; the bound of the equivalence test."""
    seed: int
    """Seed of every bootstrap."""
    scale: tuple[int, ...] = (1, 2, 3, 4, 5)
    """Values a rating can take, ascending."""
    decisions: tuple[str, ...] = ()
    """Decisions from worst to best; none where the study asks for no decision."""
    threshold: float = 3.0
    """Mean rating from which the rule gives the best decision."""
    subgroup: str = "category"
    """Column whose values form the subgroups."""
    rating_task: str = "rating"
    interview_task: str = "interview_rating"
    decision_task: str = "decision"
    alpha: float = 0.05
    power: float = 0.8
    """Power at which the minimum detectable effect is stated."""
    mass_gate: float = 0.95
    """Answer mass below which a response counts as below the published gate."""
    draws: int = 2000
    """Bootstrap draws."""
    multiplicity: Multiplicity = "holm"
    personas: PersonaDesign | None = None
    """Personas of a study that has them; their roles are then the tasks with a score."""

    def __post_init__(self) -> None:
        names = [contrast.name for contrast in self.contrasts]
        if len(set(names)) < len(names):
            raise ConfigurationError(f"two contrasts have the same name: {', '.join(names)}")
        if self.conditions and self.baseline not in self.conditions:
            raise ConfigurationError(
                f"baseline {self.baseline!r} is not one of the conditions: "
                f"{', '.join(self.conditions)}"
            )
        if list(self.scale) != sorted(set(self.scale)):
            raise ConfigurationError(f"scale {self.scale} must ascend")
        if not self.smallest_effect > 0:
            raise ConfigurationError(
                f"smallest_effect must be positive, not {self.smallest_effect}"
            )

    @property
    def tasks(self) -> tuple[str, str, str]:
        """Tasks that the tables of a study without personas cover, in order."""
        return (self.rating_task, self.interview_task, self.decision_task)

    @property
    def design(self) -> Design:
        """Design of the study, which decides the tables."""
        return "paired" if self.personas is None else "personas"

    @property
    def rated_tasks(self) -> tuple[str, ...]:
        """Tasks whose answer is a value of the scale, and which mixed models are fitted to."""
        return (self.rating_task,) if self.personas is None else self.personas.roles


def write_plan(plan: AnalysisPlan, path: Path) -> None:
    """Write a plan as JSON, so that results say how they came about."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(TypeAdapter(AnalysisPlan).dump_json(plan, indent=2) + b"\n")


def read_plan(path: Path) -> AnalysisPlan:
    """Read what `write_plan` wrote; raise `ReportError` when it is not a plan."""
    try:
        return TypeAdapter(AnalysisPlan).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise ReportError(f"{path}: not an analysis plan; run the analysis again") from error
