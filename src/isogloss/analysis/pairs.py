"""Pairs of responses to the same item in two guises."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import Cell, cells
from isogloss.errors import ResponseError
from isogloss.score.responses import MISSING
from isogloss.studies.base import Contrast

Subset = Literal["all", "validated"]
"""`validated` keeps the pairs whose wording passed validation in both guises."""

KEY = ["item_id", "interview", "repeat"]
"""Columns that match a response in one guise with its counterpart in the other."""

UNPAIRED = "unpaired"


@dataclass(frozen=True)
class PairedCell:
    """The pairs of one contrast within one design cell.

    `pairs` has the columns `item_id, interview, repeat, guise, reference, difference, outcome,
    valid, subgroup`: the two values and `guise - reference` (NaN unless both exist) and what
    became of the pair, where `unpaired` means that one side was never asked.
    """

    cell: Cell
    contrast: Contrast
    subset: Subset
    pairs: pd.DataFrame


def pair_rows(
    rows: pd.DataFrame, contrast: Contrast, *, value: str = "expected", subgroup: str = "category"
) -> pd.DataFrame:
    """Match the rows of one design cell and task into pairs; see `PairedCell` for the columns.

    A pair with a missing side carries the first outcome in `MISSING` that either side has, so the
    count does not depend on which guise is called the reference.
    """
    sides = [_side(rows, guise, value, subgroup) for guise in (contrast.guise, contrast.reference)]
    both = sides[0].merge(sides[1], on=KEY, how="outer", suffixes=("_g", "_r"))
    ok = both["outcome_g"].eq("ok") & both["outcome_r"].eq("ok")
    pairs = both[KEY].copy()
    pairs["guise"] = both["value_g"].where(ok)
    pairs["reference"] = both["value_r"].where(ok)
    pairs["difference"] = pairs["guise"] - pairs["reference"]
    pairs["outcome"] = _pair_outcome(both["outcome_g"], both["outcome_r"])
    pairs["valid"] = both["valid_g"].eq(True) & both["valid_r"].eq(True)
    pairs["subgroup"] = both["subgroup_g"].fillna(both["subgroup_r"])
    return pairs.sort_values(KEY, ignore_index=True)


def _side(rows: pd.DataFrame, guise: str, value: str, subgroup: str) -> pd.DataFrame:
    side = rows.loc[rows["guise"] == guise]
    return side[KEY].assign(
        interview=side["interview"].fillna(-1).astype("int64"),
        value=side[value],
        outcome=side["outcome"],
        valid=side["valid_pair"],
        subgroup=side[subgroup],
    )


def _pair_outcome(guise: "pd.Series[str]", reference: "pd.Series[str]") -> "pd.Series[str]":
    absent = guise.isna() | reference.isna()
    choices = [guise.eq(name) | reference.eq(name) for name in MISSING]
    outcome = np.select([absent, *choices], [UNPAIRED, *MISSING], default="ok")
    return pd.Series(outcome, index=guise.index)


def paired_cells(
    rows: pd.DataFrame, plan: AnalysisPlan, task: str, *, value: str = "expected"
) -> list[PairedCell]:
    """Pair one task's rows for every design cell and contrast.

    A contrast is left out of a cell where one of its guises was never used. Subset `all` is always
    given; `validated` is given for all cells of an item set, mode and contrast as soon as one pair
    of them failed validation, and repeats `all` otherwise, so it is then left out.
    """
    of_task = rows.loc[rows["task"] == task]
    everything = [
        PairedCell(cell, contrast, "all", pairs)
        for contrast in plan.contrasts
        for cell, part in cells(of_task)
        if {contrast.guise, contrast.reference} <= set(part["guise"])
        for pairs in [pair_rows(part, contrast, value=value, subgroup=plan.subgroup)]
    ]
    return everything + list(_validated(everything))


def _block(paired: PairedCell) -> tuple[str, str, str]:
    return paired.cell.item_set, paired.cell.mode, paired.contrast.name


def _validated(everything: list[PairedCell]) -> Iterator[PairedCell]:
    partly = {_block(paired) for paired in everything if _any_invalid(paired.pairs)}
    for paired in everything:
        if _block(paired) in partly:
            valid = paired.pairs.loc[paired.pairs["valid"]].reset_index(drop=True)
            yield PairedCell(paired.cell, paired.contrast, "validated", valid)


def _any_invalid(pairs: pd.DataFrame) -> bool:
    return bool((~pairs["valid"] & pairs["outcome"].ne(UNPAIRED)).any())


def check_values(rows: pd.DataFrame, plan: AnalysisPlan) -> None:
    """Raise `ResponseError` where a rating or decision says `ok` and carries no value."""
    rated = rows["task"].isin([*plan.rated_tasks, plan.interview_task])
    empty = rows["outcome"].eq("ok") & (
        (rated & rows["expected"].isna())
        | (rows["task"].eq(plan.decision_task) & rows["modal"].isna())
    )
    if empty.any():
        row = rows.loc[empty, ["model", "item_set", "item_id", "guise", "condition", "task"]].iloc[
            0
        ]
        raise ResponseError(
            f"{int(empty.sum())} responses have outcome 'ok' and no value, first {row.to_dict()}; "
            "give the value or the outcome that explains its absence"
        )
