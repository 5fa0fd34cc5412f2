"""The main effects of all studies side by side."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from isogloss.report.cells import words
from isogloss.report.designs import design_of
from isogloss.report.figures import point
from isogloss.report.forest import Axis, Group, Line, forest
from isogloss.report.layout import Layout, one_table
from isogloss.report.markdown import Column, escape, slug
from isogloss.report.results import Results
from isogloss.report.tables import ADJUSTED, CONTRAST, DIFFERS, LOST, MODE, MODEL, SUBSET, VERDICT
from isogloss.validate.table import rows_of

KEYS = (
    CONTRAST,
    (Column("Asked as and about", words("about")), "about"),
    MODE,
    SUBSET,
    MODEL,
)


def overview_table(everything: Sequence[Results]) -> str:
    """Every study's differences under its baseline condition, in a table for each item set."""
    tables = [table for results in everything for table in _of_study(results)]
    return "\n".join(tables) or "*Nothing of this kind was recorded.*\n"


def _of_study(results: Results) -> list[str]:
    layout = Layout(
        "overview",
        "Difference between guises under the baseline condition",
        KEYS,
        (DIFFERS, VERDICT, ADJUSTED, Column("Pairs", words("compared"), "right"), LOST),
        note=f"Scale: {_scale(results)}.",
    )
    return [
        one_table(
            part,
            layout,
            f"study {escape(results.study)}, item set {escape(str(name))}",
            f"tbl-{slug(f'overview {results.study} {name}')}",
        )
        for name, part in design_of(results).headlines(results).groupby("item_set", sort=True)
    ]


def _scale(results: Results) -> str:
    scale = results.plan.scale
    return results.of_plan(f"{scale[0]} to {scale[-1]}", "scale")


def overview_figure(everything: Sequence[Results]) -> Figure:
    """Difference between guises under the baseline condition: every study and model."""
    groups: list[Group] = []
    names: list[str] = []
    for results in everything:
        contrasts = [contrast.name for contrast in results.plan.contrasts]
        series = {name: len(names) + place for place, name in enumerate(contrasts)}
        names += contrasts
        frame = design_of(results).headlines(results)
        groups += [
            Group(
                f"{results.study}: {place}",
                _lines(part, series),
                bound=results.plan.smallest_effect,
            )
            for place, part in frame.groupby("place", sort=True)
        ]
    label = "rated lower  ←  difference in points of the study’s scale  →  rated higher"
    return forest(groups, Axis(label, 0.0, tuple(names)))


def _lines(part: pd.DataFrame, series: dict[str, int]) -> tuple[Line, ...]:
    return tuple(
        Line(str(label), tuple(point(row, series[row["contrast"]]) for row in rows_of(rows)))
        for label, rows in part.groupby("line", sort=False)
    )
