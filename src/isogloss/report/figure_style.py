"""One look for all figures, and files that are the same bytes each time."""

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Protocol, TypeVar

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb
from matplotlib.figure import Figure

PANEL = "#fbfaf7"
INK = "#23282e"
MUTED = "#5a626c"
RULE = "#dcd7cb"
BAND = "#e9e5da"
PALE = "#b9b3a5"

SERIES = ("#1b6a8c", "#c8661b", "#6a4c93", "#4f7d2c", "#8f2d56", "#5a626c")
"""Colours of contrasts, told apart by shape as well; lightness differs for the colour-blind."""

MARKERS = ("o", "D", "s", "^", "v", "P")

SCALE = ("#a8480f", "#e3a678", "#d9d5cb", "#8db3c7", "#1b5f80")
"""Five steps from low to high, orange to blue, which every common colour blindness tells apart."""

WIDTH = 7.4
"""Width of every figure in inches."""

CHARACTER = 0.075
"""Width of a character of a label, in inches, generously."""

LONGEST_LABEL = 42
"""Most characters of a label; a longer one loses its middle."""

WEB_FONTS = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif"

STYLE: Any = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "axes.edgecolor": RULE,
    "axes.labelcolor": INK,
    "axes.labelsize": 8.5,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "figure.facecolor": PANEL,
    "axes.facecolor": PANEL,
    "savefig.facecolor": PANEL,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "text.color": INK,
    "xtick.color": MUTED,
    "xtick.labelsize": 8.5,
    "ytick.color": INK,
    "ytick.labelsize": 8.5,
    "svg.fonttype": "none",
    "svg.hashsalt": "isogloss",
    "path.simplify": False,
    "text.parse_math": False,
}


class Labelled(Protocol):
    """A line of a figure."""

    @property
    def label(self) -> str:
        """What stands at its left."""


L = TypeVar("L", bound=Labelled)


def short(label: str) -> str:
    """Return a label that fits, an ellipsis in place of its middle where it is too long."""
    if len(label) <= LONGEST_LABEL:
        return label
    half = (LONGEST_LABEL - 1) // 2
    return f"{label[:half]}\u2026{label[-half:]}"


def plain_axes(figure: Figure, labels: Iterable[str], above: float, below: float) -> Axes:
    """Add axes with room for the labels at their left; room above and below is in inches."""
    height = figure.get_figheight()
    longest = max((len(short(label)) for label in labels), default=0)
    left = (0.2 + CHARACTER * max(longest, 12)) / WIDTH
    axes = figure.add_axes((left, below / height, 0.97 - left, 1 - (above + below) / height))
    axes.tick_params(axis="y", length=0)
    return axes


def empty_figure() -> Figure:
    """A figure in words, for results without a row."""
    figure = Figure(figsize=(WIDTH, 0.6))
    figure.text(0.5, 0.5, "No results of this kind.", ha="center", va="center", color=MUTED)
    return figure


def write_title(axes: Axes, title: str, place: float) -> None:
    """Write the title of a group of lines at the left edge of the figure."""
    box = axes.get_position()
    x = (0.07 / WIDTH - box.x0) / box.width
    across = axes.get_yaxis_transform()
    axes.text(x, place, title, transform=across, va="center", weight="bold")


def draw_groups(
    axes: Axes, groups: Iterable[tuple[str, Sequence[L]]], draw: Callable[[L, int], None]
) -> None:
    """Draw titled groups of lines from top to bottom, titles and lines at whole numbers.

    `draw` is given each line with its place, and draws what stands to the right of its label.
    """
    places = count()
    ticks: list[tuple[int, str]] = []
    for title, lines in groups:
        write_title(axes, title, next(places))
        for line in lines:
            place = next(places)
            ticks.append((place, short(line.label)))
            draw(line, place)
    axes.set_yticks([place for place, _ in ticks], [label for _, label in ticks])


@contextmanager
def styled() -> Iterator[None]:
    """Draw inside this context to get the report's look."""
    with rc_context(STYLE):
        yield


def palette(steps: int) -> list[str]:
    """Return `steps` colours from low to high, evenly taken from `SCALE` or between its colours."""
    if steps == 1:
        return [SCALE[-1]]
    places = [k * (len(SCALE) - 1) / (steps - 1) for k in range(steps)]
    if steps <= len(SCALE):
        return [SCALE[round(place)] for place in places]
    between = LinearSegmentedColormap.from_list("scale", SCALE)
    return [to_hex(between(place / (len(SCALE) - 1))) for place in places]


def is_dark(colour: str) -> bool:
    """Say whether light text is easier to read on a colour than dark text."""
    red, green, blue = to_rgb(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue < 0.5


def write_svg(figure: Figure, path: Path, description: str = "") -> None:
    """Write a figure as SVG without date, creator or random ids, its text left as text.

    A `description` becomes its `desc` element. Text is laid out with DejaVu Sans, which is wide,
    and shown in the reader's own sans-serif.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    nothing = dict.fromkeys(["Date", "Creator", "Format", "Type"])
    with styled():
        figure.savefig(path, format="svg", metadata=nothing)
    text = path.read_text(encoding="utf-8").replace("'DejaVu Sans'", WEB_FONTS)
    if description:
        text = text.replace("<defs>", f"<desc>{html.escape(description)}</desc>\n <defs>", 1)
    path.write_text(text, encoding="utf-8")
