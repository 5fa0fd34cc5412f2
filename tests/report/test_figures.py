from collections.abc import Callable, Sequence
from math import nan
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from isogloss.report.designs import DESIGNS
from isogloss.report.figure_style import LONGEST_LABEL, SCALE, is_dark, palette, short, write_svg
from isogloss.report.forest import Axis, Group, Line, Point, forest
from isogloss.report.render.images import image_fault
from isogloss.report.results import Results
from isogloss.report.stacked import Bar, stacked
from isogloss.report.stacked import Group as BarGroup

FIGURES = DESIGNS["paired"].figures
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


def test_a_long_palette_has_colours_of_its_own_between_the_same_ends() -> None:
    colours = palette(10)
    assert len(set(colours)) == 10
    assert (colours[0], colours[-1]) == (SCALE[0], SCALE[-1])
    assert [is_dark(colour) for colour in ("#000000", "#ffffff", SCALE[0], SCALE[2])] == [
        True,
        False,
        True,
        False,
    ]


def bands(bounds: Sequence[float | None]) -> list[tuple[float, float]]:
    """Ends of the shaded bands of a plot with a group for each bound."""
    line = Line("x", (Point(0.5, 0.4, 0.6, 0, "solid"),))
    groups = [Group(f"g{place}", (line,), bound) for place, bound in enumerate(bounds)]
    figure = forest(groups, Axis("a", 0.1, ("s",)))
    axes = figure.axes[0]
    boxes = [p.get_paths()[0].get_extents() for p in axes.collections] or [
        axes.patches[0].get_path().transformed(axes.patches[0].get_patch_transform()).get_extents()
    ]
    return [(box.x0, box.x1) for box in boxes]


def test_groups_may_have_bands_of_their_own() -> None:
    assert bands([None, None]) == [(-0.1, 0.1)]
    assert bands([0.3, 0.3]) == [(-0.3, 0.3)]
    assert bands([None, 0.3]) == [(-0.1, 0.1), (-0.3, 0.3)]


def test_many_series_make_room_for_their_names(tmp_path: Path) -> None:
    line = Line("x", (Point(0.5, 0.4, 0.6, 3, "solid"),))
    names = ("first", "second", "third", "fourth")
    few, many = (forest([Group("g", (line,))], Axis("a", 0.1, some)) for some in (names[:3], names))
    assert many.get_figheight() > few.get_figheight()
    write_svg(many, tmp_path / "a.svg")
    assert set(names) <= set(texts(tmp_path / "a.svg"))
