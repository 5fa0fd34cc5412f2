"""The figure of selection rates over all thresholds, as the page holds it, and what it shows."""

import base64
import tempfile
from pathlib import Path

from isogloss.audit.figures import curve_figure
from isogloss.audit.selection_results import CurvePoint, GroupingSelection
from isogloss.report.figure_style import write_svg


def picture(found: GroupingSelection) -> str:
    """Return the figure as an address that holds all of it (`data:`), so that none is fetched."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "curve.svg"
        write_svg(curve_figure(found), path)
        return "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode()


def described(found: GroupingSelection) -> str:
    """Say in words what the figure shows, for whoever does not see it."""
    at = [point for point in found.curve if point.threshold == found.threshold]
    said = "; ".join(f"{point.group} {point.selected} of {point.total}" for point in at)
    return (
        "Line chart: share of questions that count as selected, for each threshold and group. "
        f"At the audit's threshold of {found.threshold}: {said}. The table below has all values."
    )


def rates_at(found: GroupingSelection) -> list[tuple[int, list[CurvePoint]]]:
    """Return the points of all groups by threshold, for the table beside the figure."""
    points = [*found.curve, *found.baseline_curve]
    return [
        (threshold, [point for point in points if point.threshold == threshold])
        for threshold in sorted({point.threshold for point in points})
    ]
