"""Rows of `mixed_margins.csv`: means of guises, their contrasts, and how those differ."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import nan
from typing import Any

import numpy as np
import pandas as pd

from isogloss.analysis.families import Adjusted, adjusted_tests, family_name
from isogloss.analysis.means import guise_order
from isogloss.analysis.personas.records import ALL_MODELS
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import in_order, table
from isogloss.mixed.fits import Fitted
from isogloss.mixed.interactions import interaction
from isogloss.mixed.methods import how, without_means
from isogloss.mixed.personas import persona_order
from isogloss.mixed.records import MarginRow, Quantity
from isogloss.stats.glmm.contrasts import contrasts
from isogloss.stats.glmm.margins import Margins, marginal_means
from isogloss.studies.base import Contrast

_NO_FAMILY = Adjusted(nan, "", 0)

_Figures = Mapping[Any, Any]


@dataclass(frozen=True)
class _Test:
    row: MarginRow
    family: str

    @property
    def p_value(self) -> float:
        return self.row.p_value


@dataclass(frozen=True)
class _About:
    """What a row is about."""

    quantity: Quantity
    level: str
    """Model or persona, whichever the fit gives means by."""
    guises: tuple[str, ...]
    contrast: str = ""
    reference: str = ""
    """Persona that `level` is compared with."""


def margins_table(fitted: Sequence[Fitted], plan: AnalysisPlan) -> pd.DataFrame:
    """Return guise means, contrasts and interactions of fits; columns are those of `MarginRow`.

    The contrasts of one fit form a family for each contrast. So do its interactions over the
    unspecified persona, and those over the reference of the personas. A fit whose random intercepts
    decide the answers has rows with the reason and without numbers.
    """
    means: list[MarginRow] = []
    tests: list[_Test] = []
    for one in fitted:
        margins = _marginal_means(one, plan)
        means += _means(one, margins)
        for contrast in plan.contrasts:
            compared = [*_contrasts(one, margins, contrast), *_interactions(one, margins, contrast)]
            tests += [_Test(row, _family(row, plan)) for row in compared]
    adjusted = adjusted_tests(tests, plan.multiplicity)
    rows = [replace(test.row, adjusted=family) for test, family in adjusted]
    return in_order(table(MarginRow, [*means, *rows]), _order(fitted, plan))


def _marginal_means(fitted: Fitted, plan: AnalysisPlan) -> Margins:
    by = [name for name in fitted.factors if name != "guise"]
    margins = marginal_means(fitted.fit, fitted.data, "guise", by=by, level=1 - plan.alpha)
    reason = without_means(fitted)
    return margins if reason is None else _withheld(margins, reason)


def _withheld(margins: Margins, reason: str) -> Margins:
    nothing = np.full(len(margins.names), nan)
    return replace(
        margins,
        estimate=nothing,
        se=nothing,
        low=nothing,
        high=nothing,
        covariance=np.outer(nothing, nothing),
        status="not_estimable",
        reason=reason,
    )


def _family(row: MarginRow, plan: AnalysisPlan) -> str:
    block = row.block
    parts = ["mixed", block.fit, row.contrast, block.item_set, block.mode, block.subset]
    if plan.personas is not None:
        parts += [block.task, block.persona_family]
        if row.quantity == "interaction":
            alone = row.reference_persona == plan.personas.unspecified
            parts.append(f"interaction over {'unspecified' if alone else 'reference'}")
    return family_name(*parts)


def _order(fitted: Sequence[Fitted], plan: AnalysisPlan) -> dict[str, tuple[str, ...]]:
    families = [one.block.persona_family for one in fitted]
    personas = persona_order(plan.personas)
    return {
        "item_set": (),
        "mode": (),
        "task": plan.rated_tasks,
        "persona_family": tuple(dict.fromkeys(families)),
        "subset": ("all", "validated"),
        "fit": tuple(dict.fromkeys(one.block.fit for one in fitted)),
        "quantity": ("mean", "contrast", "interaction"),
        "contrast": ("", *(contrast.name for contrast in plan.contrasts)),
        "model": (),
        "persona": personas,
        "reference_persona": personas,
        "guise": guise_order(plan)["guise"],
    }


def _means(fitted: Fitted, margins: Margins) -> Iterator[MarginRow]:
    for figures in margins.to_frame().to_dict("records"):
        about = _About("mean", _level(fitted, figures), (figures["guise"],))
        yield _row(fitted, about, figures)
    asked = fitted.rows[[fitted.model.by, "guise"]].drop_duplicates()
    for level, guise in sorted(asked.itertuples(index=False, name=None)):
        reason = _absent(fitted, level, (guise,))
        if reason:
            yield _row(fitted, _About("mean", level, (guise,)), _nothing(reason, margins))


def _contrasts(fitted: Fitted, margins: Margins, contrast: Contrast) -> Iterator[MarginRow]:
    guises = (contrast.guise, contrast.reference)
    if set(guises) <= set(fitted.rated["guise"]):
        frame = contrasts(margins, reference=contrast.reference, adjustment="none")
        for figures in frame.loc[frame["level"] == contrast.guise].to_dict("records"):
            about = _About("contrast", _level(fitted, figures), guises, contrast.name)
            yield _row(fitted, about, figures)
    for level in _asked(fitted, guises):
        reason = _absent(fitted, level, guises)
        if reason:
            about = _About("contrast", level, guises, contrast.name)
            yield _row(fitted, about, _nothing(reason, margins))


def _interactions(fitted: Fitted, margins: Margins, contrast: Contrast) -> Iterator[MarginRow]:
    if fitted.personas is None:
        return
    guises = (contrast.guise, contrast.reference)
    asked = _asked(fitted, guises)
    for persona, reference in fitted.personas.pairs:
        if persona not in asked or reference not in asked:
            continue
        about = _About("interaction", persona, guises, contrast.name, reference)
        reason = _absent(fitted, persona, guises) or _absent(fitted, reference, guises)
        figures: _Figures = (
            _nothing(reason, margins)
            if reason
            else asdict(interaction(margins, (persona, reference), guises))
        )
        yield _row(fitted, about, figures)


def _asked(fitted: Fitted, guises: tuple[str, ...]) -> list[str]:
    """Return the models or personas that were asked in all of `guises`, rated or not."""
    levels = fitted.rows.groupby(fitted.model.by, sort=True)["guise"]
    return [str(level) for level, asked in levels if set(guises) <= set(asked)]


def _level(fitted: Fitted, figures: _Figures) -> str:
    by = fitted.model.by
    return str(figures[by] if by in figures else fitted.rated[by].iloc[0])


def _absent(fitted: Fitted, level: str, guises: tuple[str, ...]) -> str | None:
    """Say why a fit has no margin of a model or persona in some of `guises`; None where it has."""
    rated, by = fitted.rated, fitted.model.by
    if fitted.left_out and level in fitted.left_out:
        return f"the {by} {level} is not in the fit: {fitted.left_out[level]}"
    if level not in set(rated[by]):
        return "no rating of the model" if by == "model" else f"no rating for the persona {level}"
    missing = [guise for guise in guises if guise not in set(rated["guise"])]
    return f"no rating in the guise {missing[0]}" if missing else None


def _nothing(reason: str, margins: Margins) -> _Figures:
    return {
        **dict.fromkeys(("estimate", "low", "high", "se", "p_value"), nan),
        "status": "not_estimable",
        "reason": reason,
        "method": margins.method,
    }


def _row(fitted: Fitted, about: _About, figures: _Figures) -> MarginRow:
    by_persona = fitted.model.by == "persona"
    return MarginRow(
        block=fitted.block,
        model=_models(fitted) if by_persona else about.level,
        persona=about.level if by_persona else "",
        quantity=about.quantity,
        guise=about.guises[0],
        contrast=about.contrast,
        reference_persona=about.reference,
        estimate=figures["estimate"],
        low=figures["low"],
        high=figures["high"],
        se=figures["se"],
        p_value=figures["p_value"],
        adjusted=_NO_FAMILY,
        n=_ratings(fitted, about),
        status=figures["status"],
        reason=figures["reason"],
        method=f"{how(fitted)}; {figures['method']}",
    )


def _models(fitted: Fitted) -> str:
    return ALL_MODELS if fitted.several else str(fitted.rated["model"].iloc[0])


def _ratings(fitted: Fitted, about: _About) -> int:
    rated = fitted.rated
    concerned = rated[fitted.model.by].isin([about.level, about.reference])
    return int((concerned & rated["guise"].isin(about.guises)).sum())
