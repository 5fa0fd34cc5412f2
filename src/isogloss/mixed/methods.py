"""How a mixed model was fitted, and what to keep in mind about it."""

from collections.abc import Iterator
from math import sqrt

from isogloss.mixed.fits import Fitted
from isogloss.stats.permutation import MAX_CLUSTERS

WIDE = 5.0
"""Standard deviation in logits above which a random intercept decides the answer by itself."""


def how(fitted: Fitted) -> str:
    """Name the method of a fit."""
    if fitted.fit.family == "gaussian":
        return "restricted maximum likelihood" if fitted.fit.reml else "maximum likelihood"
    return "maximum likelihood, Laplace approximation"


def notes(fitted: Fitted) -> list[str]:
    """Say what was left out, and where an estimate stands at the edge of what can be told."""
    left_out = [
        f"the persona {name} was left out: {why}" for name, why in (fitted.left_out or {}).items()
    ]
    if not fitted.fit.estimated:
        return left_out
    assumed = [*_alike(fitted), *_uneven(fitted)] if fitted.model.by == "persona" else []
    return [*left_out, *_few(fitted), *_wide(fitted), *assumed]


def _few(fitted: Fitted) -> Iterator[str]:
    for name, count in fitted.fit.groups.items():
        if count <= MAX_CLUSTERS:
            yield f"{name} has {count} levels, and the tests take many for granted"


def without_means(fitted: Fitted) -> str | None:
    """Say why a fit gives no means on the scale of the response; None where it gives them.

    Where random intercepts decide the answer, the curve from the linear predictor to the response
    is flat at their middle. Any difference there is near 0 with an interval of next to no width,
    whatever the guises do, and would read as proof that they do nothing.
    """
    return next(_wide(fitted), None) if fitted.fit.estimated else None


def _wide(fitted: Fitted) -> Iterator[str]:
    for name, variance in fitted.fit.variances.items():
        if fitted.fit.family != "gaussian" and variance > WIDE**2:
            yield (
                f"the standard deviation of {name} is {sqrt(variance):.3g} logits: its levels get "
                "nearly the same answer every time, and a mean at the middle level says nothing of "
                "them"
            )


def _alike(fitted: Fitted) -> Iterator[str]:
    if fitted.wordings_vary and "item:guise" not in fitted.fit.groups:
        yield (
            "the effect of a guise is taken to be the same in every item, which makes p-values of "
            "contrasts too small where it is not"
        )


def _uneven(fitted: Fitted) -> Iterator[str]:
    """Say what a row about all models takes for granted, and where models are missing from it."""
    rated, asked = fitted.rated, sorted(set(fitted.rows["model"]))
    silent = [name for name in asked if name not in set(rated["model"])]
    yield from (f"no rating by the model {name}" for name in silent)
    if not fitted.several:
        return
    yield "guises and personas are taken to have the same effect in every model"
    for persona, own in rated.groupby("persona", observed=True)["model"]:
        lacking = [name for name in asked if name not in {*own, *silent}]
        if lacking:
            yield f"no rating for the persona {persona} by {', '.join(lacking)}"
