"""What validation measured and what it excluded."""

from dataclasses import dataclass
from math import nan
from typing import cast

import pandas as pd

from isogloss.analysis.records import table
from isogloss.validate.summary import summarise_checks

VERDICT = "verdict"
"""Value of `check` in the row about all checks of a contrast together."""


@dataclass(frozen=True)
class ExclusionRow:
    """One row of `exclusions.csv`: a pair of texts that failed validation."""

    item_set: str
    item_id: str
    contrast: str
    failed_checks: str
    """Names of the checks the pair failed, separated by `; `."""
    reason: str


@dataclass(frozen=True)
class ValidationRow:
    """One row of `validation_summary.csv`: one check, or the verdict, over a contrast's pairs."""

    item_set: str
    contrast: str
    check: str
    threshold: str
    pairs: int
    """Pairs checked."""
    failed: int
    not_judged: int
    """Pairs whose value is held to nothing: the guise moves it, or there was too little text."""
    not_measured: int
    """Pairs that failed because nothing could be measured."""
    failed_alone: int
    """Pairs that only this check excludes."""
    repaired: int
    """Pairs in which a fault was found and removed."""
    median: float
    """Of the measured values; NaN for a check that measures nothing."""


def exclusions(checks: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """List every pair whose verdict is not valid, with its reason and failed checks.

    `checks` and `verdicts` are the validation tables with a column `item_set`.
    """
    failed = checks.loc[~checks["passed"].astype(bool)]
    names = {
        cast(tuple[str, str, str], key): "; ".join(dict.fromkeys(part["check"]))
        for key, part in failed.groupby(["item_set", "item_id", "contrast"], sort=True)
    }
    rejected = verdicts.loc[~verdicts["valid"].astype(bool)]
    fields = rejected[["item_set", "item_id", "contrast", "reason"]].fillna("").astype(str)
    records = [
        ExclusionRow(item_set, item_id, contrast, names.get((item_set, item_id, contrast), ""), why)
        for item_set, item_id, contrast, why in fields.itertuples(index=False, name=None)
    ]
    frame = table(ExclusionRow, records)
    return frame.sort_values(["item_set", "contrast", "item_id"], ignore_index=True)


def validation_summary(checks: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Sum up the checks and the verdicts of each item set and contrast.

    `checks` and `verdicts` are the validation tables with a column `item_set`. Columns are those
    of `ValidationRow`; the row of a contrast's verdict comes first.
    """
    rows = [
        row
        for item_set, of_set in verdicts.groupby("item_set", sort=True)
        for contrast, part in of_set.groupby("contrast", sort=True)
        for row in (
            _verdict_row(str(item_set), str(contrast), part),
            *_check_rows(str(item_set), str(contrast), checks),
        )
    ]
    return table(ValidationRow, rows)


def _verdict_row(item_set: str, contrast: str, part: pd.DataFrame) -> ValidationRow:
    failed = int((~part["valid"].astype(bool)).sum())
    return ValidationRow(item_set, contrast, VERDICT, "", len(part), failed, 0, 0, 0, 0, nan)


def _check_rows(item_set: str, contrast: str, checks: pd.DataFrame) -> list[ValidationRow]:
    mine = checks.loc[(checks["item_set"] == item_set) & (checks["contrast"] == contrast)]
    if mine.empty:
        return []
    return [
        ValidationRow(
            item_set=item_set,
            contrast=contrast,
            check=str(row["check"]),
            threshold=str(row["threshold"]),
            pairs=int(row["pairs"]),
            failed=int(row["failed"]),
            not_judged=int(row["not_judged"]),
            not_measured=int(row["not_measured"]),
            failed_alone=int(row["failed_alone"]),
            repaired=int(row["repaired"]),
            median=float(row["median"]),
        )
        for row in summarise_checks(mine).to_dict("records")
    ]
