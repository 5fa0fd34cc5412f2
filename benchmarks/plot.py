"""The figure of the page: CPU time of each way to score, workload by workload."""

from collections.abc import Sequence
from itertools import count

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, NullLocator

from benchmarks.goals import GOALS
from benchmarks.measure import Measurement, Timing
from benchmarks.publish import OURS, REFERENCE
from isogloss.report.figure_style import (
    MUTED,
    PANEL,
    RULE,
    SERIES,
    WIDTH,
    plain_axes,
    styled,
    write_title,
)

LINE = 0.27
"""Height of one line in inches."""
ABOVE, BELOW = 0.15, 0.55
TICKS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def speed_figure(measurements: Sequence[Measurement]) -> Figure:
    """Draw a line for each peer: median, lowest and highest, on a logarithmic scale."""
    lines = sum(len(m.timings) + 1 for m in measurements)
    with styled():
        figure = Figure(figsize=(WIDTH, ABOVE + BELOW + LINE * lines))
        labels = [t.peer for m in measurements for t in m.timings]
        axes = plain_axes(figure, labels, ABOVE, BELOW)
        _draw_ground(axes, measurements, lines)
        _draw_lines(axes, measurements)
    return figure


def _draw_ground(axes: Axes, measurements: Sequence[Measurement], lines: int) -> None:
    times = [1e3 * s for m in measurements for t in m.timings for s in t.seconds]
    axes.set_xscale("log")
    axes.set_xlim(0.8 * min(times), 2.6 * max(times))
    axes.set_ylim(lines - 0.5, -0.6)
    shown = [tick for tick in TICKS if 0.8 * min(times) <= tick <= 2.6 * max(times)]
    axes.set_xticks(shown, [f"{tick:,}" for tick in shown])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(axis="x", color=RULE, linewidth=0.6, zorder=0)
    axes.set_xlabel(f"CPU ms for each prompt, logarithmic; ×: times faster than {REFERENCE}")


def _draw_lines(axes: Axes, measurements: Sequence[Measurement]) -> None:
    places = count()
    ticks: list[tuple[int, str]] = []
    for m in measurements:
        write_title(axes, f"{m.workload}: {GOALS[m.workload].title}", next(places))
        for timing in m.timings:
            place = next(places)
            ticks.append((place, timing.peer))
            _draw_timing(axes, timing, place, f"{m.ratio(timing.peer, REFERENCE):.1f}×")
    axes.set_yticks([place for place, _ in ticks], [label for _, label in ticks])


def _draw_timing(axes: Axes, timing: Timing, place: int, ratio: str) -> None:
    ours = timing.peer == OURS
    colour = SERIES[0] if ours else MUTED
    low, middle, high = (
        1e3 * s for s in (min(timing.seconds), timing.typical, max(timing.seconds))
    )
    axes.plot([low, high], [place, place], color=colour, linewidth=1.4, zorder=2)
    axes.plot(
        [middle],
        [place],
        marker="o" if ours else "D",
        markersize=6.5 if ours else 5,
        markerfacecolor=colour if ours else PANEL,
        markeredgecolor=colour,
        zorder=3,
    )
    text = f"{middle:,.0f} ms" if timing.peer == REFERENCE else f"{middle:,.0f} ms, {ratio}"
    weight = "bold" if ours else "normal"
    axes.annotate(
        text,
        (high, place),
        xytext=(8, 0),
        textcoords="offset points",
        va="center",
        fontsize=8,
        color=colour,
        weight=weight,
        bbox={"facecolor": PANEL, "edgecolor": "none", "pad": 1.0},
    )
