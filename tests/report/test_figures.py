from collections.abc import Callable
from math import nan
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from isogloss.report.figure_style import LONGEST_LABEL, palette, short, write_svg
from isogloss.report.figures import overview_figure
from isogloss.report.forest import Axis, Group, Line, Point, forest
from isogloss.report.parts import FIGURES
from isogloss.report.render.images import image_fault
from isogloss.report.results import Results
from isogloss.report.stacked import Bar, stacked
from isogloss.report.stacked import Group as BarGroup

SVG = "{http://www.w3.org/2000/svg}"


def texts(path: Path) -> list[str]:
    root = ElementTree.parse(path).getroot()
    return ["".join(element.itertext()).strip() for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
def test_same_results_same_bytes(
    draw: Callable[[Results], Figure], results: Results, tmp_path: Path
) -> None:
    for name in ("a.svg", "b.svg"):
        write_svg(draw(results), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
def test_figures_may_be_shown_on_a_page(
    draw: Callable[[Results], Figure], results: Results, tmp_path: Path
) -> None:
    write_svg(draw(results), tmp_path / "a.svg")
    assert image_fault(tmp_path, "a.svg") == ""
    assert "<metadata>" not in (tmp_path / "a.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
def test_figures_exist_without_results(
    draw: Callable[[Results], Figure], nothing: Results, tmp_path: Path
) -> None:
    write_svg(draw(nothing), tmp_path / "a.svg")
    assert image_fault(tmp_path, "a.svg") == ""


def test_text_is_text_and_outside_names_are_shown_as_they_are(
    results: Results, tmp_path: Path
) -> None:
    write_svg(FIGURES["effects"](results), tmp_path / "a.svg")
    found = texts(tmp_path / "a.svg")
    assert "m|1_*<b>`$x$[y](z)@c, plain" in found
    assert "too small to matter (±0.25)" in found
    assert "DejaVu Sans" not in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_distributions_name_every_rating_and_guise(results: Results, tmp_path: Path) -> None:
    write_svg(FIGURES["distributions"](results), tmp_path / "a.svg")
    found = texts(tmp_path / "a.svg")
    assert {"rating 1", "rating 5", "red", "blue"} <= set(found)
    assert found.count("100") == 4  # every modal rating is 3, in two guises of two models


def test_subgroups_are_lines(results: Results, tmp_path: Path) -> None:
    write_svg(FIGURES["subgroups"](results), tmp_path / "a.svg")
    assert texts(tmp_path / "a.svg").count("B & co") == 2


def test_overview_holds_the_study_and_its_baseline(results: Results, tmp_path: Path) -> None:
    write_svg(overview_figure([results]), tmp_path / "a.svg")
    found = texts(tmp_path / "a.svg")
    assert "colours: set items, direct, all pairs" in found
    assert "colours: set items, direct, validated pairs" in found
    assert "m2" in found
    assert not any("helped" in text for text in found)


def test_undefined_estimates_are_words_and_not_zero(tmp_path: Path) -> None:
    line = Line("x", (Point(nan, nan, nan, 0, "pale"),))
    write_svg(forest([Group("g", (line,))], Axis("a", 0.1, ("s",))), tmp_path / "a.svg")
    assert "not estimable" in texts(tmp_path / "a.svg")


def test_bars_without_shares_are_words(tmp_path: Path) -> None:
    bar = Bar("x", (nan, nan), "not estimable")
    write_svg(stacked([BarGroup("g", (bar,))], ["low", "high"]), tmp_path / "a.svg")
    assert "not estimable" in texts(tmp_path / "a.svg")


def test_filling_tells_verdicts_apart() -> None:
    points = [Point(k, k - 1.0, k + 1.0, 0, fill) for k, fill in enumerate(("solid", "hollow"))]
    figure = forest([Group("g", (Line("x", tuple(points)),))], Axis("a", 0.1, ("s",)))
    drawn = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    faces = {line.get_markerfacecolor() for line in drawn}
    assert len(drawn) == 2
    assert len(faces) == 2


def test_long_labels_lose_their_middle() -> None:
    label = short("a" * 40 + "b" * 40)
    assert len(label) <= LONGEST_LABEL
    assert (label[0], label[-1]) == ("a", "b")
    assert short("short") == "short"


def test_palette_keeps_its_ends() -> None:
    assert palette(3)[0] == palette(5)[0]
    assert palette(3)[-1] == palette(5)[-1]
    assert len(set(palette(5))) == 5
