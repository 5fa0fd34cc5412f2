"""Comparisons of guises and of personas, item by item or between two groups of items."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan, sqrt

import numpy as np
import pandas as pd

from isogloss.analysis.differences import difference, judgement
from isogloss.analysis.families import Adjusted, family_name
from isogloss.analysis.pairs import Subset
from isogloss.analysis.personas.blocks import Block, Corner, Group
from isogloss.analysis.personas.records import Pairing, Tested
from isogloss.analysis.personas.units import Units, units
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import MissingCounts, missing_counts
from isogloss.stats.arrays import Values, without_rounding
from isogloss.stats.effects import cohens_d_paired
from isogloss.stats.permutation import exact_where_few
from isogloss.stats.results import ClusteredEstimate, Estimate
from isogloss.stats.tests import cluster_mean, welch_t
from isogloss.studies.base import Contrast

D_PAIRED = "d_z: mean over standard deviation (ddof 1) of the pairs' differences"
D_UNPAIRED = "d_av: estimate over the root mean variance (ddof 1) of the two guises' scores"


@dataclass(frozen=True)
class Compared:
    """A comparison before its p-value is corrected."""

    pairing: Pairing
    estimate: Estimate
    means: tuple[float, ...]
    """Mean score of each corner over the units that the estimate uses."""
    d: float
    n: int
    n_items: int
    n_items_guise: int
    n_items_reference: int
    n_unpaired: int
    missing: MissingCounts


@dataclass(frozen=True)
class GroupComparison:
    """A comparison within a block that concerns personas of one group."""

    block: Block
    subset: Subset
    group: Group
    compared: Compared

    @property
    def p_value(self) -> float:
        """Not adjusted."""
        return self.compared.estimate.p_value

    def family_of(self, kind: str, held: str) -> str:
        """Name the family of tests of one kind that share `held`, a contrast or a guise."""
        cell = self.block.cell
        parts = (held, cell.item_set, cell.role, cell.mode, self.subset)
        return family_name(kind, *parts, self.group.name, self.block.scope)

    def tested(self, adjusted: Adjusted, plan: AnalysisPlan) -> Tested:
        """Columns of the comparison, with what its adjusted p-value and the plan say of it."""
        compared, estimate = self.compared, self.compared.estimate
        return Tested(
            pairing=compared.pairing,
            difference=difference(self.block.measure, estimate, adjusted),
            d=compared.d,
            d_kind=D_PAIRED if compared.pairing == "paired" else D_UNPAIRED,
            n=compared.n,
            n_items=compared.n_items,
            n_unpaired=compared.n_unpaired,
            missing=compared.missing,
            judgement=judgement(estimate, adjusted, plan),
        )


def compare_guises(
    block: Block,
    contrast: Contrast,
    personas: tuple[str] | tuple[str, str],
    subset: Subset,
    *,
    alpha: float,
) -> Compared:
    """Compare two guises in the scores of a persona, or in a persona's lead over another.

    With one persona P: score(guise, P) - score(reference, P). With two, P and B: that of P less
    that of B, the difference in differences. Corners, and so `means`, come as (guise, P),
    (reference, P), (guise, B), (reference, B). Where the guises share items each item is its own
    comparison; otherwise Welch's t-test compares the means of the two groups of items.
    """
    corners = [
        Corner(guise, persona)
        for persona in personas
        for guise in (contrast.guise, contrast.reference)
    ]
    if block.paired(contrast):
        return _compare_paired(units(block, corners, subset), alpha)
    guise, reference = units(block, corners[::2], subset), units(block, corners[1::2], subset)
    return _compare_unpaired(guise, reference, alpha)


def compare_personas(
    block: Block, guise: str, persona: str, reference: str, subset: Subset, *, alpha: float
) -> Compared:
    """Compare two personas within a guise, item by item: score(persona) - score(reference)."""
    corners = [Corner(guise, persona), Corner(guise, reference)]
    return _compare_paired(units(block, corners, subset), alpha)


def mean_of_items(values: Values, items: Sequence[str], *, alpha: float) -> ClusteredEstimate:
    """Mean of `values` of shape (n,), tested against 0 with items as the independent units.

    `cluster_mean`; where few items give unequal numbers of values, which makes its p-value too
    small, p-value, interval and equivalence are exact; see `exact_where_few`.
    """
    estimate = cluster_mean(values, items, alpha=alpha)
    unequal = pd.Series(items).value_counts().nunique() > 1
    return exact_where_few(estimate, values, items, alpha=alpha) if unequal else estimate


def _compare_paired(pairs: Units, alpha: float) -> Compared:
    whole = pairs.complete
    scores = whole.scores
    # Nested differences, so that swapping either factor flips the sign to the last bit.
    first, second = (_lead(half) for half in np.split(scores, 2, axis=1))
    estimate = mean_of_items(first - second, whole.items.tolist(), alpha=alpha)
    return Compared(
        pairing="paired",
        estimate=replace(estimate, method=f"{_pairs_of(whole)}; {estimate.method}"),
        means=tuple(_mean(column) for column in scores.T),
        d=cohens_d_paired(first, second, alpha=alpha).estimate,
        n=estimate.n,
        n_items=estimate.n_clusters,
        n_items_guise=estimate.n_clusters,
        n_items_reference=estimate.n_clusters,
        n_unpaired=pairs.n_unpaired,
        missing=pairs.missing,
    )


def _compare_unpaired(guise: Units, reference: Units, alpha: float) -> Compared:
    whole = guise.complete, reference.complete
    used = _centred(*whole)
    items = [_item_means(side) for side in used]
    estimate = welch_t(_lead(items[0]), _lead(items[1]), alpha=alpha)
    n, n_items = sum(map(len, used)), [len(side) for side in items]
    return Compared(
        pairing="unpaired",
        estimate=replace(estimate, method=f"{_groups_of(*used)}; {estimate.method}"),
        means=tuple(
            _mean(column) for both in zip(items[0].T, items[1].T, strict=True) for column in both
        ),
        d=_d_av(estimate, [_lead(side.scores) for side in used]),
        n=n,
        n_items=sum(n_items),
        n_items_guise=n_items[0],
        n_items_reference=n_items[1],
        n_unpaired=guise.n_unpaired + reference.n_unpaired + sum(map(len, whole)) - n,
        missing=missing_counts(pd.Series(np.concatenate([guise.outcomes, reference.outcomes]))),
    )


def _centred(guise: Units, reference: Units) -> tuple[Units, Units]:
    """Move each model's scores by the distance of its level from the mean level of all models.

    A model's level is the midpoint of its mean scores in the two guises, so that neither how many
    responses it lacks nor in which guise it lacks them moves the difference. A model without any
    score in one guise has no level and is left out. One model alone stays as it is.
    """
    if len({*guise.models, *reference.models}) < 2:
        return guise, reference
    means = [pd.DataFrame(u.scores).groupby(u.models).mean() for u in (guise, reference)]
    level = ((means[0] + means[1]) / 2).dropna()
    shift = level - level.mean()

    def moved(side: Units) -> Units:
        known = side.chosen(np.isin(side.models, level.index.to_numpy()))
        return replace(known, scores=known.scores - shift.loc[known.models.tolist()].to_numpy())

    return moved(guise), moved(reference)


def _item_means(side: Units) -> Values:
    """Mean score of each item in each corner, of shape (items, corners)."""
    return pd.DataFrame(side.scores).groupby(side.items).mean().to_numpy(dtype=np.float64)


def _lead(scores: Values) -> Values:
    return scores[:, 0] if scores.shape[1] == 1 else scores[:, 0] - scores[:, 1]


def _mean(values: Values) -> float:
    return float(values.mean()) if len(values) else nan


def _d_av(estimate: Estimate, sides: list[Values]) -> float:
    if min(map(len, sides)) < 2:
        return nan
    sd = sqrt(float(sides[0].var(ddof=1) + sides[1].var(ddof=1)) / 2)
    sd = without_rounding(sd, *sides)
    return estimate.estimate / sd if sd else nan


def _pairs_of(pairs: Units) -> str:
    models = len(set(pairs.models))
    return "paired by item" if models < 2 else f"paired by item and model, {models} models"


def _groups_of(guise: Units, reference: Units) -> str:
    models = len({*guise.models, *reference.models})
    if models < 2:
        return "item means, no item shared by the guises"
    return f"item means over {models} models of model-centred scores, no item shared by the guises"
