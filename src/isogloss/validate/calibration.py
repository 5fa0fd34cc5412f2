"""How well the checks tell good pairs from bad ones, measured on labelled pairs.

A check is positive when it fails a pair. `measure_checks` counts each check against the faults that
it is meant for, `measure_verdicts` counts the verdict (any check failed), `list_errors` names the
pairs that were judged wrongly. All three take the check table of the labelled pairs, whose
`item_id` is the `pair_id`.
"""

from collections.abc import Iterable, Sequence
from math import nan
from typing import Final

import numpy as np
import pandas as pd

from isogloss.errors import ItemError
from isogloss.stats.shares import share
from isogloss.validate.labelled import SPLITS, Labelled
from isogloss.validate.outcomes import NOT_JUDGED
from isogloss.validate.records import CHECK_NAMES, CheckName

CHECK_COUNTS: Final = (
    "pairs",
    "failed_meant",
    "failed_related",
    "failed_other",
    "failed_good",
    "missed",
    "passed",
    "not_judged",
)
CHECK_SHARES: Final = ("precision", "precision_any", "recall")
VERDICT_COUNTS: Final = ("good", "bad", "failed_good", "failed_bad", "failed_as_meant")
VERDICT_SHARES: Final = ("precision", "recall", "recall_as_meant", "false_alarms")

_ROLES: Final = ("meant", "related", "other", "good")
_NUMBERS: Final = ("", "_low", "_high")


def _of_shares(names: Iterable[str]) -> list[str]:
    return [f"{name}{end}" for name in names for end in (*_NUMBERS, "_reason")]


CHECK_MEASURES: Final = ["check", "split", *CHECK_COUNTS, *_of_shares(CHECK_SHARES)]
"""Columns of `measure_checks`."""
VERDICT_MEASURES: Final = ["part", "level", *VERDICT_COUNTS, *_of_shares(VERDICT_SHARES)]
"""Columns of `measure_verdicts`."""
ERROR_COLUMNS: Final = [
    "pair_id",
    "guise",
    "split",
    "label",
    "fault",
    "outcome",
    "failed_checks",
    "reason",
]
"""Columns of `list_errors`."""


def measure_checks(checks: pd.DataFrame, labelled: Labelled) -> pd.DataFrame:
    """Measure every check on all pairs and on each split; see `CHECK_MEASURES`.

    Counts of the pairs that a check judged: failed_meant (bad in a way it is meant for: true
    positives), failed_related, failed_other (bad in another way), failed_good, missed (passed in
    spite of a fault it is meant for: false negatives) and passed; they add up to `pairs`.
    not_judged counts pairs with such a fault that the check did not judge.

    precision = (failed_meant + failed_related) / failed, precision_any = failed bad / failed,
    recall = failed_meant / (failed_meant + missed), each with its 95 % Wilson interval. A share of
    nothing is NaN, and its `_reason` says why. Raises `ItemError` when the check table is not one
    of these pairs.
    """
    judged = _judged(checks, labelled)
    rows = [
        _measure_check(name, split, part)
        for name in CHECK_NAMES
        for split, part in _splits(_with_pairs(name, judged, labelled))
    ]
    return pd.DataFrame(rows, columns=CHECK_MEASURES)


def measure_verdicts(checks: pd.DataFrame, labelled: Labelled) -> pd.DataFrame:
    """Measure the whole verdict on all pairs, and by split, guise and fault; `VERDICT_MEASURES`.

    precision = failed_bad / failed, recall = failed_bad / bad, recall_as_meant = failed_as_meant
    / bad (failed by a check that is meant for the fault), false_alarms = failed_good / good. A part
    with pairs of one label only has no precision: it would be 0 or 1 whatever the checks do.
    Raises `ItemError` when the check table is not one of these pairs.
    """
    outcomes = _outcomes(checks, labelled)
    parts = [("all", "all", outcomes)]
    for part in ("split", "guise", "fault"):
        groups = outcomes[outcomes[part] != ""].groupby(part, sort=False)
        parts += [(part, str(level), group) for level, group in groups]
    rows = [_measure_verdict(*part) for part in parts]
    return pd.DataFrame(rows, columns=VERDICT_MEASURES)


def list_errors(checks: pd.DataFrame, labelled: Labelled) -> pd.DataFrame:
    """List the pairs that were judged wrongly, in the order of the pairs; see `ERROR_COLUMNS`.

    outcome: `missed` (a bad pair that passed), `other reason` (a bad pair that failed, but by no
    check that is meant for its fault or related to it), `false alarm` (a good pair that failed).
    """
    outcomes = _outcomes(checks, labelled)
    bad, failed = outcomes["label"] == "bad", outcomes["failed"]
    named = np.select(
        [bad & ~failed, bad & ~outcomes["explained"], ~bad & failed],
        ["missed", "other reason", "false alarm"],
        default="",
    )
    listed = outcomes.assign(outcome=named)
    return listed.loc[listed["outcome"] != "", ERROR_COLUMNS].reset_index(drop=True)


def _judged(checks: pd.DataFrame, labelled: Labelled) -> pd.DataFrame:
    """Return the rows that could fail, with label, fault and role (what the fault is to it)."""
    _same_pairs(checks, labelled)
    rows = checks.loc[checks["threshold"] != NOT_JUDGED, ["item_id", "check", "passed", "reason"]]
    joined = rows.merge(labelled.pairs, left_on="item_id", right_on="pair_id", validate="m:1")
    pairs = zip(joined["fault"], joined["check"], strict=True)
    return joined.assign(role=[_role(fault, check, labelled) for fault, check in pairs])


def _same_pairs(checks: pd.DataFrame, labelled: Labelled) -> None:
    ids = labelled.pairs["pair_id"]
    unknown, unseen = set(checks["item_id"]) - set(ids), set(ids) - set(checks["item_id"])
    if unknown:
        raise ItemError(f"checks name pair {min(unknown)!r}, which is not labelled; validate again")
    if unseen:
        raise ItemError(f"pair {min(unseen)!r} has not been checked; validate the pairs again")
    twice = checks.duplicated(["item_id", "check"])
    if twice.any():
        row = checks.loc[twice].iloc[0]
        raise ItemError(f"pair {row['item_id']!r} has check {row['check']} twice; validate again")


def _role(fault: str, check: str, labelled: Labelled) -> str:
    if not fault:
        return "good"
    found = labelled.faults[fault]
    if check in found.checks:
        return "meant"
    return "related" if check in found.related else "other"


def _with_pairs(name: CheckName, judged: pd.DataFrame, labelled: Labelled) -> pd.DataFrame:
    """Return every pair with its role for one check; `passed` is NaN where it did not judge."""
    passed = judged.loc[judged["check"] == name].set_index("pair_id")["passed"].astype(float)
    pairs = labelled.pairs
    roles = [_role(fault, name, labelled) for fault in pairs["fault"]]
    return pairs.assign(role=roles, passed=pairs["pair_id"].map(passed))


def _splits(pairs: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    return [("all", pairs), *((split, pairs[pairs["split"] == split]) for split in SPLITS)]


def _measure_check(name: CheckName, split: str, pairs: pd.DataFrame) -> dict[str, object]:
    failed, passed = pairs["passed"] == 0, pairs["passed"] == 1
    count = {role: int((pairs["role"] == role)[failed].sum()) for role in _ROLES}
    meant = pairs["role"] == "meant"
    missed, unseen = int((meant & passed).sum()), int((meant & pairs["passed"].isna()).sum())
    total, bad = sum(count.values()), sum(count.values()) - count["good"]
    counts = {
        "pairs": int(pairs["passed"].notna().sum()),
        **{f"failed_{role}": count[role] for role in _ROLES},
        "missed": missed,
        "passed": int(passed.sum()) - missed,
        "not_judged": unseen,
    }
    none_failed = "it judged no pair" if counts["pairs"] == 0 else "it failed no pair"
    return {
        "check": name,
        "split": split,
        **counts,
        **_share("precision", count["meant"] + count["related"], total, none_failed),
        **_share("precision_any", bad, total, none_failed),
        **_share("recall", count["meant"], count["meant"] + missed, _no_recall(unseen)),
    }


def _no_recall(unseen: int) -> str:
    if unseen:
        return f"it judged none of the {unseen} pairs with a fault that it is meant for"
    return "no pair has a fault that it is meant for"


def _outcomes(checks: pd.DataFrame, labelled: Labelled) -> pd.DataFrame:
    """Return the pairs with failed, as_meant, explained, failed_checks and reason."""
    judged = _judged(checks, labelled)
    failures = judged[~judged["passed"]]
    meant = set(failures.loc[failures["role"] == "meant", "pair_id"])
    related = set(failures.loc[failures["role"] == "related", "pair_id"])
    grouped = failures.groupby("pair_id")
    names, reasons = grouped["check"].agg(", ".join), grouped["reason"].agg("; ".join)
    ids = labelled.pairs["pair_id"]
    return labelled.pairs.assign(
        failed=ids.isin(failures["pair_id"]),
        as_meant=ids.isin(meant),
        explained=ids.isin(meant | related),
        failed_checks=ids.map(names).fillna(""),
        reason=ids.map(reasons).fillna(""),
    )


def _measure_verdict(part: str, level: str, pairs: pd.DataFrame) -> dict[str, object]:
    bad = pairs["label"] == "bad"
    failed = pairs["failed"]
    n_bad, n_good = int(bad.sum()), int((~bad).sum())
    caught, alarms = int((bad & failed).sum()), int((~bad & failed).sum())
    as_meant = int(pairs["as_meant"].sum())
    mixed = bool(n_bad and n_good)
    one_label = "no pair was failed" if mixed else "the part has pairs of one label only"
    return {
        "part": part,
        "level": level,
        **dict(zip(VERDICT_COUNTS, (n_good, n_bad, alarms, caught, as_meant), strict=True)),
        **_share("precision", caught * mixed, (caught + alarms) * mixed, one_label),
        **_share("recall", caught, n_bad, "no bad pair"),
        **_share("recall_as_meant", as_meant, n_bad, "no bad pair"),
        **_share("false_alarms", alarms, n_good, "no good pair"),
    }


def _share(name: str, successes: int, n: int, empty: str) -> dict[str, float | str]:
    """Return a share with its interval by column name; NaN with a reason where n is 0."""
    values: Sequence[float] = (nan, nan, nan)
    if n:
        found = share(successes, n)
        values = (found.estimate, found.low, found.high)
    measured = {f"{name}{end}": value for end, value in zip(_NUMBERS, values, strict=True)}
    return {**measured, f"{name}_reason": "" if n else empty}
