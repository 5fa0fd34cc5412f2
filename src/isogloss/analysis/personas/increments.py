"""Differences in differences: how much more the guise moves one persona than another."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from isogloss.analysis.families import adjusted_tests
from isogloss.analysis.pairs import Subset
from isogloss.analysis.personas.blocks import Block, Group, groups
from isogloss.analysis.personas.compare import GroupComparison, compare_guises
from isogloss.analysis.personas.language import comparison_order
from isogloss.analysis.personas.records import PersonaCell, Tested, persona_design
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import in_order, table
from isogloss.studies.base import Contrast

BaselineKind = Literal["unspecified", "reference"]
"""`unspecified`: nothing is said of the person; `reference`: the family's reference persona."""


@dataclass(frozen=True)
class IncrementRow:
    """One row of `increments.csv`: a persona's gap between guises minus a baseline's gap."""

    cell: PersonaCell
    subset: Subset
    contrast: str
    persona_family: str
    baseline_kind: BaselineKind
    """Against `unspecified` the increment is what naming the persona adds to the wording."""
    persona: str
    baseline: str
    """Persona whose gap is subtracted."""
    gap_persona: float
    """Guise minus reference for the persona, over the units behind the estimate."""
    gap_baseline: float
    n_items_guise: int
    n_items_reference: int
    tested: Tested


@dataclass(frozen=True)
class _Unit(GroupComparison):
    contrast: Contrast
    kind: BaselineKind
    persona: str
    baseline: str

    @property
    def family(self) -> str:
        return self.family_of(f"increment over {self.kind}", self.contrast.name)


def increments(blocks: list[Block], plan: AnalysisPlan) -> pd.DataFrame:
    """Test whether a contrast moves a persona more than it moves a baseline.

    That one persona's effect is significant and another's is not does not say so; this is the test
    that does. Baselines are the unspecified persona, where an item set has it, and the family's
    reference. See `compare_guises` for the estimate; families of tests are those of
    `language_effects`, one for each kind of baseline. Columns: `IncrementRow`.
    """
    units = [unit for block in blocks for unit in _units(block, plan)]
    records = [
        IncrementRow(
            cell=unit.block.cell,
            subset=unit.subset,
            contrast=unit.contrast.name,
            persona_family=unit.group.name,
            baseline_kind=unit.kind,
            persona=unit.persona,
            baseline=unit.baseline,
            gap_persona=unit.compared.means[0] - unit.compared.means[1],
            gap_baseline=unit.compared.means[2] - unit.compared.means[3],
            n_items_guise=unit.compared.n_items_guise,
            n_items_reference=unit.compared.n_items_reference,
            tested=unit.tested(family, plan),
        )
        for unit, family in adjusted_tests(units, plan.multiplicity)
    ]
    order = {k: v for k, v in comparison_order(plan).items() if k != "guise"}
    kinds = {"baseline_kind": ("unspecified", "reference"), "persona": order.pop("persona")}
    return in_order(table(IncrementRow, records), order | kinds)


def _units(block: Block, plan: AnalysisPlan) -> Iterator[_Unit]:
    for subset in block.subsets:
        for contrast in block.contrasts(plan):
            for group in groups(persona_design(plan)):
                for kind, persona, baseline in _baselines(block, contrast, group, plan):
                    compared = compare_guises(
                        block, contrast, (persona, baseline), subset, alpha=plan.alpha
                    )
                    yield _Unit(block, subset, group, compared, contrast, kind, persona, baseline)


def _baselines(
    block: Block, contrast: Contrast, group: Group, plan: AnalysisPlan
) -> Iterator[tuple[BaselineKind, str, str]]:
    guises, nobody = (contrast.guise, contrast.reference), persona_design(plan).unspecified
    if block.present((nobody,), *guises):
        for persona in block.present(group.personas, *guises):
            if persona != nobody:
                yield "unspecified", persona, nobody
    for persona, reference in block.against_reference(group, *guises):
        yield "reference", persona, reference
