"""Figures of a persona design, made from result tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pandas as pd
from matplotlib.figure import Figure

from isogloss.report.figures import bar, contrast_axis, point
from isogloss.report.forest import Axis, Line, forest
from isogloss.report.forest import Group as ForestGroup
from isogloss.report.persona_results import (
    at_baseline,
    crossed_personas,
    in_whole_modes,
    main_rows,
    place_title,
    pooled,
    without_crossed,
)
from isogloss.report.provenance import Record
from isogloss.report.results import Results
from isogloss.report.stacked import Group as BarGroup
from isogloss.report.stacked import stacked
from isogloss.validate.table import rows_of

GROUP = ["item_set", "role", "mode", "model"]


def persona_distributions_figure(results: Results) -> Figure:
    """Share of each score by persona and guise under the baseline condition, all models together.

    Personas with two attributes are left out.
    """
    frame = in_whole_modes(at_baseline(results.tables["distributions"], results), results)
    kept = pooled(frame.loc[~frame["persona"].isin(crossed_personas(results))])
    scale = results.plan.scale
    groups = [
        BarGroup(
            _title(part),
            tuple(
                bar(f"{persona}, {guise}", rows, scale, "rating")
                for (persona, guise), rows in part.groupby(["persona", "guise"], sort=False)
            ),
        )
        for _, part in kept.groupby(GROUP, sort=False)
    ]
    return stacked(groups, [f"score {scale[0]}", *map(str, scale[1:])])


def language_figure(results: Results) -> Figure:
    """Difference between guises by persona under the baseline condition, all models together."""
    frame = main_rows(results.tables["language_effects"], results)
    axis = contrast_axis(results)
    return forest(_groups(frame, _persona, "contrast", axis), axis)


def persona_gaps_figure(results: Results) -> Figure:
    """Difference between personas by guise under the baseline condition, all models together."""
    frame = main_rows(results.tables["persona_gaps"], results)
    guises = tuple(
        dict.fromkeys(name for c in results.plan.contrasts for name in (c.guise, c.reference))
    )
    label = "Difference in rating points, persona minus reference persona"
    axis = Axis(label, results.plan.smallest_effect, guises)
    return forest(_groups(frame, _versus("reference"), "guise", axis), axis)


def increments_figure(results: Results) -> Figure:
    """Increments by persona and baseline under the baseline condition, all models together."""
    frame = main_rows(results.tables["increments"], results)
    kept = without_crossed(frame, results)
    label = "Difference in differences in rating points, persona minus baseline persona"
    axis = replace(contrast_axis(results), label=label)
    return forest(_groups(kept, _versus("baseline"), "contrast", axis), axis)


def _groups(
    frame: pd.DataFrame, label: Callable[[Record], str], series: str, axis: Axis
) -> list[ForestGroup]:
    """Group rows by where they were measured, with a line for each label."""
    places = {name: place for place, name in enumerate(axis.names)}
    return [
        ForestGroup(_title(part), _lines(rows_of(part), label, series, places))
        for _, part in frame.groupby(GROUP, sort=False)
    ]


def _lines(
    rows: Sequence[Record], label: Callable[[Record], str], series: str, places: Mapping[str, int]
) -> tuple[Line, ...]:
    labels = dict.fromkeys(label(row) for row in rows)
    return tuple(
        Line(name, tuple(point(row, places[row[series]]) for row in rows if label(row) == name))
        for name in labels
    )


def _title(part: pd.DataFrame) -> str:
    row = rows_of(part)[0]
    return f"{place_title(row)}, {row['model']}"


def _persona(row: Record) -> str:
    return str(row["persona"])


def _versus(baseline: str) -> Callable[[Record], str]:
    return lambda row: f"{row['persona']} - {row[baseline]}"
