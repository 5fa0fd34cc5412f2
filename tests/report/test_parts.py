from pathlib import Path

import pytest

from isogloss.analysis.files import PLAN
from isogloss.analysis.plan import write_plan
from isogloss.analysis.tables import write_tables
from isogloss.errors import ReportError
from isogloss.report.audit import SourceRecord, model_record
from isogloss.report.parts import part_names, write_parts
from isogloss.report.results import Results, read_results
from isogloss.report.stimuli_tables import StimuliResults
from isogloss.report.weat_tables import WeatResults

SOURCES = [SourceRecord("items", "Items", "cd" * 32, "CC-BY-4.0")]
MODELS = [model_record({"name": "m2", "backend": "recorded"})]


@pytest.fixture
def folder(results: Results, tmp_path: Path) -> Path:
    write_tables(results.tables, tmp_path / "results")
    write_plan(results.plan, tmp_path / "results" / PLAN)
    return tmp_path / "results"


@pytest.fixture
def persona_folder(candidates: Results, tmp_path: Path) -> Path:
    write_tables(candidates.tables, tmp_path / "persona-results")
    write_plan(candidates.plan, tmp_path / "persona-results" / PLAN)
    return tmp_path / "persona-results"


def test_every_named_part_is_written(
    folder: Path,
    persona_folder: Path,
    stimuli: StimuliResults,
    untested: WeatResults,
    tmp_path: Path,
) -> None:
    reports = tmp_path / "reports"
    studies = {"colours": folder, "hats": persona_folder}
    paths = write_parts(studies, stimuli, untested, reports, SOURCES, MODELS)
    names = part_names({"colours": "paired", "hats": "personas"})
    assert [path.relative_to(reports).as_posix() for path in paths] == names
    written = {path for path in reports.rglob("*") if path.is_file()}
    assert written == set(paths)


def test_same_results_same_bytes(
    folder: Path, stimuli: StimuliResults, untested: WeatResults, tmp_path: Path
) -> None:
    first, second = (
        write_parts({"colours": folder}, stimuli, untested, tmp_path / name, SOURCES, MODELS)
        for name in ("a", "b")
    )
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]


def test_a_part_does_not_depend_on_the_other_studies(
    folder: Path,
    persona_folder: Path,
    stimuli: StimuliResults,
    untested: WeatResults,
    tmp_path: Path,
) -> None:
    both = {"colours": folder, "hats": persona_folder}
    write_parts({"colours": folder}, stimuli, untested, tmp_path / "alone", SOURCES, MODELS)
    write_parts(both, stimuli, untested, tmp_path / "both", SOURCES, MODELS)
    for path in (tmp_path / "alone" / "_generated" / "colours").iterdir():
        beside = tmp_path / "both" / "_generated" / "colours" / path.name
        assert beside.read_bytes() == path.read_bytes(), path.name


def test_damaged_results_are_named(
    folder: Path, stimuli: StimuliResults, untested: WeatResults, tmp_path: Path
) -> None:
    (folder / "effects.csv").write_text("nothing\n")
    with pytest.raises(ReportError, match=r"effects\.csv"):
        write_parts({"colours": folder}, stimuli, untested, tmp_path / "reports", SOURCES, MODELS)


def test_results_know_their_item_sets_and_confidence(folder: Path) -> None:
    found = read_results(folder, "colours")
    assert found.item_sets == ["set"]
    assert found.confidence == '[95 %]{.num title="data/results/colours/plan.json: alpha"}'
