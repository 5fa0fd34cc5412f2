"""The association of each text, by guise, part and embedding."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from isogloss.report.drawing import Drawing
from isogloss.report.figure_style import (
    CHARACTER,
    INK,
    MARKERS,
    MUTED,
    RULE,
    SERIES,
    WIDTH,
    empty_figure,
    short,
    styled,
)
from isogloss.report.weat_tables import WeatResults

LINE = 0.34
"""Height of one line of texts in inches."""

TITLE, BELOW, GAP = 0.34, 0.3, 0.12
"""Room for a panel's title, for its axis, and between panels, in inches."""

FOOT = 0.26
"""Room for the words under the last axis, in inches."""

SPREAD = (0, 2, -2, 1, -1)
"""Heights of texts that follow each other, in tenths of a line, so that they do not hide."""


@dataclass(frozen=True)
class _Strip:
    """One line of a panel: the texts of a guise."""

    label: str
    values: tuple[float, ...]
    series: int


@dataclass(frozen=True)
class _Panel:
    """One contrast on one embedding, with an axis of its own."""

    title: str
    strips: tuple[_Strip, ...]

    @property
    def height(self) -> float:
        """Of the axes, in inches."""
        return LINE * len(self.strips)


def associations_figure(results: WeatResults) -> Figure:
    """Draw each text as a point and each guise's mean as a bar.

    Embeddings have axes of their own: how large an association is, differs between them.
    """
    panels = _panels(results.tables["associations"])
    with styled():
        if not panels:
            return empty_figure()
        taken = sum(panel.height + TITLE + BELOW + GAP for panel in panels) + FOOT
        figure = Figure(figsize=(WIDTH, taken))
        labels = [short(strip.label) for panel in panels for strip in panel.strips]
        left = (0.2 + CHARACTER * max(map(len, labels))) / WIDTH
        top = taken
        for panel in panels:
            top -= TITLE + panel.height
            axes = figure.add_axes((left, top / taken, 0.97 - left, panel.height / taken))
            _draw(axes, panel)
            figure.text(0.01, (top + panel.height + 0.1) / taken, panel.title, weight="bold")
            top -= BELOW + GAP
        axes.set_xlabel("closer to B  ←  association of a text  →  closer to A")
    return figure


WEAT_FIGURES = {"associations": Drawing(associations_figure, ("associations",))}
"""Figures of the page, each written as `<name>.svg`."""


def _panels(frame: pd.DataFrame) -> list[_Panel]:
    panels = []
    for contrast, of_contrast in frame.groupby("contrast", sort=False):
        guises = list(dict.fromkeys(of_contrast["guise"]))
        for embedding, part in of_contrast.groupby("embedding", sort=False):
            panels.append(_Panel(f"{contrast}, {embedding}", _strips(part, guises)))
    return panels


def _strips(frame: pd.DataFrame, guises: Sequence[str]) -> tuple[_Strip, ...]:
    return tuple(
        _Strip(f"{part}, {guise}", tuple(rows["association"]), guises.index(str(guise)))
        for (part, guise), rows in frame.groupby(["part", "guise"], sort=False)
    )


def _draw(axes: Axes, panel: _Panel) -> None:
    axes.axvline(0, color=MUTED, linewidth=0.9, linestyle="--", zorder=1)
    axes.grid(axis="x", color=RULE, linewidth=0.6, zorder=0)
    for place, strip in enumerate(panel.strips):
        _draw_strip(axes, strip, place)
    axes.set_yticks(range(len(panel.strips)), [short(strip.label) for strip in panel.strips])
    axes.set_ylim(len(panel.strips) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.04)


def _draw_strip(axes: Axes, strip: _Strip, place: int) -> None:
    known = sorted(value for value in strip.values if not isnan(value))
    if not known:
        axes.text(0, place, " not estimable", va="center", fontsize=8, color=MUTED)
        return
    heights = [place + SPREAD[rank % len(SPREAD)] / 10 for rank in range(len(known))]
    colour = SERIES[strip.series % len(SERIES)]
    axes.plot(
        known,
        heights,
        linestyle="",
        marker=MARKERS[strip.series % len(MARKERS)],
        markersize=4.2,
        color=colour,
        markeredgewidth=0,
        alpha=0.65,
        zorder=2,
    )
    mean = sum(known) / len(known)
    axes.plot([mean, mean], [place - 0.38, place + 0.38], color=INK, linewidth=1.8, zorder=3)
