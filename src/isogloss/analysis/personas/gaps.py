"""Gaps between personas within one guise."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from isogloss.analysis.families import adjusted_tests
from isogloss.analysis.pairs import Subset
from isogloss.analysis.personas.blocks import Block, groups
from isogloss.analysis.personas.compare import GroupComparison, compare_personas
from isogloss.analysis.personas.language import comparison_order
from isogloss.analysis.personas.records import PersonaCell, Tested, persona_design
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import in_order, table


@dataclass(frozen=True)
class GapRow:
    """One row of `persona_gaps.csv`: a persona minus its family's reference, in one guise."""

    cell: PersonaCell
    subset: Subset
    guise: str
    persona_family: str
    persona: str
    """Persona whose scores are the minuend."""
    reference: str
    """Persona whose scores are the subtrahend."""
    mean_persona: float
    """Of the scores behind the estimate; `estimate` is `mean_persona - mean_reference`."""
    mean_reference: float
    tested: Tested


@dataclass(frozen=True)
class _Unit(GroupComparison):
    guise: str
    persona: str
    reference: str

    @property
    def family(self) -> str:
        return self.family_of("persona gap", self.guise)


def persona_gaps(blocks: list[Block], plan: AnalysisPlan) -> pd.DataFrame:
    """Compare every persona with its family's reference within every guise, item by item.

    The same items are scored for both personas, so pairs are those of model and item in any item
    set. The personas of a family share a family of tests with their conditions and, where models
    are not pooled, with the models. Columns: `GapRow`.
    """
    units = [unit for block in blocks for unit in _units(block, plan)]
    records = [
        GapRow(
            cell=unit.block.cell,
            subset=unit.subset,
            guise=unit.guise,
            persona_family=unit.group.name,
            persona=unit.persona,
            reference=unit.reference,
            mean_persona=unit.compared.means[0],
            mean_reference=unit.compared.means[1],
            tested=unit.tested(family, plan),
        )
        for unit, family in adjusted_tests(units, plan.multiplicity)
    ]
    order = {k: v for k, v in comparison_order(plan).items() if k != "contrast"}
    return in_order(table(GapRow, records), order)


def _units(block: Block, plan: AnalysisPlan) -> Iterator[_Unit]:
    for subset in block.subsets:
        for guise in block.guises:
            for group in groups(persona_design(plan)):
                for persona, reference in block.against_reference(group, guise):
                    compared = compare_personas(
                        block, guise, persona, reference, subset, alpha=plan.alpha
                    )
                    yield _Unit(block, subset, group, compared, guise, persona, reference)
