from math import nan
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from isogloss.audit.figures import asked_for, curve_figure
from isogloss.audit.selection_results import CurvePoint, GroupingSelection
from isogloss.report.figure_style import write_svg
from isogloss.report.render.images import image_fault

SVG = "{http://www.w3.org/2000/svg}"


def points(group: str, rates: list[float], total: int = 10) -> tuple[CurvePoint, ...]:
    return tuple(
        CurvePoint(group, t, 0, total, rate, nan, None) for t, rate in enumerate(rates, start=1)
    )


def result(*curves: tuple[CurvePoint, ...], baseline: bool = False) -> GroupingSelection:
    return GroupingSelection(
        role="recruiter",
        grouping="race",
        threshold=7,
        reference=None,
        expected_reference=None,
        n_backgrounds=10,
        groups=(),
        baseline=None,
        curve=tuple(point for curve in curves for point in curve),
        baseline_curve=points("not stated", [0.5] * 10) if baseline else (),
        notes=(),
        status="ok",
        reason=None,
    )


HIGH, LOW = [1.0] * 5 + [0.5] * 5, [1.0] * 3 + [0.25] * 7


def texts(figure: Figure, path: Path) -> list[str]:
    write_svg(figure, path)
    assert image_fault(path.parent, path.name) == ""
    root = ElementTree.parse(path).getroot()
    return ["".join(element.itertext()).strip() for element in root.iter(f"{SVG}text")]


def test_the_line_is_four_fifths_of_the_highest_rate() -> None:
    line = asked_for([*points("a", HIGH), *points("b", LOW), *points("c", [nan] * 10, 0)])
    assert [threshold for threshold, _ in line] == list(range(1, 11))
    assert [rate for _, rate in line] == pytest.approx([0.8] * 5 + [0.4] * 5)


def test_the_figure_names_everything(tmp_path: Path) -> None:
    odd = "_$x$ <b>&"
    figure = curve_figure(
        result(points(odd, HIGH), points("b", LOW), points("c", [nan] * 10, 0), baseline=True)
    )
    found = texts(figure, tmp_path / "a.svg")
    assert {"b", "c: no value", "not stated (not compared)", "threshold 7"} <= set(found)
    assert any(odd in text for text in found)
    assert "below four fifths of the highest rate" in found
    assert {"1", "10", "100%"} <= set(found)


def test_rates_are_drawn_at_their_threshold() -> None:
    axes = curve_figure(result(points("a", HIGH), points("b", LOW))).axes[0]
    drawn = {tuple(round(float(y), 6) for y in line.get_ydata()) for line in axes.lines}
    assert {tuple(HIGH), tuple(LOW)} <= drawn
    for line in axes.lines:
        if tuple(line.get_ydata()) == tuple(LOW):
            assert [round(float(x)) for x in line.get_xdata()] == list(range(1, 11))


def test_groups_differ_without_colour() -> None:
    figure = curve_figure(result(*(points(str(k), LOW) for k in range(20)), baseline=True))
    looks = [
        (line.get_marker(), line.get_linestyle(), str(line._dash_pattern))  # type: ignore[attr-defined]
        for line in figure.axes[0].lines
        if line.get_marker() not in ("None", "")
    ]
    # Twenty groups and the baseline, of which no two have the same marker and dashes.
    assert len(looks) == len(set(looks)) == 21


def test_same_result_same_bytes(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        write_svg(curve_figure(result(points("a", HIGH), baseline=True)), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("curves", [(), (points("a", [nan] * 10, 0),)])
def test_without_values_there_are_words(
    curves: tuple[tuple[CurvePoint, ...], ...], tmp_path: Path
) -> None:
    assert "No results of this kind." in texts(curve_figure(result(*curves)), tmp_path / "a.svg")
