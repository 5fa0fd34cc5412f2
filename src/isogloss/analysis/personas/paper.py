"""The published analysis' own tests, beside the paired ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import isnan, nan
from typing import Literal

import pandas as pd

from isogloss.analysis.families import Adjusted, adjusted_tests, family_name
from isogloss.analysis.pairs import Subset
from isogloss.analysis.personas.blocks import Block, Corner, Group, groups
from isogloss.analysis.personas.language import comparison_order
from isogloss.analysis.personas.records import ALL_MODELS, PersonaCell, persona_design
from isogloss.analysis.personas.sides import Between, Sides, sides
from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import MissingCounts, in_order, missing_counts, table
from isogloss.stats.results import Estimate, Status
from isogloss.stats.tests import mann_whitney

NAME = "the paper's test: rows as if independent"

Analysis = Literal["raw", "model_centred", "per_model"]
"""`raw` and `model_centred` pool the models; the latter takes each model's own mean away first."""

ANALYSES: tuple[Analysis, ...] = ("raw", "model_centred", "per_model")

DECIMALS = 9
"""Decimals to which centred scores are rounded: rounding errors must not break ties."""


@dataclass(frozen=True)
class PersonaPaperRow:
    """One row of `paper_tests.csv`: a Mann-Whitney U test of two groups of responses."""

    cell: PersonaCell
    subset: Subset
    analysis: Analysis
    between: Between
    measure: str
    """Which number of a response the scores are."""
    n1: int
    """Responses with a score of the persona in the guise."""
    n2: int
    """Responses with a score of the reference."""
    mean1: float
    """Mean score; of centred scores in `model_centred`."""
    mean2: float
    difference: float
    """`mean1 - mean2`."""
    u: float
    """Pairs of responses in which the reference's is higher, ties counting half."""
    r: float
    """Rank-biserial r = 1 - 2 u / (n1 n2): positive where the reference scores lower."""
    low: float
    """Of the interval of `r`."""
    high: float
    p_value: float
    p_bonferroni: float
    """`p_value` times `family_size`, at most 1."""
    family: str
    family_size: int
    missing: MissingCounts
    """Responses of both groups without a score."""
    status: Status
    reason: str | None
    method: str


@dataclass(frozen=True)
class _Test:
    block: Block
    subset: Subset
    analysis: Analysis
    sides: Sides
    scores: tuple["pd.Series[float]", "pd.Series[float]"]
    missing: MissingCounts
    result: Estimate

    @property
    def p_value(self) -> float:
        return self.result.p_value

    @property
    def family(self) -> str:
        cell = self.block.cell
        model = (cell.model,) if self.analysis == "per_model" else ()
        comparison, held, group = self.sides.comparison, self.sides.held, self.sides.group.name
        parts = (cell.item_set, cell.role, cell.condition, cell.mode, self.subset, group)
        return family_name("paper", comparison, self.analysis, held, *parts, *model)


def paper_tests(blocks: list[Block], plan: AnalysisPlan) -> pd.DataFrame:
    """Repeat the paper's Mann-Whitney U tests: guises within a persona, personas within a guise.

    Responses count as independent although models and items give several and, in paired item sets,
    both groups: which is why these are not the project's own tests. Each test is made on the scores
    of all models, on these centred on the model's own mean over the family's personas in the block,
    and per model. Bonferroni's correction is over the personas of one family in one item set,
    role, condition, mode and analysis. Columns: `PersonaPaperRow`.
    """
    tests = [test for block in blocks for test in _tests(block, plan)]
    records = [_row(test, family) for test, family in adjusted_tests(tests, "bonferroni")]
    order = {k: v for k, v in comparison_order(plan).items() if k != "contrast"}
    first = {"analysis": ANALYSES, "comparison": ("language", "persona")}
    return in_order(table(PersonaPaperRow, records), first | order)


def _tests(block: Block, plan: AnalysisPlan) -> Iterator[_Test]:
    pooled: tuple[Analysis, ...] = ("raw", "model_centred")
    analyses = pooled if block.cell.model == ALL_MODELS else ("per_model",)
    everyone = groups(persona_design(plan))
    for analysis, subset, group in product(analyses, block.subsets, everyone):
        rows = _scored(block, group, analysis)
        for two in sides(block, group, plan):
            parts = _parts(rows, two.first, two.second, subset)
            scores = parts[0]["score"].dropna(), parts[1]["score"].dropna()
            yield _Test(
                block=block,
                subset=subset,
                analysis=analysis,
                sides=two,
                scores=scores,
                missing=missing_counts(pd.concat([part["outcome"] for part in parts])),
                # r is positive when the second argument is larger.
                result=mann_whitney(scores[1], scores[0], alpha=plan.alpha),
            )


def _scored(block: Block, group: Group, analysis: Analysis) -> pd.DataFrame:
    rows = block.rows.loc[block.rows["persona"].isin(group.personas)]
    score = rows["expected"].where(rows["outcome"].eq("ok")).astype("float64")
    if analysis == "model_centred":
        score = (score - score.groupby(rows["model"]).transform("mean")).round(DECIMALS)
    return rows.assign(score=score)


def _parts(
    rows: pd.DataFrame, first: Corner, second: Corner, subset: Subset
) -> tuple[pd.DataFrame, pd.DataFrame]:
    masks = [rows["guise"].eq(s.guise) & rows["persona"].eq(s.persona) for s in (first, second)]
    parts = [rows.loc[mask] for mask in masks]
    if subset == "validated":
        both = pd.concat(parts)
        failed = both.loc[~both["valid_pair"].astype(bool), "item_id"]
        parts = [part.loc[~part["item_id"].isin(failed)] for part in parts]
    return parts[0], parts[1]


def _row(test: _Test, adjusted: Adjusted) -> PersonaPaperRow:
    (first, second), result = test.scores, test.result
    means = [float(scores.mean()) if len(scores) else nan for scores in test.scores]
    return PersonaPaperRow(
        cell=test.block.cell,
        subset=test.subset,
        analysis=test.analysis,
        between=test.sides.columns,
        measure=test.block.measure,
        n1=len(first),
        n2=len(second),
        mean1=means[0],
        mean2=means[1],
        difference=means[0] - means[1],
        u=_u(result.estimate, len(first) * len(second)),
        r=result.estimate,
        low=result.low,
        high=result.high,
        p_value=result.p_value,
        p_bonferroni=adjusted.p_adjusted,
        family=adjusted.family,
        family_size=adjusted.family_size,
        missing=test.missing,
        status=result.status,
        reason=result.reason,
        method=f"{result.method} ({NAME})",
    )


def _u(r: float, pairs: int) -> float:
    """Take U back from r = 1 - 2 U / pairs; U is a multiple of one half, r has been rounded."""
    return nan if isnan(r) else round((1 - r) * pairs) / 2
