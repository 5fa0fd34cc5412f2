"""A fitted model as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from isogloss.stats.glmm.result import GlmmFit

_DISPERSION = {"beta": "precision", "gaussian": "residual SD"}


def regression_table(fit: GlmmFit) -> str:
    """Return the table that a fit prints: heading, random intercepts, coefficients, status."""
    how = "REML" if fit.reml else "ML" if fit.family == "gaussian" else "ML, Laplace"
    lines = [
        f"{fit.formula}   [{fit.family}, {how}]",
        f"n = {fit.n} ({fit.n_dropped} dropped)   logLik = {fit.loglik:.4f}   npar = {fit.npar}   "
        f"AIC = {fit.aic:.2f}   BIC = {fit.bic:.2f}",
    ]
    for name, variance in fit.variances.items():
        lines.append(
            f"(1 | {name}): variance = {variance:.5g}, SD = {np.sqrt(variance):.5g}, "
            f"{fit.groups[name]} levels"
        )
    if fit.family in _DISPERSION:
        lines.append(f"{_DISPERSION[fit.family]} = {fit.dispersion:.5g}")
    if len(fit.coef):
        lines += ["", _coefficients(fit)]
    if len(fit.thresholds):
        thresholds = pd.DataFrame({"threshold": fit.thresholds, "se": fit.thresholds_se})
        lines += ["", thresholds.to_string(float_format=_short)]
    lines += ["", f"status: {fit.status}", *(f"  {reason}" for reason in fit.reasons)]
    return "\n".join(lines)


def _coefficients(fit: GlmmFit) -> str:
    frame = fit.to_frame()
    text = frame.drop(columns="p_value").map(_short)
    text.insert(3, "p", [_p(value) for value in frame["p_value"]])
    return text.rename_axis(None).to_string()


def _short(value: float) -> str:
    return f"{value:.4f}" if abs(value) < 1e4 else f"{value:.4g}"


def _p(value: float) -> str:
    return "<0.0001" if value < 1e-4 else f"{value:.4f}"
