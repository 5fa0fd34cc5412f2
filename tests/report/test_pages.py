"""The project's own pages and the parts they include fit together."""

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from isogloss.analysis.files import PLAN
from isogloss.analysis.plan import write_plan
from isogloss.analysis.tables import write_tables
from isogloss.report.parts import write_parts
from isogloss.report.render import render_site
from isogloss.report.results import Results
from isogloss.report.stimuli_tables import StimuliResults
from isogloss.report.study_pages import absent_pages, pages_list
from isogloss.report.weat_tables import WeatResults
from isogloss.studies.registry import STUDIES

PAGES = ("*.qmd", "_quarto.yml", "custom.scss", "references.bib")

WITH_PERSONAS = [name for name, study in STUDIES.items() if study.design == "personas"]
OTHERS = [name for name, study in STUDIES.items() if study.design == "paired"]

Write = Callable[[Mapping[str, Results]], None]
"""Writes the parts of studies, given with their results, beside the pages."""


@pytest.fixture
def pages(project: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "reports"
    folder.mkdir()
    for pattern in PAGES:
        for path in (project / "reports").glob(pattern):
            shutil.copy(path, folder)
    return folder


@pytest.fixture
def write(pages: Path, stimuli: StimuliResults, untested: WeatResults, tmp_path: Path) -> Write:
    def write_all(studies: Mapping[str, Results]) -> None:
        folders = {name: tmp_path / "results" / name for name in studies}
        for name, found in studies.items():
            write_tables(replace(found, study=name).tables, folders[name])
            write_plan(found.plan, folders[name] / PLAN)
        write_parts(folders, stimuli, untested, pages, [], [])

    return write_all


def html(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.html"))}


@pytest.mark.parametrize(
    ("paired", "personas"),
    [("results", "candidates"), ("results", "one_refused"), ("nothing", "nobody")],
)
def test_pages_render_whatever_was_run(
    paired: str,
    personas: str,
    pages: Path,
    write: Write,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    found = {name: request.getfixturevalue(paired) for name in OTHERS}
    found |= {name: request.getfixturevalue(personas) for name in WITH_PERSONAS}
    write(found)
    render_site(pages, tmp_path / "site", quarto=None, absent=absent_pages(found))
    made = html(tmp_path / "site")
    assert {f"{name}.html" for name in STUDIES} <= set(made)
    for name, page in made.items():
        assert "nan" not in re.findall(r">\s*([^<\s]+)\s*<", page), name
        assert "var:" not in page, name


@pytest.mark.parametrize("left", STUDIES)
def test_a_study_that_is_not_configured_is_nowhere_in_the_site(
    left: str, pages: Path, write: Write, tmp_path: Path, results: Results, one_model: Results
) -> None:
    designs = {"paired": results, "personas": one_model}
    write({name: designs[s.design] for name, s in STUDIES.items() if name != left})
    absent = absent_pages(set(STUDIES) - {left})
    render_site(pages, tmp_path / "site", quarto=None, absent=absent)
    made = html(tmp_path / "site")
    assert f"{left}.html" not in made
    assert {f"{name}.html" for name in STUDIES if name != left} <= set(made)
    for name, page in made.items():
        assert f"{left}.html" not in page, name


def test_only_studies_that_are_known_and_not_configured_are_absent() -> None:
    assert absent_pages(STUDIES) == frozenset()
    assert absent_pages([]) == frozenset(STUDIES)
    assert "index" not in absent_pages([])


def test_the_list_of_pages_takes_title_and_summary_from_each_page(tmp_path: Path) -> None:
    header = "---\ntitle: 'A *b* | c'\ndescription: What for?\n---\n\nText.\n"
    (tmp_path / "colours.qmd").write_text(header, encoding="utf-8")
    text = pages_list(tmp_path, ["colours", "hats"])
    assert text == "- [A \\*b\\* \\| c](colours.qmd). What for?\n"
    assert pages_list(tmp_path, ["hats"]) == "*No study has a page.*\n"


@pytest.mark.parametrize("page", WITH_PERSONAS)
@pytest.mark.parametrize("group", ["verdicts", "gaps", "increments.unspecified"])
def test_a_count_of_verdicts_is_told_with_what_makes_up_the_rest(
    project: Path, page: str, group: str
) -> None:
    """Differences too small to matter among those found, and tests that could not be made."""
    text = (project / "reports" / f"{page}.qmd").read_text(encoding="utf-8")
    cited = set(re.findall(rf"var {page}\.{re.escape(group)}\.(\w+)", text))
    assert cited == {
        "tests",
        "different",
        "negligible",
        "equivalent",
        "inconclusive",
        "not_estimable",
    }
