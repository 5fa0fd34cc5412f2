"""From a solution in numbers to a result with names."""

from itertools import pairwise
from math import exp, isfinite, nan

import numpy as np
import pandas as pd

from isogloss.stats.glmm.design import Design
from isogloss.stats.glmm.engine import Engine
from isogloss.stats.glmm.obstacles import Obstacle, parameters
from isogloss.stats.glmm.response import Response
from isogloss.stats.glmm.result import FitStatus, GlmmFit
from isogloss.stats.glmm.solve import Solution


def summarise(
    formula: str,
    design: Design,
    answer: Response,
    engine: Engine,
    solution: Solution,
    obstacle: Obstacle | None,
) -> GlmmFit:
    """Name the numbers of a solution and say how it ended."""
    names = [group.name for group in design.groups]
    order = engine.cells.order
    boundary = tuple(sorted((names[order[k]] for k in solution.boundary), key=names.index))
    status, reasons = _status(solution, obstacle, boundary)
    coefficients = pd.Index(design.fixed.names, dtype=object)
    cuts = _thresholds(engine)
    joint = _joint(solution, cuts, coefficients)
    vcov = joint.loc[coefficients, coefficients]
    extra = solution.extra if len(cuts) else np.zeros(0)
    return GlmmFit(
        formula=formula,
        family=engine.family,
        reml=engine.reml,
        status=status,
        reasons=(*reasons, *design.notes),
        coef=pd.Series(solution.beta, index=coefficients),
        se=_deviations(vcov),
        vcov=vcov,
        variances=_in_order(names, order, [float(v) for v in solution.variances]),
        dispersion=_dispersion(engine, solution),
        thresholds=pd.Series(extra, index=cuts),
        thresholds_se=_deviations(joint.loc[cuts, cuts]),
        joint_vcov=joint,
        loglik=solution.loglik + answer.constant,
        npar=parameters(len(coefficients), answer, engine.family, len(names)),
        n=len(design.rows),
        n_dropped=design.n_dropped,
        groups={group.name: len(group.levels) for group in design.groups},
        group_sizes={group.name: group.counts for group in design.groups},
        modes=_modes(design, engine, solution),
        boundary=boundary,
        gradient_norm=solution.gradient,
        distance=solution.distance,
        iterations=solution.iterations,
        engine=engine,
    )


def _status(
    solution: Solution, obstacle: Obstacle | None, boundary: tuple[str, ...]
) -> tuple[FitStatus, tuple[str, ...]]:
    if obstacle is not None:
        return obstacle.status, (obstacle.reason,)
    if not solution.converged:
        distance = solution.distance
        how_far = f" (distance {distance:.2g} standard errors)" if isfinite(distance) else ""
        return "not_converged", (
            "the highest point that was reached from any start is no maximum with a negative "
            f"second derivative{how_far}",
        )
    if boundary:
        return "boundary", tuple(f"the variance of {name} is estimated as 0" for name in boundary)
    return "converged", ()


def _thresholds(engine: Engine) -> pd.Index:
    levels = engine.categories
    names = [f"{low}|{high}" for low, high in pairwise(levels)]
    return pd.Index(names, dtype=object)


def _joint(solution: Solution, cuts: pd.Index, coefficients: pd.Index) -> pd.DataFrame:
    """Order the covariance: thresholds, then coefficients."""
    p = len(coefficients)
    places = [*range(p, p + len(cuts)), *range(p)]
    names = cuts.append(coefficients)
    return pd.DataFrame(solution.covariance[np.ix_(places, places)], index=names, columns=names)


def _deviations(covariance: pd.DataFrame) -> pd.Series:
    return pd.Series(np.sqrt(np.diag(covariance)), index=covariance.index)


def _dispersion(engine: Engine, solution: Solution) -> float:
    if engine.family == "beta":
        return exp(solution.extra[0])
    if engine.family == "gaussian":
        return solution.residual
    return 1.0 if engine.family == "binomial" else nan


def _in_order(names: list[str], order: tuple[int, ...], values: list[float]) -> dict[str, float]:
    found = {names[place]: value for place, value in zip(order, values, strict=False)}
    return {name: found[name] for name in names}


def _modes(design: Design, engine: Engine, solution: Solution) -> dict[str, pd.Series]:
    parts = engine.cells.layout.slices
    places = {place: parts[k] for k, place in enumerate(engine.cells.order)}
    return {
        group.name: pd.Series(solution.modes[places[k]], index=group.levels)
        for k, group in enumerate(design.groups)
    }
