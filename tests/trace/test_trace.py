"""A printed number leads back to its row, its stages and its responses."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from isogloss.errors import RecordError
from isogloss.trace.printed import find_printed
from isogloss.trace.trace import SITE, trace_back
from isogloss.trace_cli import trace

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(trace)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def addresses(root: Path, wanted: str, page: str = "colours") -> list[str]:
    return [one.address for one in find_printed(root / SITE, page, wanted)]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("-0.390", ["tbl-effects:1:Difference"]),
        ("−0.390", ["tbl-effects:1:Difference"]),
        ("-0.390 [-0.550, -0.230]", ["tbl-effects:1:Difference"]),
        ("4", ["text:1"]),
        ("0.05", ["text:2"]),
        ("+0.100", ["text:3"]),
        ("text:3", ["text:3"]),
        ("tbl-effects:2:Pairs", ["tbl-effects:2:Pairs"]),
        ("tbl-effects:2", ["tbl-effects:2"]),
        ("tbl-effects", ["tbl-effects"]),
        ("fig-effects", ["fig-effects"]),
        ("0.200", ["tbl-effects:2:Difference"]),
    ],
)
def test_what_is_meant(traced: Path, wanted: str, found: list[str]) -> None:
    assert addresses(traced, wanted) == found


@pytest.mark.parametrize(
    "wanted", ["77", "0.39", "390", "tbl-other", "tbl-effects:9", "text:99", ""]
)
def test_what_is_not_on_the_page_is_said(traced: Path, wanted: str) -> None:
    with pytest.raises(RecordError, match="no number"):
        addresses(traced, wanted)


@pytest.mark.parametrize("page", ["other", "../colours", ""])
def test_a_page_that_is_not_there_is_named_with_those_that_are(traced: Path, page: str) -> None:
    with pytest.raises(RecordError, match="its pages are: colours"):
        addresses(traced, "4", page)


def test_a_number_leads_to_its_row_its_responses_and_its_stages(traced: Path) -> None:
    (printed,) = find_printed(traced / SITE, "colours.html", "-0.390")
    way = trace_back(printed, traced)
    assert way.parts == ("reports/_generated/colours/effects.md",)
    (place,) = way.places
    assert place.rows[0].values == {"estimate": "-0.39", "low": "-0.55", "high": "-0.23"}
    assert place.rows[0].keys["contrast"] == "red - blue"
    (responses,) = way.responses
    assert responses.file == "data/responses/colours/own/m1.parquet"
    # Two guises of the contrast, two items; neither the third guise nor the decision.
    assert (responses.rows, responses.total) == (4, 7)
    assert responses.guises == {"red": 2, "blue": 2}
    assert responses.outcomes == {"ok": 2, "refusal": 2}
    assert {one.prompt_sha256 for one in responses.asked} == {
        f"m1{guise}{item}" for guise in ("red", "blue") for item in ("i1", "i2")
    }
    assert [step.stage for step in way.steps] == ["analysis", "score-m1", "identify-m1"]
    assert [file.path for file in way.steps[1].given] == ["data/stimuli/items.csv"]
    assert [file.path for file in way.steps[1].made] == ["data/models/m1.json"]
    assert way.changed == ()


def test_a_row_about_a_subgroup_of_valid_pairs_has_their_responses(traced: Path) -> None:
    page = traced / SITE / "colours.html"
    page.write_text(
        page.read_text(encoding="utf-8").replace("row 2: n_pairs", "row 3: n_pairs"),
        encoding="utf-8",
    )
    (printed,) = find_printed(traced / SITE, "colours", "tbl-effects:2:Pairs")
    (responses,) = trace_back(printed, traced).responses
    assert {one.item_id for one in responses.asked} == {"i1"}
    assert responses.rows == 2


def test_a_count_leads_to_all_its_rows_and_through_the_values(traced: Path) -> None:
    (printed,) = find_printed(traced / SITE, "colours", "4")
    way = trace_back(printed, traced)
    assert way.parts == ("reports/_variables.yml",)
    assert [row.number for row in way.places[0].rows] == [1, 2, 3]
    assert way.places[0].source.rule == "sum of n_pairs"
    assert {one.file for one in way.responses} == {
        f"data/responses/colours/own/{model}.parquet" for model in ("m1", "m2")
    }


def test_a_setting_leads_to_the_plan(traced: Path) -> None:
    (printed,) = find_printed(traced / SITE, "colours", "0.05")
    way = trace_back(printed, traced)
    assert way.places[0].values == {"alpha": 0.05}
    assert way.responses == ()
    assert {step.stage for step in way.steps} == {"analysis", "score-m1", "score-m2", "identify-m1"}


def test_a_figure_leads_to_the_tables_it_is_drawn_from(traced: Path) -> None:
    (printed,) = find_printed(traced / SITE, "colours", "fig-effects")
    way = trace_back(printed, traced)
    assert way.parts == ("reports/_generated/colours/effects.svg",)
    assert [place.source.file for place in way.places] == ["data/results/colours/effects.csv"]


def test_a_file_that_was_changed_since_is_said_so(traced: Path) -> None:
    table = traced / "data" / "results" / "colours" / "effects.csv"
    table.write_text(table.read_text().replace("-0.39", "-0.99"), encoding="utf-8")
    result = run("colours#-0.390")
    assert result.exit_code == 0
    assert "estimate = -0.99" in result.output
    assert (
        "WARNING: data/results/colours/effects.csv is not the file that was recorded"
        in result.output
    )


def test_a_row_that_is_not_in_the_file_is_an_error(traced: Path) -> None:
    table = traced / "data" / "results" / "colours" / "effects.csv"
    table.write_text("\n".join(table.read_text().splitlines()[:2]) + "\n", encoding="utf-8")
    (printed,) = find_printed(traced / SITE, "colours", "tbl-effects:2:Pairs")
    with pytest.raises(RecordError, match="has 1 rows and not row 2"):
        trace_back(printed, traced)


@pytest.mark.parametrize("file", ["../x.csv", "/etc/passwd", "data/none.csv"])
def test_a_source_elsewhere_is_not_read(traced: Path, file: str) -> None:
    page = traced / SITE / "colours.html"
    text = page.read_text(encoding="utf-8").replace("data/results/colours/plan.json", file)
    page.write_text(text, encoding="utf-8")
    (printed,) = find_printed(traced / SITE, "colours", "0.05")
    with pytest.raises(RecordError, match=r"outside the project|cannot be read"):
        trace_back(printed, traced)


def test_without_a_record_there_is_no_way_back(traced: Path) -> None:
    (traced / "dvc.lock").unlink()
    (printed,) = find_printed(traced / SITE, "colours", "4")
    with pytest.raises(RecordError, match=r"dvc\.lock does not exist"):
        trace_back(printed, traced)


def test_a_page_source_that_is_no_text_does_not_end_the_way(traced: Path) -> None:
    (printed,) = find_printed(traced / SITE, "colours", "4")
    (traced / "reports").mkdir(exist_ok=True)
    (traced / "reports/colours.qmd").write_bytes(b"\xff")
    (traced / "reports/_variables.yml").write_bytes(b"\xff")
    assert trace_back(printed, traced).printed == printed


def test_the_command_says_the_way_in_lines(traced: Path) -> None:
    result = run("colours#-0.390")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == "−0.390 [−0.550, −0.230]"
    assert "from data/results/colours/effects.csv, row 1: estimate, low, high" in lines
    assert any(line.startswith("stage score-m1: ask m1") for line in lines)
    assert any("m1.parquet: 4 of 7 rows (red 2, blue 2; 2 ok, 2 refusal)" in line for line in lines)
    assert "m1redi1" not in result.output
    assert "i1, red: ok, prompt m1redi1" in run("colours#-0.390", "--prompts").output


def test_several_numbers_are_listed_with_what_names_each(traced: Path) -> None:
    page = traced / SITE / "colours.html"
    text = page.read_text(encoding="utf-8").replace(">+0.100<", ">−0.390 [−0.550, −0.230]<")
    page.write_text(text, encoding="utf-8")
    result = run("colours#-0.390")
    assert result.exit_code == 1
    assert "2 numbers on the page colours fit" in result.output
    assert "colours#text:3  " in result.output
    assert "colours#tbl-effects:1:Difference  " in result.output
    choices = json.loads(run("colours#-0.390", "--json").output)["choices"]
    assert [one["address"] for one in choices] == ["text:3", "tbl-effects:1:Difference"]
    assert run("colours#text:3").exit_code == 0


def test_the_way_as_json(traced: Path) -> None:
    way = json.loads(run("colours#-0.390", "--json").output)
    assert way["format"] == "isogloss-trace/1"
    assert way["places"][0]["rows"][0]["values"]["estimate"] == "-0.39"
    assert way["steps"][0]["command"] == "analyse"
    assert way["responses"][0]["rows"] == 4
    assert "asked" not in way["responses"][0]
    asked = json.loads(run("colours#-0.390", "--json", "--prompts").output)["responses"][0]["asked"]
    assert len(asked) == 4


@pytest.mark.parametrize("number", ["colours", "#4", "colours#"])
def test_an_argument_of_another_form_is_refused(traced: Path, number: str) -> None:
    result = run(number)
    assert result.exit_code == 2
