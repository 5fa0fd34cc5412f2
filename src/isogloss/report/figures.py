"""The report's figures, made from result tables."""

from collections.abc import Sequence
from math import isnan

import pandas as pd
from matplotlib.figure import Figure

from isogloss.analysis.effects import EVERY_ITEM
from isogloss.report.forest import Axis, Fill, Line, Point, forest
from isogloss.report.forest import Group as ForestGroup
from isogloss.report.provenance import Record
from isogloss.report.results import (
    Results,
    main_subset,
    place_names,
    whole_effects,
)
from isogloss.report.stacked import Bar, stacked
from isogloss.report.stacked import Group as BarGroup
from isogloss.validate.table import rows_of

FILLS: dict[str, Fill] = {
    "different": "solid",
    "different_but_negligible": "solid",
    "equivalent": "hollow",
}
"""Fill of a point by its verdict; others are `pale`."""

DIFFERENCE = "Difference in rating points, guise minus reference"


def distributions_figure(results: Results) -> Figure:
    """Share of each rating by guise, per model, under the baseline condition."""
    frame = results.tables["distributions"]
    groups = _bar_groups(
        frame.loc[frame["condition"] == results.plan.baseline], results.plan.scale, "rating"
    )
    return stacked(groups, [f"rating {value}" for value in results.plan.scale])


def decisions_figure(results: Results) -> Figure:
    """Share of each decision by guise, per model, under the baseline condition."""
    frame = results.tables["decisions"]
    kept = (frame["condition"] == results.plan.baseline) & (frame["source"] == "model")
    groups = _bar_groups(frame.loc[kept], results.plan.decisions, "decision")
    return stacked(groups, results.plan.decisions)


def effects_figure(results: Results) -> Figure:
    """Difference between guises per model and condition, with the equivalence band."""
    frame = whole_effects(results)
    groups = [
        ForestGroup(str(place), _lines(part, ["model", "condition"], results))
        for place, part in frame.groupby(place_names(frame), sort=True)
    ]
    return forest(groups, contrast_axis(results))


def subgroups_figure(results: Results) -> Figure:
    """Difference between guises per subgroup of items, under the baseline condition."""
    frame = main_subset(results.tables["effects"])
    kept = (frame["condition"] == results.plan.baseline) & (frame["subgroup"] != EVERY_ITEM)
    groups = [
        ForestGroup(
            f"{part['model'].iloc[0]}, {_place_title(part)}", _lines(part, ["subgroup"], results)
        )
        for _, part in frame.loc[kept].groupby(["item_set", "mode", "model"], sort=True)
    ]
    return forest(groups, contrast_axis(results))


def contrast_axis(results: Results) -> Axis:
    """Return the axis of differences between guises, whose series are contrasts."""
    names = tuple(contrast.name for contrast in results.plan.contrasts)
    return Axis(DIFFERENCE, results.plan.smallest_effect, names)


def _place_title(part: pd.DataFrame) -> str:
    return f"{part['item_set'].iloc[0]} items, {part['mode'].iloc[0]}"


def _lines(part: pd.DataFrame, keys: list[str], results: Results) -> tuple[Line, ...]:
    series = {c.name: k for k, c in enumerate(results.plan.contrasts)}
    shown = [key for key in keys if key == keys[0] or part[key].nunique() > 1]
    return tuple(
        Line(
            ", ".join(str(rows[key].iloc[0]) for key in shown),
            tuple(point(row, series[row["contrast"]]) for row in rows_of(rows)),
        )
        for _, rows in part.groupby(keys, sort=False)
    )


def point(row: Record, series: int) -> Point:
    """Return the point of a tested difference, filled by its verdict."""
    fill = FILLS.get(row["verdict"], "pale")
    return Point(row["estimate"], row["low"], row["high"], series, fill)


def _bar_groups(frame: pd.DataFrame, steps: Sequence[object], column: str) -> list[BarGroup]:
    return [
        BarGroup(
            f"{part['model'].iloc[0]}, {_place_title(part)}",
            tuple(
                bar(str(guise), of_guise, steps, column)
                for guise, of_guise in part.groupby("guise", sort=False)
            ),
        )
        for _, part in frame.groupby(["item_set", "mode", "model"], sort=True)
    ]


def bar(label: str, rows: pd.DataFrame, steps: Sequence[object], column: str) -> Bar:
    """Return the bar of the shares that rows give for each step of a column."""
    shares = {row[column]: float(row["share"]) for row in rows_of(rows)}
    values = tuple(shares.get(step, 0.0) for step in steps)
    undefined = any(isnan(value) for value in values)
    return Bar(label, values, "not estimable" if undefined else "")
