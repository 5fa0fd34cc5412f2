from pathlib import Path

from tests.report.spans import bare
from tests.report.test_figures import texts
from tests.report.test_tables import row_of

from isogloss.report.figure_style import write_svg
from isogloss.report.overview import overview_figure, overview_table
from isogloss.report.results import Results


def test_the_table_covers_the_baseline_of_a_study(results: Results) -> None:
    text = bare(overview_table([results]))
    assert row_of(text, "m2", "all")
    assert row_of(text, "m2", "validated")
    assert ": study colours, item set set, contrast red - blue, mode direct. " in text
    assert "{#tbl-overview-colours-set}" in text
    assert "helped" not in text
    assert "Asked as" not in text


def test_each_item_set_of_a_study_has_its_table(results: Results, one_model: Results) -> None:
    text = bare(overview_table([results, one_model]))
    colours, loose, pairs = text.split("\n\n| ")
    assert "Scale: 1 to 5." in colours
    assert "Scale: 1 to 10." in loose
    assert row_of(colours, "m2", "validated")
    assert "Asked as" not in colours
    assert "study hats, item set pairs, contrast red - blue, mode direct, " in pairs
    row = row_of(pairs, "buyer, short")
    assert any(cell.startswith("−0.488 ") for cell in row)  # half of the mean difference, -0.975
    assert row[-2:] == ["4", "0"]
    assert row_of(loose, "buyer, short")[-2] == "4 and 4"
    assert "tall, old" not in text
    assert "part" not in {cell for line in text.splitlines() for cell in line.split(" | ")}


def test_models_are_shown_together_where_there_are_several(candidates: Results) -> None:
    text = overview_table([candidates])
    assert "model all models" in text
    assert "m2" not in text


def test_the_figure_holds_the_study_and_its_baseline(results: Results, tmp_path: Path) -> None:
    write_svg(overview_figure([results]), tmp_path / "a.svg")
    found = texts(tmp_path / "a.svg")
    assert "colours: set items, direct, all pairs" in found
    assert "colours: set items, direct, validated pairs" in found
    assert "m2" in found
    assert not any("helped" in text for text in found)


def test_the_figure_has_a_line_for_each_persona(
    results: Results, one_model: Results, tmp_path: Path
) -> None:
    write_svg(overview_figure([results, one_model]), tmp_path / "a.svg")
    found = texts(tmp_path / "a.svg")
    assert "hats: pairs items, hat seller, direct" in found
    assert found.count("anyone") == 4  # two item sets in two roles
    assert found.count("red - blue") == 2


def test_nothing_is_said_to_be_nothing(nothing: Results, nobody: Results, tmp_path: Path) -> None:
    text = overview_table([nothing, nobody])
    assert text == "*Nothing of this kind was recorded.*\n"
    write_svg(overview_figure([nothing, nobody]), tmp_path / "a.svg")
    assert "No results of this kind." in texts(tmp_path / "a.svg")
