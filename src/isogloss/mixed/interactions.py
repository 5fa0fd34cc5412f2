"""How far a contrast of guises differs between two personas."""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np

from isogloss.stats.glmm.delta import normal_p, wald
from isogloss.stats.glmm.kernels import Vector
from isogloss.stats.glmm.margins import Margins
from isogloss.stats.results import Status


@dataclass(frozen=True)
class Interaction:
    """A difference of two differences of marginal means."""

    estimate: float
    low: float
    high: float
    se: float
    p_value: float
    status: Status
    reason: str | None
    method: str


def interaction(
    margins: Margins, personas: tuple[str, str], guises: tuple[str, str]
) -> Interaction:
    """Return (m[p, g] - m[p, r]) - (m[q, g] - m[q, r]) for personas p, q and guises g, r.

    `margins` are of guises by persona, on any scale; the standard error follows from their
    covariance C as sqrt(w' C w), interval and p-value are Wald's. On the response scale of a model
    that is not linear it need not be 0 where the coefficients of the interaction are.
    """
    weights = _weights(margins, personas, guises)
    method = f"difference of differences of {margins.method}, Wald; not adjusted"
    if margins.status != "ok":
        return _none(margins.reason, method)
    estimate = np.array([weights @ margins.estimate])
    variance = float(weights @ margins.covariance @ weights)
    se = np.array([sqrt(max(variance, 0.0))])
    p_value = float(normal_p(estimate, se)[0])
    if np.isnan(p_value):
        return _none("the standard error is 0", method)
    low, high = wald(estimate, se, margins.level)
    return Interaction(
        float(estimate[0]), float(low[0]), float(high[0]), float(se[0]), p_value, "ok", None, method
    )


def _weights(margins: Margins, personas: tuple[str, str], guises: tuple[str, str]) -> Vector:
    weights = np.zeros(len(margins.names))
    names = list(zip(margins.names["persona"], margins.names["guise"], strict=True))
    for persona, of_persona in zip(personas, (1.0, -1.0), strict=True):
        for guise, of_guise in zip(guises, (1.0, -1.0), strict=True):
            weights[names.index((persona, guise))] += of_persona * of_guise
    return weights


def _none(reason: str | None, method: str) -> Interaction:
    return Interaction(nan, nan, nan, nan, nan, "not_estimable", reason, method)
