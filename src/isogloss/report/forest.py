"""Forest plots: estimates with intervals, one line for each, in titled groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, isnan
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from isogloss.report.figure_style import (
    BAND,
    INK,
    MARKERS,
    MUTED,
    PALE,
    PANEL,
    RULE,
    SERIES,
    WIDTH,
    draw_groups,
    empty_figure,
    plain_axes,
    styled,
)

Fill = Literal["solid", "hollow", "pale"]
"""`solid` for a difference, `hollow` for shown equivalence, `pale` for an open question."""

LINE = 0.27
"""Height of one line in inches."""

ABOVE, BELOW = 0.75, 0.62
"""Room above and below the lines, in inches, for legend and axis."""

LEGEND_LINE, LEGEND_COLUMNS = 0.22, 3
"""Height of a line of the legend in inches, and how many series it holds."""


@dataclass(frozen=True)
class Point:
    """One estimate; `series` says which colour and shape it has."""

    value: float
    low: float
    high: float
    series: int
    fill: Fill


@dataclass(frozen=True)
class Line:
    """One line of a plot, with the estimates of each series that it shows."""

    label: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Group:
    """Lines under one title."""

    title: str
    lines: tuple[Line, ...]
    bound: float | None = None
    """Half-width of the group's band around zero, where it is not that of the axis."""


@dataclass(frozen=True)
class Axis:
    """What the horizontal axis means."""

    label: str
    bound: float
    """Half-width of the shaded band around zero, of groups that have none of their own."""
    names: tuple[str, ...]
    """Names of the series."""


def forest(groups: Sequence[Group], axis: Axis) -> Figure:
    """Draw groups from top to bottom on one axis with the equivalence band around zero."""
    if not groups:
        with styled():
            return empty_figure()
    lines = sum(len(group.lines) + 1 for group in groups)
    above = ABOVE + LEGEND_LINE * (_legend_lines(axis) - 1)
    bounds = [axis.bound if group.bound is None else group.bound for group in groups]
    with styled():
        figure = Figure(figsize=(WIDTH, above + BELOW + LINE * lines))
        labels = [line.label for group in groups for line in group.lines]
        axes = plain_axes(figure, labels, above, BELOW)
        _draw_bands(axes, groups, bounds)
        _draw_ground(axes, lines)
        draw_groups(axes, [(g.title, g.lines) for g in groups], partial(_draw_line, axes))
        axes.set_xlabel(axis.label)
        _draw_legend(figure, axis, sorted(set(bounds)))
    return figure


def _draw_bands(axes: Axes, groups: Sequence[Group], bounds: Sequence[float]) -> None:
    if len(set(bounds)) == 1:
        axes.axvspan(-bounds[0], bounds[0], color=BAND, linewidth=0, zorder=0)
        return
    top = -0.5
    for group, bound in zip(groups, bounds, strict=True):
        bottom = top + len(group.lines) + 1
        axes.fill_betweenx([top, bottom], -bound, bound, color=BAND, linewidth=0, zorder=0)
        top = bottom


def _draw_ground(axes: Axes, lines: int) -> None:
    axes.axvline(0, color=MUTED, linewidth=0.9, zorder=1)
    axes.grid(axis="x", color=RULE, linewidth=0.6, zorder=0)
    axes.set_ylim(lines - 0.5, -0.6)
    axes.margins(x=0.06)


def _draw_line(axes: Axes, line: Line, place: int) -> None:
    known = [point for point in line.points if not isnan(point.value)]
    if not known:
        axes.text(0, place, " not estimable", va="center", fontsize=8, color=MUTED)
    for rank, point in enumerate(known):
        offset = 0.26 * (rank - (len(known) - 1) / 2)
        _draw_point(axes, point, place + offset)


def _draw_point(axes: Axes, point: Point, height: float) -> None:
    colour = SERIES[point.series % len(SERIES)]
    if not isnan(point.low):
        axes.plot([point.low, point.high], [height, height], color=colour, linewidth=1.4, zorder=2)
    axes.add_line(_marker(point.series, colour, point.fill, [point.value], [height]))


def _marker(
    series: int, colour: str, fill: Fill, x: Sequence[float] = (), y: Sequence[float] = ()
) -> Line2D:
    return Line2D(
        x,
        y,
        linestyle="",
        marker=MARKERS[series % len(MARKERS)],
        markersize=5.5,
        markeredgewidth=1.2,
        markeredgecolor=colour,
        markerfacecolor={"solid": colour, "hollow": PANEL, "pale": PALE}[fill],
        zorder=3,
    )


def _legend_lines(axis: Axis) -> int:
    return max(1, ceil(len(axis.names) / LEGEND_COLUMNS))


def _draw_legend(figure: Figure, axis: Axis, bounds: Sequence[float]) -> None:
    series = [_marker(k, SERIES[k % len(SERIES)], "solid") for k in range(len(axis.names))]
    figure.legend(
        series,
        axis.names,
        loc="upper left",
        ncols=max(1, ceil(len(axis.names) / _legend_lines(axis))),
        bbox_to_anchor=(0.005, 1),
        handletextpad=0.2,
    )
    fills: tuple[Fill, ...] = ("solid", "hollow", "pale")
    meanings = [_marker(0, INK, fill) for fill in fills]
    figure.legend(
        [*meanings, Patch(color=BAND)],
        [
            "different",
            "equivalent",
            "inconclusive, or no test (no line)",
            "too small to matter (\u00b1" + " or ".join(f"{bound:g}" for bound in bounds) + ")",
        ],
        loc="upper left",
        ncols=4,
        bbox_to_anchor=(0.005, 1 - LEGEND_LINE * _legend_lines(axis) / figure.get_figheight()),
        handletextpad=0.4,
    )
