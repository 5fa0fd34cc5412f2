"""Forest plots: estimates with intervals, one line for each, in titled groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from math import isnan
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
    empty_figure,
    plain_axes,
    short,
    styled,
    write_title,
)

Fill = Literal["solid", "hollow", "pale"]
"""`solid` for a difference, `hollow` for shown equivalence, `pale` for an open question."""

LINE = 0.27
"""Height of one line in inches."""

ABOVE, BELOW = 0.75, 0.62
"""Room above and below the lines, in inches, for legend and axis."""


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


@dataclass(frozen=True)
class Axis:
    """What the horizontal axis means."""

    label: str
    bound: float
    """Half-width of the shaded band around zero."""
    names: tuple[str, ...]
    """Names of the series."""


def forest(groups: Sequence[Group], axis: Axis) -> Figure:
    """Draw groups from top to bottom on one axis with the equivalence band around zero."""
    if not groups:
        with styled():
            return empty_figure()
    lines = sum(len(group.lines) + 1 for group in groups)
    height = ABOVE + BELOW + LINE * lines
    with styled():
        figure = Figure(figsize=(WIDTH, height))
        labels = [line.label for group in groups for line in group.lines]
        axes = plain_axes(figure, labels, ABOVE, BELOW)
        _draw_ground(axes, axis, lines)
        _draw_groups(axes, groups)
        axes.set_xlabel(axis.label)
        _draw_legend(figure, axis)
    return figure


def _draw_ground(axes: Axes, axis: Axis, lines: int) -> None:
    axes.axvspan(-axis.bound, axis.bound, color=BAND, linewidth=0, zorder=0)
    axes.axvline(0, color=MUTED, linewidth=0.9, zorder=1)
    axes.grid(axis="x", color=RULE, linewidth=0.6, zorder=0)
    axes.set_ylim(lines - 0.5, -0.6)
    axes.margins(x=0.06)


def _draw_groups(axes: Axes, groups: Sequence[Group]) -> None:
    places = count()
    ticks: list[tuple[int, str]] = []
    for group in groups:
        write_title(axes, group.title, next(places))
        for line in group.lines:
            place = next(places)
            ticks.append((place, short(line.label)))
            _draw_line(axes, line, place)
    axes.set_yticks([place for place, _ in ticks], [label for _, label in ticks])


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


def _draw_legend(figure: Figure, axis: Axis) -> None:
    series = [_marker(k, SERIES[k % len(SERIES)], "solid") for k in range(len(axis.names))]
    figure.legend(
        series, axis.names, loc="upper left", ncols=3, bbox_to_anchor=(0.005, 1), handletextpad=0.2
    )
    fills: tuple[Fill, ...] = ("solid", "hollow", "pale")
    meanings = [_marker(0, INK, fill) for fill in fills]
    figure.legend(
        [*meanings, Patch(color=BAND)],
        [
            "different",
            "equivalent",
            "inconclusive, or no test (no line)",
            f"too small to matter (\u00b1{axis.bound:g})",
        ],
        loc="upper left",
        ncols=4,
        bbox_to_anchor=(0.005, 1 - 0.22 / figure.get_figheight()),
        handletextpad=0.4,
    )
