"""How many pairs were excluded, by which check, and how much hangs on each threshold."""

import operator
from collections.abc import Callable, Sequence
from typing import Final

import pandas as pd

from isogloss.errors import ItemError
from isogloss.validate.outcomes import NOT_JUDGED
from isogloss.validate.records import CHECK_NAMES, CheckName

_OPERATORS: Final[dict[str, Callable[["pd.Series[float]", float], "pd.Series[bool]"]]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
}


def summarise_checks(checks: pd.DataFrame) -> pd.DataFrame:
    """Count the outcomes of each check of each contrast.

    Columns: contrast, check, threshold, pairs, failed, not_judged (pairs whose value is
    held to nothing: the guise moves it, or there was too little text), not_measured (failed without
    a value),
    failed_alone (pairs that fail no other check, so that would be valid without this one),
    repaired, median (of the values). Rows in the order of `CHECK_NAMES`.
    """
    failures = _failures(checks)
    marked = checks.assign(
        failed=~checks["passed"],
        not_judged=checks["threshold"] == NOT_JUDGED,
        not_measured=~checks["passed"] & checks["value"].isna(),
        failed_alone=~checks["passed"] & (failures == 1),
        order=checks["check"].map(CHECK_NAMES.index),
    )
    grouped = marked.groupby(["contrast", "order", "check"], sort=True)
    summary = grouped.agg(
        threshold=("threshold", _held_to),
        pairs=("item_id", "size"),
        failed=("failed", "sum"),
        not_judged=("not_judged", "sum"),
        not_measured=("not_measured", "sum"),
        failed_alone=("failed_alone", "sum"),
        repaired=("repaired", "sum"),
        median=("value", "median"),
    )
    return summary.reset_index().drop(columns="order")


def summarise_verdicts(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Count pairs, valid and excluded ones of each contrast."""
    grouped = verdicts.groupby("contrast")["valid"].agg(pairs="size", valid="sum").reset_index()
    return grouped.assign(excluded=grouped["pairs"] - grouped["valid"])


def threshold_sensitivity(
    checks: pd.DataFrame, contrast: str, check: CheckName, thresholds: Sequence[float]
) -> pd.DataFrame:
    """Say how many pairs would pass and be valid if one threshold stood elsewhere.

    Columns: threshold, passed (pairs that pass this check at the threshold), valid (those that
    pass all other checks as well). A value that was not measured passes at no threshold unless
    the check had let it pass. Raises `ItemError` when the contrast has no such check, or the check
    is held to a range.
    """
    mine = checks[checks["contrast"] == contrast]
    this = mine[mine["check"] == check].set_index("item_id")
    if this.empty:
        raise ItemError(f"contrast {contrast!r} has no check {check!r}")
    holds = _operator(_held_to(this["threshold"]))
    others = mine[mine["check"] != check].groupby("item_id")["passed"].all()
    rows = []
    for threshold in thresholds:
        spared = this["passed"] & (this["value"].isna() | (this["threshold"] == NOT_JUDGED))
        passed = holds(this["value"], threshold) | spared
        valid = passed & others.reindex(this.index, fill_value=True)
        rows.append((threshold, int(passed.sum()), int(valid.sum())))
    return pd.DataFrame(rows, columns=["threshold", "passed", "valid"])


def _held_to(thresholds: "pd.Series[str]") -> str:
    """What a check holds its pairs to, apart from those that it does not judge or measure."""
    judged = thresholds[~thresholds.isin(["", NOT_JUDGED])]
    return str(judged.max() if len(judged) else thresholds.max())


def _failures(checks: pd.DataFrame) -> "pd.Series[int]":
    """Return, for each row, the number of failed checks of its pair."""
    failed = (~checks["passed"]).astype(int)
    return failed.groupby([checks["contrast"], checks["item_id"]]).transform("sum")


def _operator(
    threshold: str,
) -> Callable[["pd.Series[float]", float], "pd.Series[bool]"]:
    sign, _, number = threshold.partition(" ")
    if sign not in _OPERATORS or not number:
        raise ItemError(f"a check held to {threshold!r} has no single threshold to move")
    return _OPERATORS[sign]
