from collections.abc import Callable
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from tests.report.test_figures import texts

from isogloss.report.designs import DESIGNS
from isogloss.report.figure_style import write_svg
from isogloss.report.render.images import image_fault
from isogloss.report.results import Results

FIGURES = DESIGNS["personas"].figures

Draw = Callable[[Results], Figure]


@pytest.mark.parametrize("which", ["candidates", "one_refused", "nobody"])
@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
def test_figures_may_be_shown_on_a_page_whatever_was_run(
    draw: Draw, which: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    write_svg(draw(request.getfixturevalue(which)), tmp_path / "a.svg")
    assert image_fault(tmp_path, "a.svg") == ""


def drawn(name: str, results: Results, folder: Path) -> list[str]:
    write_svg(FIGURES[name](results), folder / "a.svg")
    return texts(folder / "a.svg")


def test_effects_have_a_line_for_each_persona(one_model: Results, tmp_path: Path) -> None:
    found = drawn("effects", one_model, tmp_path)
    assert "pairs items, hat seller, direct, m2" in found
    assert found.count("tall") == 4  # two item sets in two roles
    assert found.count("tall, old") == 4
    assert "too small to matter (±0.25)" in found


def test_models_are_drawn_together(candidates: Results, tmp_path: Path) -> None:
    found = drawn("effects", candidates, tmp_path)
    assert "pairs items, hat seller, direct, all models" in found
    assert not any("m2" in text for text in found)


def test_a_persona_without_an_estimate_has_words(one_refused: Results, tmp_path: Path) -> None:
    assert drawn("effects", one_refused, tmp_path).count("not estimable") == 4


def test_increments_name_the_baseline(one_model: Results, tmp_path: Path) -> None:
    found = drawn("increments", one_model, tmp_path)
    assert found.count("tall - anyone") == found.count("tall - short") == 4
    assert not any("old" in text for text in found)


def test_gaps_have_a_point_for_each_guise(one_model: Results, tmp_path: Path) -> None:
    found = drawn("gaps", one_model, tmp_path)
    assert {"red", "blue", "tall - short"} <= set(found)


def test_distributions_name_persona_guise_and_score(one_model: Results, tmp_path: Path) -> None:
    found = drawn("distributions", one_model, tmp_path)
    assert {"score 1", "2", "10", "tall, red", "anyone, blue"} <= set(found)
    assert found.count("100") == 24  # two sets, two roles, three personas, two guises
