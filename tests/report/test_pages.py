"""The project's own pages and the parts they include fit together."""

import re
import shutil
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

PAGES = ("*.qmd", "_quarto.yml", "custom.scss", "references.bib")


@pytest.fixture
def pages(project: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "reports"
    folder.mkdir()
    for pattern in PAGES:
        for path in (project / "reports").glob(pattern):
            shutil.copy(path, folder)
    return folder


@pytest.mark.parametrize("which", ["results", "nothing"])
def test_pages_render_whatever_was_run(
    which: str,
    pages: Path,
    stimuli: StimuliResults,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    found: Results = replace(request.getfixturevalue(which), study="hedging")
    write_tables(found.tables, tmp_path / "results")
    write_plan(found.plan, tmp_path / "results" / PLAN)
    write_parts({"hedging": tmp_path / "results"}, stimuli, pages, [], [])
    made = render_site(pages, tmp_path / "site", quarto=None)
    page = (tmp_path / "site" / "hedging.html").read_text(encoding="utf-8")
    assert "hedging.html" in {path.name for path in made.pages}
    assert "nan" not in re.findall(r">\s*([^<\s]+)\s*<", page)
    assert "var:" not in page
