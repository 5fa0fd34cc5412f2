"""Effect of the guise on the scores of each persona."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from isogloss.analysis.families import adjusted_tests
from isogloss.analysis.means import guise_order
from isogloss.analysis.pairs import Subset
from isogloss.analysis.personas.blocks import Block, groups
from isogloss.analysis.personas.compare import GroupComparison, compare_guises
from isogloss.analysis.personas.records import (
    SUBSETS,
    PersonaCell,
    Tested,
    persona_design,
    row_order,
)
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import in_order, table
from isogloss.studies.base import Contrast


@dataclass(frozen=True)
class LanguageRow:
    """One row of `language_effects.csv`: a guise minus its reference, for one persona."""

    cell: PersonaCell
    subset: Subset
    contrast: str
    persona_family: str
    """Family of the persona, or the unspecified persona's own name."""
    persona: str
    guise: str
    """Guise whose scores are the minuend."""
    reference: str
    """Guise whose scores are the subtrahend."""
    mean_guise: float
    """Of the scores behind the estimate; `estimate` is `mean_guise - mean_reference`."""
    mean_reference: float
    n_items_guise: int
    n_items_reference: int
    tested: Tested


@dataclass(frozen=True)
class _Unit(GroupComparison):
    contrast: Contrast
    persona: str

    @property
    def family(self) -> str:
        return self.family_of("language", self.contrast.name)


def language_effects(blocks: list[Block], plan: AnalysisPlan) -> pd.DataFrame:
    """Estimate every contrast for every persona, per model and over all models.

    See `compare_guises` for the estimate. The personas of a family share a family of tests with
    their conditions and, where models are not pooled, with the models. Columns: `LanguageRow`.
    """
    units = [unit for block in blocks for unit in _units(block, plan)]
    records = [
        LanguageRow(
            cell=unit.block.cell,
            subset=unit.subset,
            contrast=unit.contrast.name,
            persona_family=unit.group.name,
            persona=unit.persona,
            guise=unit.contrast.guise,
            reference=unit.contrast.reference,
            mean_guise=unit.compared.means[0],
            mean_reference=unit.compared.means[1],
            n_items_guise=unit.compared.n_items_guise,
            n_items_reference=unit.compared.n_items_reference,
            tested=unit.tested(family, plan),
        )
        for unit, family in adjusted_tests(units, plan.multiplicity)
    ]
    return in_order(table(LanguageRow, records), comparison_order(plan))


def comparison_order(plan: AnalysisPlan) -> dict[str, tuple[str, ...]]:
    """Order of rows in tables of comparisons; a table takes the columns that it has."""
    everyone = groups(persona_design(plan))
    return {
        **row_order(plan),
        "subset": SUBSETS,
        "contrast": tuple(contrast.name for contrast in plan.contrasts),
        "persona_family": tuple(group.name for group in everyone),
        "guise": guise_order(plan)["guise"],
        "persona": tuple(persona for group in everyone for persona in group.personas),
    }


def _units(block: Block, plan: AnalysisPlan) -> Iterator[_Unit]:
    for subset in block.subsets:
        for contrast in block.contrasts(plan):
            for group in groups(persona_design(plan)):
                for persona in block.present(group.personas, contrast.guise, contrast.reference):
                    compared = compare_guises(block, contrast, (persona,), subset, alpha=plan.alpha)
                    yield _Unit(block, subset, group, compared, contrast, persona)
