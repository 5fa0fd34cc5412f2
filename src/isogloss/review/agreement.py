"""How far reviewers agree: Cohen's kappa of every two of them, and where they do not agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan, sqrt
from typing import Literal

import numpy as np

from isogloss.review.batch import VERDICTS, HumanVerdict
from isogloss.review.decisions import Decision, in_force
from isogloss.review.pairs import PairKey
from isogloss.stats.results import Estimate

Scale = Literal["verdict", "accept"]
"""`verdict`: accept, reject and unsure, all different; `accept`: accept against the other two."""
SCALES: tuple[Scale, ...] = ("verdict", "accept")
METHOD = "Cohen's kappa, unweighted; large-sample interval of Fleiss, Cohen and Everitt (1969)"

_NORMAL_QUANTILE = 1.959963984540054
_ZERO_VARIANCE = 1e-12


@dataclass(frozen=True)
class Agreement:
    """How far two reviewers agree about the pairs that both judged."""

    first: str
    second: str
    scale: Scale
    observed: float
    """Share of pairs with the same verdict; NaN without a pair."""
    expected: float
    """That share if the two judged independently, each with their own shares of verdicts."""
    kappa: Estimate
    """(observed - expected) / (1 - expected), with its 95 % interval; `n` counts pairs."""


@dataclass(frozen=True)
class Disagreement:
    """A pair about which reviewers differ."""

    key: PairKey
    decisions: tuple[Decision, ...]
    """The decision in force of each reviewer who judged these texts, by name."""


def cohens_kappa(first: Sequence[str], second: Sequence[str]) -> tuple[float, float, Estimate]:
    """Return observed agreement, agreement expected by chance, and Cohen's kappa (1960).

    `first` and `second` are the categories that two reviewers gave the same objects, in one order.
    The standard error is that of Fleiss, Cohen and Everitt (1969) for kappa other than 0; the
    interval is kappa ± 1.96 standard errors, cut at -1 and 1. It holds for large samples.

    kappa is NaN without an object, and where both gave all objects one and the same category, so
    that chance alone gives full agreement. The interval is NaN where the standard error is 0 by
    construction: with full agreement, and where a reviewer gave one category only.
    """
    if len(first) != len(second):
        raise ValueError("both reviewers must have judged the same objects")
    if not first:
        return nan, nan, _estimate(nan, nan, 0, "no pair that both judged")
    table = _table(first, second)
    observed = float(np.trace(table) / table.sum())
    expected = float(table.sum(axis=0) @ table.sum(axis=1) / table.sum() ** 2)
    if len(table) == 1:
        return observed, expected, _estimate(nan, nan, len(first), _one_category(first[0]))
    return observed, expected, _kappa(table, first, second)


def agreements(decisions: Sequence[Decision]) -> tuple[Agreement, ...]:
    """Compare every two reviewers on every scale, by their decisions in force.

    Two decisions are compared when they are about the same pair and the same texts.
    """
    verdicts = _by_reviewer(decisions)
    compared = []
    for one, other in combinations(sorted(verdicts), 2):
        both = sorted(verdicts[one].keys() & verdicts[other].keys(), key=str)
        for scale in SCALES:
            first = [_on(scale, verdicts[one][place].verdict) for place in both]
            second = [_on(scale, verdicts[other][place].verdict) for place in both]
            compared.append(Agreement(one, other, scale, *cohens_kappa(first, second)))
    return tuple(compared)


def disagreements(decisions: Sequence[Decision]) -> tuple[Disagreement, ...]:
    """Return the pairs whose decisions in force differ, in the order of the record."""
    judged: dict[tuple[PairKey, str], list[Decision]] = {}
    for decision in in_force(decisions):
        judged.setdefault((decision.key, decision.text_sha256), []).append(decision)
    return tuple(
        Disagreement(key, tuple(sorted(found, key=lambda decision: decision.reviewer)))
        for (key, _), found in judged.items()
        if len({decision.verdict for decision in found}) > 1
    )


def _table(
    first: Sequence[str], second: Sequence[str]
) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    used = sorted({*first, *second})
    table = np.zeros((len(used), len(used)))
    for one, other in zip(first, second, strict=True):
        table[used.index(one), used.index(other)] += 1
    return table


def _kappa(
    table: "np.ndarray[tuple[int, int], np.dtype[np.float64]]",
    first: Sequence[str],
    second: Sequence[str],
) -> Estimate:
    from statsmodels.stats.inter_rater import cohens_kappa as fitted_kappa

    n = len(first)
    if list(first) == list(second):
        return _estimate(1.0, nan, n, "full agreement: the large-sample standard error is 0")
    if len({*first}) == 1 or len({*second}) == 1:
        return _estimate(0.0, nan, n, "a reviewer gave one verdict only, so that kappa is 0")
    fitted = fitted_kappa(table)
    kappa, variance = float(fitted.kappa), float(fitted.var_kappa)
    if variance < _ZERO_VARIANCE:
        return _estimate(kappa, nan, n, "the large-sample standard error is 0")
    return _estimate(kappa, sqrt(variance), n, None)


def _estimate(kappa: float, se: float, n: int, reason: str | None) -> Estimate:
    half = _NORMAL_QUANTILE * se
    return Estimate(
        estimate=kappa,
        low=max(kappa - half, -1.0) if half == half else nan,
        high=min(kappa + half, 1.0) if half == half else nan,
        p_value=nan,
        n=n,
        status="ok" if reason is None else "not_estimable",
        reason=reason,
        method=METHOD,
        se=se,
    )


def _one_category(category: str) -> str:
    return f"both gave every pair {category!r}; kappa is not defined"


def _by_reviewer(
    decisions: Sequence[Decision],
) -> dict[str, dict[tuple[PairKey, str], Decision]]:
    found: dict[str, dict[tuple[PairKey, str], Decision]] = {}
    for decision in in_force(decisions):
        place = decision.key, decision.text_sha256
        found.setdefault(decision.reviewer, {})[place] = decision
    return found


def _on(scale: Scale, verdict: HumanVerdict) -> str:
    return verdict if scale == "verdict" or verdict == VERDICTS[0] else "not accept"
