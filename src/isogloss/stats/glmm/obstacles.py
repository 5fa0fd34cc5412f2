"""What keeps a model from being fitted to the data, found before the fit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import ROUNDING
from isogloss.stats.glmm.assemble import dependent_columns
from isogloss.stats.glmm.cells import Cells
from isogloss.stats.glmm.design import Design
from isogloss.stats.glmm.families import Family
from isogloss.stats.glmm.grouping import Grouping
from isogloss.stats.glmm.response import Response
from isogloss.stats.glmm.separation import separated_columns
from isogloss.stats.glmm.solve import Solution

Kind = Literal["no_variation", "separation", "rank_deficient", "not_converged"]

EXACT = 1e-10
"""Residual variance, as a share of that without groups, that is lost in rounding."""
ODD_PREDICTOR, ODD_DEVIATION = 8.0, 5.0
"""Linear predictor and standard deviation, in logits, above which separation is looked for."""
LARGEST_PRECISION = 1e8
"""Precision of a beta above which its density is the small difference of large numbers."""
LARGE = 4_000
"""Rows of the linear program above which separation is looked for only where a fit suggests it."""


@dataclass(frozen=True)
class Obstacle:
    """Why there is no fit."""

    status: Kind
    reason: str


def find_obstacle(
    design: Design, cells: Cells, answer: Response, family: Family
) -> Obstacle | None:
    """Return the first obstacle, or None."""
    return next(_obstacles(design, cells, answer, family), None)


def separation(
    names: tuple[str, ...], cells: Cells, matrix: np.ndarray, categories: int
) -> Obstacle | None:
    """Return the obstacle that a fixed effect without finite maximum is, or None.

    Where it cannot be told whether there is a maximum, that is an obstacle too.
    """
    try:
        columns = separated_columns(cells, matrix, categories)
    except StatisticsError as error:
        return Obstacle("not_converged", str(error))
    if columns is None:
        return None
    what = ", ".join(names[j] for j in columns) or "the thresholds"
    return Obstacle(
        "separation",
        f"the likelihood rises without end along {what}: for some values of them only one outcome "
        "was seen; merge levels or leave them out",
    )


def parameters(p: int, answer: Response, family: Family, factors: int) -> int:
    """Return the number of parameters: coefficients, thresholds or dispersion, variances."""
    if family == "ordinal":
        return p + len(answer.categories) - 1 + factors
    return p + factors + (family in ("gaussian", "beta"))


def _obstacles(
    design: Design, cells: Cells, answer: Response, family: Family
) -> Iterator[Obstacle]:
    if answer.constant_reason:
        yield Obstacle("no_variation", answer.constant_reason)
    n, p = design.rows.size, design.matrix.shape[1]
    yield from _of_groups(design.groups, n, single=_single(answer, family))
    dependent = dependent_columns(design.matrix, intercept=family == "ordinal")
    if dependent:
        what = ", ".join(design.fixed.names[j] for j in dependent)
        yield Obstacle(
            "rank_deficient",
            f"{what}: a linear combination of the columns before; leave terms out or merge levels",
        )
    size = int(answer.count.sum())
    needed = parameters(p, answer, family, len(design.groups))
    if size <= needed - (family == "binomial" and not design.groups):
        yield Obstacle("rank_deficient", f"{size} observations for {needed} parameters")
    if family == "gaussian" and _exact(answer, cells):
        yield Obstacle("no_variation", "the fixed effects fit every row exactly")
    categories = len(answer.categories)
    if family in ("binomial", "ordinal") and len(design.matrix) * max(categories, 1) <= LARGE:
        found = separation(design.fixed.names, cells, design.matrix, categories)
        if found:
            yield found


def _of_groups(groups: Sequence[Grouping], n: int, *, single: bool) -> Iterator[Obstacle]:
    for group in groups:
        if len(group.levels) == 1:
            reason = f"{group.name} has one level, {group.levels[0]}; its variance has no estimate"
            yield Obstacle("rank_deficient", reason)
        if single and len(group.levels) == n:
            reason = f"each row is its own level of {group.name}: its variance is that of the rows"
            yield Obstacle("rank_deficient", reason)
    for a, b in combinations(groups, 2):
        if _alike(a, b):
            reason = f"{a.name} and {b.name} group the rows alike; leave one out"
            yield Obstacle("rank_deficient", reason)


def _single(answer: Response, family: Family) -> bool:
    """Whether one row says nothing of a variance beside that of the rows."""
    if family == "binomial":
        return bool(answer.count.max() <= 1)
    return family == "gaussian" or (family == "ordinal" and len(answer.categories) == 2)


def _alike(a: Grouping, b: Grouping) -> bool:
    size = len(a.levels)
    if len(b.levels) != size:
        return False
    return bool(np.unique(a.codes.astype(np.int64) * size + b.codes).size == size)


def after_fit(
    design: Design, cells: Cells, answer: Response, family: Family, solution: Solution | None
) -> Obstacle | None:
    """Return an obstacle that only the fit shows, or None."""
    if family == "gaussian":
        spread = float(cells.s2.sum()) / answer.s1.size
        if solution is None or solution.residual**2 < EXACT * spread:
            return Obstacle("no_variation", "fixed effects and groups fit every row exactly")
        return None
    if family == "beta":
        if solution is not None and solution.extra[0] > np.log(LARGEST_PRECISION):
            reason = (
                f"the model fits every row: a precision above {LARGEST_PRECISION:g} is rounding"
            )
            return Obstacle("no_variation", reason)
        return None
    categories = len(answer.categories)
    usual = solution is not None and solution.converged
    if len(design.matrix) * max(categories, 1) > LARGE:
        fixed = design.matrix @ solution.beta if solution is not None else np.zeros(1)
        if not usual or np.abs(fixed - fixed.mean()).max(initial=0.0) > ODD_PREDICTOR:
            found = separation(design.fixed.names, cells, design.matrix, categories)
            if found:
                return found
    for k, place in enumerate(cells.order):
        wide = solution is None or not usual or solution.variances[k] > ODD_DEVIATION**2
        if wide and _one_outcome(cells, k, categories):
            name = design.groups[place].name
            return Obstacle(
                "separation", f"each level of {name} has one outcome: its variance has no end"
            )
    return None


def _one_outcome(cells: Cells, k: int, categories: int) -> bool:
    """Whether each group of factor k of the layout has one outcome, and some group several."""
    codes = cells.layout.codes[k] - cells.layout.codes[k].min()
    trials = np.bincount(codes, weights=cells.count)
    if trials.max() < 2:
        return False
    if categories:
        pairs = np.unique(codes.astype(np.int64) * categories + cells.s1.astype(np.int64))
        return bool(pairs.size == trials.size)
    successes = np.bincount(codes, weights=cells.s1)
    return bool(((successes == 0) | (successes == trials)).all())


def _exact(answer: Response, cells: Cells) -> bool:
    largest = float(np.abs(answer.s1).max())
    return bool(cells.s2.sum() <= answer.s1.size * (ROUNDING * largest) ** 2)
