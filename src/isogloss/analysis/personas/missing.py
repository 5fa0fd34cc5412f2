"""Whether responses without a score are more frequent for a guise or a persona."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from isogloss.analysis.families import Adjusted, adjusted_tests, family_name
from isogloss.analysis.personas.blocks import Block, Corner, groups
from isogloss.analysis.personas.language import comparison_order
from isogloss.analysis.personas.records import ALL_MODELS, Pairing, PersonaCell, persona_design
from isogloss.analysis.personas.sides import Between, Sides, sides
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import in_order, table
from isogloss.stats.results import Estimate, Status
from isogloss.stats.shares import paired_share_difference, share_difference


@dataclass(frozen=True)
class PersonaMissingTestRow:
    """One row of `missing_tests.csv`: a difference in the share of responses without a score."""

    cell: PersonaCell
    between: Between
    pairing: Pairing
    """`paired`: exact McNemar test; `unpaired`: Fisher's exact test."""
    estimate: float
    """`share_first - share_second`."""
    low: float
    high: float
    p_value: float
    adjusted: Adjusted
    share_first: float
    """Share without a score of the persona in the guise."""
    share_second: float
    """Share without a score of the reference."""
    n_first: int
    n_second: int
    n_unpaired: int
    """Responses left out because their counterpart was never asked for."""
    status: Status
    reason: str | None
    method: str


@dataclass(frozen=True)
class _Counted:
    result: Estimate
    pairing: Pairing
    shares: tuple[float, float]
    sizes: tuple[int, int]
    n_unpaired: int


@dataclass(frozen=True)
class _Test:
    block: Block
    sides: Sides
    counted: _Counted

    @property
    def p_value(self) -> float:
        return self.counted.result.p_value

    @property
    def family(self) -> str:
        cell = self.block.cell
        parts = (self.sides.held, cell.item_set, cell.role, cell.mode, self.sides.group.name)
        return family_name("missing", self.sides.comparison, *parts)


def persona_missing_tests(blocks: list[Block], plan: AnalysisPlan) -> pd.DataFrame:
    """Test per model whether a guise, or a persona, has more responses without a score.

    Pairs are those of the same item and repeat. Models are not pooled: the exact tests have no form
    that knows that models share items. The personas of a family share a family of tests with models
    and conditions. Columns: `PersonaMissingTestRow`.
    """
    tests = [t for b in blocks if b.cell.model != ALL_MODELS for t in _tests(b, plan)]
    records = [_row(test, family) for test, family in adjusted_tests(tests, plan.multiplicity)]
    order = {k: v for k, v in comparison_order(plan).items() if k not in ("subset", "contrast")}
    frame = table(PersonaMissingTestRow, records)
    return in_order(frame, {"comparison": ("language", "persona"), **order})


def _tests(block: Block, plan: AnalysisPlan) -> Iterator[_Test]:
    for group in groups(persona_design(plan)):
        for two in sides(block, group, plan):
            count = _count_paired if two.paired else _count_unpaired
            yield _Test(block, two, count(block, two.first, two.second, alpha=plan.alpha))


def _count_paired(block: Block, first: Corner, second: Corner, *, alpha: float) -> _Counted:
    outcomes = [_outcomes(block, corner) for corner in (first, second)]
    both, either = (
        f(outcomes[0] != "", outcomes[1] != "") for f in (np.logical_and, np.logical_or)
    )
    lost = [(o[both] != "ok").astype(np.float64) for o in outcomes]
    n = int(both.sum())
    shares = [float(values.mean()) if n else nan for values in lost]
    result = paired_share_difference(lost[0], lost[1], alpha=alpha)
    unpaired = int(either.sum()) - n
    return _Counted(result, "paired", (shares[0], shares[1]), (n, n), unpaired)


def _count_unpaired(block: Block, first: Corner, second: Corner, *, alpha: float) -> _Counted:
    outcomes = [o[o != ""] for o in (_outcomes(block, corner) for corner in (first, second))]
    sizes = [len(o) for o in outcomes]
    lost = [int((o != "ok").sum()) for o in outcomes]
    shares = [x / n if n else nan for x, n in zip(lost, sizes, strict=True)]
    result = share_difference(lost[0], sizes[0], lost[1], sizes[1], alpha=alpha)
    return _Counted(result, "unpaired", (shares[0], shares[1]), (sizes[0], sizes[1]), 0)


def _outcomes(block: Block, corner: Corner) -> NDArray[np.object_]:
    grid = block.grid
    place = grid.corners.get(corner)
    return np.full(len(grid.items), "", object) if place is None else grid.outcomes[:, place]


def _row(test: _Test, adjusted: Adjusted) -> PersonaMissingTestRow:
    counted, result = test.counted, test.counted.result
    return PersonaMissingTestRow(
        cell=test.block.cell,
        between=test.sides.columns,
        pairing=counted.pairing,
        estimate=result.estimate,
        low=result.low,
        high=result.high,
        p_value=result.p_value,
        adjusted=adjusted,
        share_first=counted.shares[0],
        share_second=counted.shares[1],
        n_first=counted.sizes[0],
        n_second=counted.sizes[1],
        n_unpaired=counted.n_unpaired,
        status=result.status,
        reason=result.reason,
        method=result.method,
    )
