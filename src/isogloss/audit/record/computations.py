"""Stage S3 as one table: a row for each role, grouping, group and threshold."""

import csv
import io
from collections.abc import Iterator
from math import isfinite
from typing import Any

from isogloss.audit.selection_results import (
    CurvePoint,
    GroupingSelection,
    GroupSelection,
    Selection,
)

COLUMNS = (
    "role",
    "grouping",
    "group",
    "threshold",
    "audited",
    "total",
    "selected",
    "missing",
    "rate",
    "rate_low",
    "rate_high",
    "ratio",
    "ratio_low",
    "ratio_high",
    "ratio_clustered_low",
    "ratio_clustered_high",
    "flagged",
    "reference",
    "fisher_p",
    "fisher_p_adjusted",
    "standard_deviations",
    "pooled_p",
    "pooled_p_adjusted",
    "go_by",
    "paired_p",
    "paired_p_adjusted",
    "expected_rate",
    "expected_ratio",
    "status",
    "reason",
)
"""Columns of `computations.csv`; intervals and tests stand in the rows of the audited threshold."""


def computations(selection: Selection) -> str:
    """Return the table as CSV; a number that is undefined, or has no place in a row, is empty."""
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for grouping in selection.groupings:
        for row in _rows(grouping):
            writer.writerow({name: _cell(value) for name, value in row.items()})
    return stream.getvalue()


def _rows(one: GroupingSelection) -> Iterator[dict[str, Any]]:
    groups = {group.group: group for group in one.groups}
    for point in one.curve:
        row = _point(one, point)
        if point.threshold == one.threshold:
            row |= _audited(groups[point.group], one.reference)
        yield row
    for point in one.baseline_curve:
        row = _point(one, point)
        if point.threshold == one.threshold and one.baseline is not None:
            rate = one.baseline.rate
            row |= {"missing": one.baseline.n_missing, "rate_low": rate.low, "rate_high": rate.high}
            row |= {"expected_rate": one.baseline.expected_rate}
        yield row


def _point(one: GroupingSelection, point: CurvePoint) -> dict[str, Any]:
    return {
        "role": one.role,
        "grouping": one.grouping,
        "group": point.group,
        "threshold": point.threshold,
        "audited": point.threshold == one.threshold,
        "total": point.total,
        "selected": point.selected,
        "rate": point.rate,
        "ratio": point.ratio,
        "flagged": point.flagged,
    }


def _audited(group: GroupSelection, reference: str | None) -> dict[str, Any]:
    impact, rates = group.impact, group.rates
    row: dict[str, Any] = {
        "missing": rates.n_missing,
        "rate_low": rates.rate.low,
        "rate_high": rates.rate.high,
        "ratio": impact.ratio,
        "ratio_low": impact.low,
        "ratio_high": impact.high,
        "ratio_clustered_low": group.clustered.low,
        "ratio_clustered_high": group.clustered.high,
        "flagged": impact.flagged,
        "reference": reference,
        "expected_rate": rates.expected_rate,
        "expected_ratio": group.expected.estimate,
        "status": impact.status,
        "reason": impact.reason,
    }
    if group.test is not None:
        row |= {
            "fisher_p": group.test.fisher.p_value,
            "fisher_p_adjusted": group.test.fisher_adjusted,
            "standard_deviations": group.test.pooled.estimate,
            "pooled_p": group.test.pooled.p_value,
            "pooled_p_adjusted": group.test.pooled_adjusted,
            "go_by": group.test.go_by,
        }
    if group.paired is not None:
        row |= {
            "paired_p": group.paired.difference.p_value,
            "paired_p_adjusted": group.paired.p_adjusted,
        }
    return row


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and not isfinite(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)
