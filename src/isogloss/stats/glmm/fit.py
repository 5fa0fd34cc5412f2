"""Fitting a generalised linear mixed model with random intercepts."""

import hashlib
from dataclasses import replace
from typing import get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from isogloss.errors import StatisticsError
from isogloss.stats.glmm.cells import Cells, aggregate
from isogloss.stats.glmm.design import Design, build, complete_rows, evaluated
from isogloss.stats.glmm.engine import Engine
from isogloss.stats.glmm.families import Family
from isogloss.stats.glmm.formula import Parsed, parse
from isogloss.stats.glmm.kernels import Vector
from isogloss.stats.glmm.obstacles import after_fit, find_obstacle
from isogloss.stats.glmm.response import Response, numbers, response
from isogloss.stats.glmm.result import GlmmFit
from isogloss.stats.glmm.solve import Solution, solve_laplace, solve_linear, unsolved
from isogloss.stats.glmm.summary import summarise

_TRIALS = "trials given as numbers"


def fit_glmm(
    formula: str,
    data: pd.DataFrame,
    *,
    family: Family,
    reml: bool = False,
    trials: str | ArrayLike | None = None,
) -> GlmmFit:
    """Fit a mixed model with random intercepts by maximum likelihood.

    `formula` is written as for lme4, `y ~ x + (1 | g)`, with any number of crossed or nested
    random intercepts `(1 | g)`, `(1 | a:b)`, `(1 | a/b)`; formulaic reads the rest, and
    `offset(x)` adds x to the linear predictor. Families:

    - `gaussian`, identity link, exact likelihood; `reml` chooses the restricted one.
    - `binomial`, logit link: 0 and 1, or successes of `trials` (a column or one number per row).
    - `beta`, logit link, with mean mu and precision phi: shapes mu phi and (1 - mu) phi.
    - `ordinal`, cumulative logit: logit P(Y <= j) = threshold_j - eta, no intercept. The order is
      that of numbers or of an ordered categorical.

    The last three integrate the random intercepts by the Laplace approximation, as glmmTMB and
    ordinal::clmm do. Rows with a missing value in a column that the model names are left out and
    counted. What the data do not determine is NaN, with a status and reasons.

    Raises `StatisticsError` on a formula that cannot be read, on random slopes, on a column that
    is missing, and on a response that the family is not defined for, such as exact 0 or 1 in a
    beta.

    Notes: the Laplace approximation is poor for binary responses in groups of a few rows with a
    large variance, which it underestimates. Standard errors and p-values have no correction for
    few groups.
    """
    if family not in get_args(Family):
        raise StatisticsError(f"family {family!r}: pass one of {', '.join(get_args(Family))}")
    if reml and family != "gaussian":
        raise StatisticsError(f"REML is for the gaussian family; fit {family} with reml=False")
    parsed = parse(formula)
    design, answer = _prepared(parsed, data, family, trials)
    cells, shift = _cells(design, answer, family)
    obstacle = find_obstacle(design, cells, answer, family)
    solution = None
    if obstacle is None:
        solution = _solved(design, cells, shift, answer, family, reml)
        obstacle = after_fit(design, cells, answer, family, solution)
    if solution is None or obstacle is not None:
        extra = len(answer.categories) - 1 if family == "ordinal" else int(family == "beta")
        solution = unsolved(design.matrix.shape[1], extra, cells)
    engine = _engine(parsed, design, cells, shift, answer, family, reml, solution)
    return summarise(formula, design, answer, engine, solution, obstacle)


def _prepared(
    parsed: Parsed, data: pd.DataFrame, family: Family, trials: str | ArrayLike | None
) -> tuple[Design, Response]:
    name = parsed.response.strip("`")
    column = trials if isinstance(trials, str) else None
    if trials is not None and column is None:
        given = np.asarray(trials, np.float64)
        if given.shape != (len(data),):
            raise StatisticsError(
                f"trials has shape {given.shape}; pass one number for each of {len(data)} rows"
            )
        column, data = _TRIALS, data.assign(**{_TRIALS: given})
    used, notes = complete_rows(parsed, data, name, column)
    design = build(
        parsed,
        used,
        n_dropped=len(data) - len(used),
        intercept=family != "ordinal",
        notes=notes,
    )
    values = used[name] if name in used else evaluated(name, used)
    counts = None if column is None else numbers(used[column], column)
    return design, response(family, values, name, counts)


def _cells(design: Design, answer: Response, family: Family) -> tuple[Cells, Vector]:
    """Add up cells; of a gaussian, those of the residuals of a fit without groups.

    That keeps its residual sum of squares from being the small difference of large numbers.
    """
    p = design.matrix.shape[1]
    if family != "gaussian":
        cells = aggregate(
            design.rows, design.groups, design.offset, answer, by_category=family == "ordinal"
        )
        return cells, np.zeros(p)
    size = len(design.matrix)
    counts = np.bincount(design.rows, minlength=size)
    sums = np.bincount(design.rows, weights=answer.s1 - design.offset, minlength=size)
    weights = np.sqrt(counts)
    scaled, target = weights[:, None] * design.matrix, sums / np.maximum(weights, 1.0)
    shift: Vector = np.zeros(0)
    if p:
        shift = np.linalg.lstsq(scaled, target)[0].astype(np.float64)
    left = answer.s1 - design.offset - (design.matrix @ shift)[design.rows]
    residuals = replace(answer, s1=left, s2=left * left, s3=left * left)
    nothing = np.zeros_like(design.offset)
    return aggregate(design.rows, design.groups, nothing, residuals, by_category=False), shift


def _solved(
    design: Design, cells: Cells, shift: Vector, answer: Response, family: Family, reml: bool
) -> Solution | None:
    grouped = bool(design.groups)
    if family == "gaussian":
        n = design.rows.size
        return solve_linear(cells, design.matrix, shift, n, reml=reml, grouped=grouped)
    return solve_laplace(cells, design.matrix, family, len(answer.categories), grouped=grouped)


def _engine(
    parsed: Parsed,
    design: Design,
    cells: Cells,
    shift: Vector,
    answer: Response,
    family: Family,
    reml: bool,
    solution: Solution,
) -> Engine:
    digest = hashlib.sha256()
    for values in (answer.count, answer.s1, design.offset):
        digest.update(np.ascontiguousarray(values).tobytes())
    return Engine(
        family,
        reml,
        design.fixed,
        design.matrix,
        design.rows,
        cells,
        shift,
        solution.theta,
        answer.categories,
        parsed.groups,
        tuple(group.codes for group in design.groups),
        design.offset,
        design.data.index,
        digest.hexdigest(),
    )
