"""Figure of an audit: selection rates of groups at every threshold."""

from collections.abc import Sequence
from math import isnan
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import PercentFormatter

from isogloss.audit.selection_results import CurvePoint, GroupingSelection
from isogloss.report.figure_style import (
    BAND,
    INK,
    MARKERS,
    MUTED,
    PANEL,
    RULE,
    SERIES,
    WIDTH,
    empty_figure,
    short,
    styled,
)
from isogloss.stats.selection import FOUR_FIFTHS

DASHES = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)), (0, (9, 3)))
"""Lines of groups beside `MARKERS`; five and six make thirty pairs that differ without colour."""

PLOT = 2.7
"""Height of the plot in inches."""

ABOVE, BELOW = 0.35, 0.55
"""Room above and below the plot, in inches, for the chosen threshold and the axis."""

LEGEND_LINE = 0.2
"""Height of a line of the legend, in inches."""

COLUMNS = 2
"""Columns of the legend."""

SPREAD = 0.5
"""Width over which the groups' points at one threshold are spread, so that equal rates are seen."""


def curve_figure(found: GroupingSelection) -> Figure:
    """Draw the selection rate of each group at each threshold from 1 to 10.

    Each group has a marker and dashes of its own beside its colour. At each threshold, the shaded
    region lies below four fifths of the highest rate: a group inside it would be flagged there. A
    vertical line marks the threshold that was chosen. The baseline has crosses and takes no part.
    Points are spread a little sideways. A group without a value is named in the legend only.
    """
    groups = list(dict.fromkeys(point.group for point in found.curve))
    with styled():
        if not any(point.total for point in found.curve):
            return empty_figure()
        handles = _handles(found, groups)
        legend = 0.1 + LEGEND_LINE * -(-len(handles) // COLUMNS)
        height = ABOVE + PLOT + BELOW + legend
        figure = Figure(figsize=(WIDTH, height))
        place = (0.7 / WIDTH, (BELOW + legend) / height, 1 - 0.9 / WIDTH, PLOT / height)
        axes = figure.add_axes(place)
        _draw_ground(axes, found)
        _draw_curves(axes, found, groups)
        corner = (0.6 / WIDTH, 0.0)
        figure.legend(handles=handles, loc="lower left", ncols=COLUMNS, bbox_to_anchor=corner)
    return figure


def asked_for(curve: Sequence[CurvePoint]) -> list[tuple[int, float]]:
    """Thresholds, each with four fifths of the highest rate of a group there."""
    highest: dict[int, float] = {}
    for point in curve:
        if not isnan(point.rate):
            highest[point.threshold] = max(point.rate, highest.get(point.threshold, 0.0))
    return [(threshold, float(FOUR_FIFTHS) * rate) for threshold, rate in sorted(highest.items())]


def _draw_ground(axes: Axes, found: GroupingSelection) -> None:
    for threshold, rate in asked_for(found.curve):
        across_one = [threshold - 0.5, threshold + 0.5]
        axes.fill_between(across_one, rate, color=BAND, linewidth=0, zorder=0)
        axes.plot(across_one, [rate, rate], color=MUTED, linewidth=0.9, zorder=1)
    axes.axvline(found.threshold, color=INK, linewidth=0.9, zorder=1)
    across = axes.get_xaxis_transform()
    label = f"threshold {found.threshold}"
    axes.text(found.threshold, 1.03, label, transform=across, ha="center", va="bottom", fontsize=8)
    axes.grid(axis="y", color=RULE, linewidth=0.6, zorder=0)
    axes.set_xlim(0.45, 10.55)
    axes.set_xticks(range(1, 11))
    axes.set_ylim(-0.04, 1.04)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("smallest score that counts as selected")
    axes.set_ylabel("selection rate")


def _draw_curves(axes: Axes, found: GroupingSelection, groups: Sequence[str]) -> None:
    _draw(axes, found.baseline_curve, 0.0, _baseline_look())
    for k, name in enumerate(groups):
        offset = SPREAD * ((k + 0.5) / len(groups) - 0.5)
        points = [point for point in found.curve if point.group == name]
        _draw(axes, points, offset, _look(k))


def _draw(axes: Axes, points: Sequence[CurvePoint], offset: float, look: dict[str, Any]) -> None:
    known = [point for point in points if not isnan(point.rate)]
    axes.plot([p.threshold + offset for p in known], [p.rate for p in known], **look)


def _handles(found: GroupingSelection, groups: Sequence[str]) -> list[Line2D | Patch]:
    without = {point.group for point in found.curve if not point.total}
    handles: list[Line2D | Patch] = [
        Line2D([], [], label=_label(name, name in without), **_look(k))
        for k, name in enumerate(groups)
    ]
    if found.baseline_curve:
        name = found.baseline_curve[0].group
        handles.append(Line2D([], [], label=f"{name} (not compared)", **_baseline_look()))
    asked = "below four fifths of the highest rate"
    return [*handles, Patch(facecolor=BAND, edgecolor=MUTED, linewidth=0.8, label=asked)]


def _label(group: str, without: bool) -> str:
    # A label that starts with an underscore would be left out of the legend.
    name = f"\u200b{group}" if group.startswith("_") else group
    return f"{short(name)}: no value" if without else short(name)


def _look(place: int) -> dict[str, Any]:
    colour = SERIES[place % len(SERIES)]
    return {
        "color": colour,
        "linestyle": DASHES[place % len(DASHES)],
        "linewidth": 1.3,
        "marker": MARKERS[place % len(MARKERS)],
        "markersize": 5.0,
        "markerfacecolor": PANEL if place % 2 else colour,
        "zorder": 3,
    }


def _baseline_look() -> dict[str, Any]:
    return {"color": MUTED, "linestyle": "", "marker": "x", "markersize": 5.0, "zorder": 2}
