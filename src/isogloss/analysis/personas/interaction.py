"""Whether a difference within crossed personas depends on the attribute it is crossed with."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from isogloss.analysis.families import Adjusted, adjusted_tests, family_name
from isogloss.analysis.pairs import UNPAIRED
from isogloss.analysis.personas.blocks import Block, Corner
from isogloss.analysis.personas.compare import Compared, compare_personas
from isogloss.analysis.personas.language import comparison_order
from isogloss.analysis.personas.records import PersonaCell, persona_design
from isogloss.analysis.personas.units import Units, units
from isogloss.analysis.plan import AnalysisPlan, CrossedFamily
from isogloss.analysis.records import MissingCounts, in_order, missing_counts, table
from isogloss.stats.arrays import Values
from isogloss.stats.kruskal import RankTest, friedman, kruskal_wallis
from isogloss.stats.results import Status

KRUSKAL = "Kruskal-Wallis"
FRIEDMAN = "Friedman"

DECIMALS = 9
"""Decimals to which differences are rounded before ranking: rounding must not break ties."""


@dataclass(frozen=True)
class InteractionRow:
    """One row of `interaction.csv`: a test that a difference is the same in all outer groups."""

    cell: PersonaCell
    persona_family: str
    """The crossed family."""
    guise: str
    difference: str
    """The difference within each outer group that is tested."""
    test: str
    """`Kruskal-Wallis` is the paper's; `Friedman` knows that the groups share their items."""
    statistic: float
    df: float
    p_value: float
    adjusted: Adjusted
    n: int
    """Differences (`Kruskal-Wallis`), or items with a difference in every group (`Friedman`)."""
    n_groups: int
    n_unpaired: int
    """Differences, or sets of them, left out because a response was never asked for."""
    missing: MissingCounts
    """Differences, or sets of one for each group, left out because a response has no value."""
    status: Status
    reason: str | None
    method: str


@dataclass(frozen=True)
class InteractionMeanRow:
    """One row of `interaction_means.csv`: the mean difference within one outer group."""

    cell: PersonaCell
    persona_family: str
    guise: str
    difference: str
    outer: str
    """The outer group, for instance a race."""
    estimate: float
    """Mean of the differences, items as clusters."""
    low: float
    high: float
    p_value: float
    """Of no difference within this group; not corrected, the question is about all groups."""
    mean_first: float
    """Mean score of the persona whose scores are the minuend."""
    mean_second: float
    n: int
    """Differences, one for each model and item."""
    n_items: int
    n_unpaired: int
    missing: MissingCounts
    status: Status
    reason: str | None
    method: str


class _Outer(NamedTuple):
    """An outer group with the two personas whose scores are subtracted."""

    name: str
    first: str
    second: str


@dataclass(frozen=True)
class _Design:
    block: Block
    crossed: CrossedFamily
    guise: str
    outers: tuple[_Outer, ...]

    @property
    def difference(self) -> str:
        return f"{self.crossed.inner[0]} - {self.crossed.inner[1]}"


@dataclass(frozen=True)
class _Tested:
    design: _Design
    test: str
    result: RankTest
    outcomes: "pd.Series[str]"

    @property
    def p_value(self) -> float:
        return self.result.p_value

    @property
    def family(self) -> str:
        cell = self.design.block.cell
        parts = (cell.item_set, cell.role, cell.mode, self.design.crossed.name)
        return family_name("interaction", self.test, *parts, self.design.block.scope)


def interaction(blocks: list[Block], plan: AnalysisPlan) -> pd.DataFrame:
    """Test whether the inner difference of a crossed family depends on the outer attribute.

    The Kruskal-Wallis test ranks the differences of all models and items of all groups as if they
    were independent. Friedman's ranks, within an item, the groups' differences, each averaged over
    the models and repeats that have all of them. Both guises, the conditions and, where not
    pooled, the models share a family of tests. Columns: `InteractionRow`.
    """
    tests = [t for d in _designs(blocks, plan) for t in (_kruskal(d), _friedman(d))]
    records = [_row(test, family) for test, family in adjusted_tests(tests, plan.multiplicity)]
    order = {**_order(plan), "test": (KRUSKAL, FRIEDMAN)}
    return in_order(table(InteractionRow, records), order)


def interaction_means(blocks: list[Block], plan: AnalysisPlan) -> pd.DataFrame:
    """Mean inner difference of a crossed family within each outer group.

    Columns: `InteractionMeanRow`.
    """
    records = [
        _mean_row(design, outer, _within(design, outer, plan.alpha))
        for design in _designs(blocks, plan)
        for outer in design.outers
    ]
    outers = tuple(name for c in persona_design(plan).crossed for name in c.outer)
    return in_order(table(InteractionMeanRow, records), {**_order(plan), "outer": outers})


def _order(plan: AnalysisPlan) -> dict[str, tuple[str, ...]]:
    left_out = ("subset", "contrast", "persona")
    return {k: v for k, v in comparison_order(plan).items() if k not in left_out}


def _designs(blocks: list[Block], plan: AnalysisPlan) -> Iterator[_Design]:
    for block in blocks:
        for crossed in persona_design(plan).crossed:
            for guise in block.guises:
                outers = tuple(o for o in _outers(crossed) if block.present(o[1:], guise))
                if outers:
                    yield _Design(block, crossed, guise, outers)


def _outers(crossed: CrossedFamily) -> Iterator[_Outer]:
    personas = {(outer, inner): persona for outer, inner, persona in crossed.cells}
    for outer in crossed.outer:
        first, second = (personas.get((outer, inner)) for inner in crossed.inner)
        if first is not None and second is not None:
            yield _Outer(outer, first, second)


def _corners(design: _Design, outer: _Outer) -> list[Corner]:
    return [Corner(design.guise, outer.first), Corner(design.guise, outer.second)]


def _kruskal(design: _Design) -> _Tested:
    parts = [units(design.block, _corners(design, outer)) for outer in design.outers]
    differences = [_differences(part.complete)[:, 0] for part in parts]
    outcomes = np.concatenate([part.outcomes for part in parts])
    return _Tested(design, KRUSKAL, kruskal_wallis(differences), pd.Series(outcomes))


def _friedman(design: _Design) -> _Tested:
    corners = [corner for outer in design.outers for corner in _corners(design, outer)]
    sets = units(design.block, corners)
    whole = sets.complete
    by_item = pd.DataFrame(_differences(whole)).groupby(whole.items).mean()
    result = friedman(by_item.to_numpy(dtype=np.float64).round(DECIMALS))
    method = f"{result.method} on items' differences"
    return _Tested(design, FRIEDMAN, replace(result, method=method), pd.Series(sets.outcomes))


def _differences(whole: Units) -> Values:
    """First minus second of each couple of corners, of shape (units, couples)."""
    return np.round(whole.scores[:, ::2] - whole.scores[:, 1::2], DECIMALS)


def _row(test: _Tested, adjusted: Adjusted) -> InteractionRow:
    return InteractionRow(
        cell=test.design.block.cell,
        persona_family=test.design.crossed.name,
        guise=test.design.guise,
        difference=test.design.difference,
        test=test.test,
        statistic=test.result.statistic,
        df=test.result.df,
        p_value=test.result.p_value,
        adjusted=adjusted,
        n=test.result.n,
        n_groups=len(test.design.outers),
        n_unpaired=int(test.outcomes.eq(UNPAIRED).sum()),
        missing=missing_counts(test.outcomes),
        status=test.result.status,
        reason=test.result.reason,
        method=test.result.method,
    )


def _within(design: _Design, outer: _Outer, alpha: float) -> Compared:
    return compare_personas(
        design.block, design.guise, outer.first, outer.second, "all", alpha=alpha
    )


def _mean_row(design: _Design, outer: _Outer, compared: Compared) -> InteractionMeanRow:
    estimate = compared.estimate
    return InteractionMeanRow(
        cell=design.block.cell,
        persona_family=design.crossed.name,
        guise=design.guise,
        difference=design.difference,
        outer=outer.name,
        estimate=estimate.estimate,
        low=estimate.low,
        high=estimate.high,
        p_value=estimate.p_value,
        mean_first=compared.means[0],
        mean_second=compared.means[1],
        n=compared.n,
        n_items=compared.n_items,
        n_unpaired=compared.n_unpaired,
        missing=compared.missing,
        status=estimate.status,
        reason=estimate.reason,
        method=estimate.method,
    )
