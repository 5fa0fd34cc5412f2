"""The tables of the stage glmm."""

from collections.abc import Iterator, Sequence
from math import nan

import numpy as np
import pandas as pd

from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import missing_counts, table
from isogloss.mixed.fits import Fitted, fit_models
from isogloss.mixed.margins import margins_table
from isogloss.mixed.methods import how, notes
from isogloss.mixed.model import MixedModel
from isogloss.mixed.records import CoefficientRow, FitRow
from isogloss.stats.glmm.scales import standing


def mixed_tables(
    rows: pd.DataFrame, plan: AnalysisPlan, models: Sequence[MixedModel]
) -> dict[str, pd.DataFrame]:
    """Fit every mixed model and compute each table of `MIXED_TABLES`.

    Guise means and contrasts are marginal means on the response scale, for each model or persona at
    random intercepts of 0. Contrasts are those of the plan. Those of all models or personas in one
    fit form a family for each contrast, as in `effects`. Raises what `fit_models` raises.
    """
    fitted = list(fit_models(rows, plan, models))
    return {
        "mixed_coefficients": table(
            CoefficientRow, (row for one in fitted for row in _coefficients(one, plan))
        ),
        "mixed_margins": margins_table(fitted, plan),
        "mixed_fits": table(FitRow, (_fit_row(one) for one in fitted)),
    }


def _coefficients(fitted: Fitted, plan: AnalysisPlan) -> Iterator[CoefficientRow]:
    fit = fitted.fit
    status, reason = standing(fit)
    frame = fit.to_frame(1 - plan.alpha)
    if status != "ok":
        frame[:] = nan
    for term, row in zip(frame.index, frame.to_dict("records"), strict=True):
        yield CoefficientRow(
            block=fitted.block,
            part="coefficient",
            term=str(term),
            estimate=row["estimate"],
            low=row["low"],
            high=row["high"],
            se=row["se"],
            z=row["z"],
            p_value=row["p_value"],
            status=status,
            reason=reason,
            method=f"{how(fitted)}; Wald",
        )
    for name in fit.thresholds.index:
        known = status == "ok"
        yield CoefficientRow(
            block=fitted.block,
            part="threshold",
            term=str(name),
            estimate=float(fit.thresholds[name]) if known else nan,
            low=nan,
            high=nan,
            se=float(fit.thresholds_se[name]) if known else nan,
            z=nan,
            p_value=nan,
            status=status,
            reason=reason,
            method=how(fitted),
        )


def _fit_row(fitted: Fitted) -> FitRow:
    fit = fitted.fit
    known, rated = fit.estimated, fitted.rated
    answered = int((fitted.rows["outcome"] == "ok").sum())
    return FitRow(
        block=fitted.block,
        formula=fit.formula,
        distribution=fit.family,
        rating=fitted.model.value,
        references="; ".join(f"{name}: {rated[name].cat.categories[0]}" for name in fitted.factors),
        n_models=int(rated["model"].nunique()),
        n=fit.n,
        n_dropped=fit.n_dropped + answered - len(fitted.data),
        missing=missing_counts(fitted.rows["outcome"]),
        groups="; ".join(f"{name}: {count}" for name, count in fit.groups.items()),
        variances="; ".join(
            f"{name}: {value!r}"
            for name, value in fit.variances.items()
            if known and np.isfinite(value)
        ),
        dispersion=fit.dispersion if known and fit.family == "gaussian" else nan,
        loglik=fit.loglik if known else nan,
        npar=fit.npar,
        aic=fit.aic if known else nan,
        status=fit.status,
        reason="; ".join([*fit.reasons, *notes(fitted)]) or None,
        method=how(fitted),
    )
