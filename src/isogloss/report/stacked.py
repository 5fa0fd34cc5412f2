"""Stacked bars of shares, one bar for each guise, in titled groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from isogloss.report.figure_style import (
    INK,
    MUTED,
    PANEL,
    WIDTH,
    draw_groups,
    empty_figure,
    is_dark,
    palette,
    plain_axes,
    styled,
)

BAR = 0.26
"""Height of one bar with its gap, in inches."""

ABOVE, BELOW = 0.4, 0.4
"""Room above and below the bars, in inches, for legend and axis."""

LABELLED = 0.07
"""Smallest share that has its number inside the bar."""


@dataclass(frozen=True)
class Bar:
    """One bar: shares that sum to at most 1, in the order of the scale."""

    label: str
    shares: tuple[float, ...]
    missing: str = ""
    """What stands in place of a bar without shares."""


@dataclass(frozen=True)
class Group:
    """Bars under one title."""

    title: str
    bars: tuple[Bar, ...]


def stacked(groups: Sequence[Group], steps: Sequence[str]) -> Figure:
    """Draw groups from top to bottom; `steps` names the parts of a bar, lowest first."""
    if not groups:
        with styled():
            return empty_figure()
    lines = sum(len(group.bars) + 1 for group in groups)
    height = ABOVE + BELOW + BAR * lines
    colours = palette(len(steps))
    with styled():
        figure = Figure(figsize=(WIDTH, height))
        axes = plain_axes(figure, [b.label for group in groups for b in group.bars], ABOVE, BELOW)
        draw_groups(axes, [(g.title, g.bars) for g in groups], partial(_draw_bar, axes, colours))
        _dress(axes, lines)
        figure.legend(
            [Patch(color=colour) for colour in colours],
            list(steps),
            loc="upper left",
            ncols=max(5, len(steps)),
            bbox_to_anchor=(0.005, 1),
            handlelength=1.1,
        )
    return figure


def _dress(axes: Axes, lines: int) -> None:
    axes.set_xlim(0, 1)
    axes.set_ylim(lines - 0.4, -0.6)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])


def _draw_bar(axes: Axes, colours: Sequence[str], bar: Bar, place: int) -> None:
    if bar.missing:
        axes.text(0.01, place, bar.missing, va="center", fontsize=8, color=MUTED)
        return
    left = 0.0
    for share, colour in zip(bar.shares, colours, strict=True):
        axes.barh(
            place, share, left=left, height=0.78, color=colour, edgecolor=PANEL, linewidth=0.7
        )
        if share >= LABELLED:
            ink = PANEL if is_dark(colour) else INK
            axes.text(
                left + share / 2,
                place,
                f"{100 * share:.0f}",
                ha="center",
                va="center_baseline",
                fontsize=7.5,
                color=ink,
            )
        left += share
