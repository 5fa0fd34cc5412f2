"""The two sides of a test between guises or between personas."""

from collections.abc import Iterator
from dataclasses import dataclass

from isogloss.analysis.personas.blocks import Block, Corner, Group
from isogloss.analysis.personas.records import Comparison
from isogloss.analysis.plan import AnalysisPlan


@dataclass(frozen=True)
class Between:
    """Columns that say what is compared with what."""

    comparison: Comparison
    contrast: str
    """Name of the contrast of guises, or `persona - reference`."""
    persona_family: str
    persona: str
    guise: str
    reference: str
    """What the first side is compared with: a guise (`language`) or a persona (`persona`)."""


@dataclass(frozen=True)
class Sides:
    """Two corners of a block whose responses are compared."""

    comparison: Comparison
    contrast: str
    group: Group
    first: Corner
    second: Corner
    paired: bool
    """Whether responses to the same item are compared with each other."""

    @property
    def held(self) -> str:
        """What the tests of a family share: their contrast or, between personas, the guise."""
        return self.contrast if self.comparison == "language" else self.first.guise

    @property
    def columns(self) -> Between:
        """The sides in words."""
        between_personas = self.comparison == "persona"
        return Between(
            comparison=self.comparison,
            contrast=self.contrast,
            persona_family=self.group.name,
            persona=self.first.persona,
            guise=self.first.guise,
            reference=self.second.persona if between_personas else self.second.guise,
        )


def sides(block: Block, group: Group, plan: AnalysisPlan) -> Iterator[Sides]:
    """Yield every two guises of a persona, then every persona with its reference in a guise."""
    for c in block.contrasts(plan):
        for persona in block.present(group.personas, c.guise, c.reference):
            first, second = Corner(c.guise, persona), Corner(c.reference, persona)
            yield Sides("language", c.name, group, first, second, block.paired(c))
    for guise in block.guises:
        for persona, reference in block.against_reference(group, guise):
            first, second = Corner(guise, persona), Corner(guise, reference)
            yield Sides("persona", f"{persona} - {reference}", group, first, second, paired=True)
