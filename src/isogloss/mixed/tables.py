"""The tables of the stage glmm."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import nan, sqrt
from typing import Any

import numpy as np
import pandas as pd

from isogloss.analysis.families import Adjusted, adjust_within, family_name
from isogloss.analysis.means import guise_order
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import in_order, missing_counts, table
from isogloss.mixed.fits import Fitted, fit_models
from isogloss.mixed.model import MixedModel
from isogloss.mixed.records import CoefficientRow, FitRow, MarginRow
from isogloss.stats.glmm.contrasts import contrasts
from isogloss.stats.glmm.margins import Margins, marginal_means
from isogloss.stats.glmm.scales import standing
from isogloss.stats.permutation import MAX_CLUSTERS
from isogloss.studies.base import Contrast

WIDE = 5.0
"""Standard deviation in logits above which a random intercept decides the answer by itself."""

_NO_FAMILY = Adjusted(nan, "", 0)


def mixed_tables(
    rows: pd.DataFrame, plan: AnalysisPlan, models: Sequence[MixedModel]
) -> dict[str, pd.DataFrame]:
    """Fit every mixed model and compute each table of `MIXED_TABLES`.

    Guise means and contrasts are marginal means on the response scale, for each model at random
    intercepts of 0. Contrasts are those of the plan. Those of all models in one fit form a family
    for each contrast, as in `effects`. Raises what `fit_models` raises.
    """
    fitted = list(fit_models(rows, plan, models))
    return {
        "mixed_coefficients": table(
            CoefficientRow, (row for one in fitted for row in _coefficients(one, plan))
        ),
        "mixed_margins": _margins(fitted, plan),
        "mixed_fits": table(FitRow, (_fit_row(one) for one in fitted)),
    }


def how(fitted: Fitted) -> str:
    """Name the method of a fit."""
    if fitted.fit.family == "gaussian":
        return "restricted maximum likelihood" if fitted.fit.reml else "maximum likelihood"
    return "maximum likelihood, Laplace approximation"


def _cautions(fitted: Fitted) -> list[str]:
    """Say where an estimate stands at the edge of what the method can tell."""
    fit = fitted.fit
    if not fit.estimated:
        return []
    few = [
        f"{name} has {count} levels, and the tests take many for granted"
        for name, count in fit.groups.items()
        if count <= MAX_CLUSTERS
    ]
    wide = [
        f"the standard deviation of {name} is {sqrt(variance):.3g} logits: its levels get nearly "
        "the same answer every time, and neither the approximation nor the middle level says much"
        for name, variance in fit.variances.items()
        if fit.family != "gaussian" and variance > WIDE**2
    ]
    return [*few, *wide]


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


def _margins(fitted: Sequence[Fitted], plan: AnalysisPlan) -> pd.DataFrame:
    means: list[MarginRow] = []
    found: list[tuple[str, MarginRow]] = []
    for one in fitted:
        by = ["model"] if one.several else []
        margins = marginal_means(one.fit, one.data, "guise", by=by, level=1 - plan.alpha)
        means += [*_means(one, margins), *_means_unrated(one, margins)]
        found += [
            (family_name("mixed", one.block.fit, *_shared(one, contrast)), row)
            for contrast in plan.contrasts
            for row in [
                *_contrasts(one, margins, contrast),
                *_contrasts_unrated(one, margins, contrast),
            ]
        ]
    p_values = [row.p_value for _, row in found]
    adjusted = adjust_within([family for family, _ in found], p_values, plan.multiplicity)
    rows = [
        *means,
        *(replace(row, adjusted=a) for (_, row), a in zip(found, adjusted, strict=True)),
    ]
    return in_order(table(MarginRow, rows), _order(fitted, plan))


def _order(fitted: Sequence[Fitted], plan: AnalysisPlan) -> dict[str, tuple[str, ...]]:
    return {
        "item_set": (),
        "mode": (),
        "subset": ("all", "validated"),
        "fit": tuple(dict.fromkeys(one.block.fit for one in fitted)),
        "quantity": ("mean", "contrast"),
        "contrast": ("", *(contrast.name for contrast in plan.contrasts)),
        "model": (),
        "guise": guise_order(plan)["guise"],
    }


def _shared(fitted: Fitted, contrast: Contrast) -> tuple[str, str, str, str]:
    block = fitted.block
    return contrast.name, block.item_set, block.mode, block.subset


def _means(fitted: Fitted, margins: Margins) -> Iterator[MarginRow]:
    for row in margins.to_frame().to_dict("records"):
        yield _margin_row(fitted, "", [row["guise"]], row)


def _contrasts(fitted: Fitted, margins: Margins, contrast: Contrast) -> Iterator[MarginRow]:
    guises = [contrast.guise, contrast.reference]
    if not set(guises) <= set(fitted.rated["guise"]):
        return
    frame = contrasts(margins, reference=contrast.reference, adjustment="none")
    for row in frame.loc[frame["level"] == contrast.guise].to_dict("records"):
        yield _margin_row(fitted, contrast.name, guises, row)


def _means_unrated(fitted: Fitted, margins: Margins) -> Iterator[MarginRow]:
    asked = fitted.rows[["model", "guise"]].drop_duplicates()
    for model, guise in asked.sort_values(["model", "guise"]).itertuples(index=False):
        reason = _unrated(fitted, model, [guise])
        if reason:
            yield _margin_row(fitted, "", [guise], _nothing(model, reason, margins))


def _contrasts_unrated(fitted: Fitted, margins: Margins, contrast: Contrast) -> Iterator[MarginRow]:
    """Make a row for each model that was asked in both guises and has no margin of one of them."""
    guises = [contrast.guise, contrast.reference]
    for model, asked in fitted.rows.groupby("model", sort=True)["guise"]:
        reason = _unrated(fitted, str(model), guises)
        if reason and set(guises) <= set(asked):
            row = _nothing(str(model), reason, margins)
            yield _margin_row(fitted, contrast.name, guises, row)


def _unrated(fitted: Fitted, model: str, guises: list[str]) -> str | None:
    """Say why a fit has no margin of a model in some of `guises`; None where it has."""
    rated = fitted.rated
    if model not in set(rated["model"]):
        return "no rating of the model"
    missing = [guise for guise in guises if guise not in set(rated["guise"])]
    return f"no rating in the guise {missing[0]}" if missing else None


def _nothing(model: str, reason: str, margins: Margins) -> dict[Hashable, Any]:
    return {
        "model": model,
        **dict.fromkeys(("estimate", "low", "high", "se", "p_value"), nan),
        "status": "not_estimable",
        "reason": reason,
        "method": margins.method,
    }


def _margin_row(
    fitted: Fitted, contrast: str, guises: list[str], row: Mapping[Hashable, Any]
) -> MarginRow:
    rated = fitted.rated
    model = str(row.get("model", rated["model"].iloc[0]))
    n = int(((rated["model"] == model) & rated["guise"].isin(guises)).sum())
    return MarginRow(
        block=fitted.block,
        model=model,
        quantity="contrast" if contrast else "mean",
        guise=guises[0],
        contrast=contrast,
        estimate=row["estimate"],
        low=row["low"],
        high=row["high"],
        se=row["se"],
        p_value=row["p_value"],
        adjusted=_NO_FAMILY,
        n=n,
        status=row["status"],
        reason=row["reason"],
        method=f"{how(fitted)}; {row['method']}",
    )


def _fit_row(fitted: Fitted) -> FitRow:
    fit = fitted.fit
    known, rated = fit.estimated, fitted.rated
    return FitRow(
        block=fitted.block,
        formula=fit.formula,
        distribution=fit.family,
        rating=fitted.model.value,
        references="; ".join(
            f"{name}: {rated[name].cat.categories[0]}"
            for name in (["guise", "model"] if fitted.several else ["guise"])
        ),
        n_models=int(rated["model"].nunique()),
        n=fit.n,
        n_dropped=fit.n_dropped,
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
        reason="; ".join([*fit.reasons, *_cautions(fitted)]) or None,
        method=how(fitted),
    )
