"""The report's own pages, rendered: those of a run, or with made-up results.

`ISOGLOSS_SITE` names the folder of a rendered site; without it one is made here. Screenshots are
written into the folder that `SCREENSHOTS` names.
"""

import os
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from tests.report import conftest as made_up

from isogloss.analysis.files import PLAN
from isogloss.analysis.plan import write_plan
from isogloss.analysis.tables import write_tables
from isogloss.report.parts import write_parts
from isogloss.report.render import render_site
from isogloss.report.results import Results
from isogloss.report.stimuli_tables import StimuliResults
from isogloss.report.weat_tables import WeatResults
from isogloss.studies.registry import STUDIES

plan = made_up.plan
checks = made_up.checks
verdicts = made_up.verdicts
results = made_up.results
candidates = made_up.candidates
stimuli = made_up.stimuli
untested = made_up.untested

PAGES = ("*.qmd", "_quarto.yml", "custom.scss", "references.bib")


@pytest.fixture(scope="session")
def rendered(
    project: Path,
    results: Results,
    candidates: Results,
    stimuli: StimuliResults,
    untested: WeatResults,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Folder of the rendered pages."""
    given = os.environ.get("ISOGLOSS_SITE")
    if given:
        return Path(given).resolve()
    folder = tmp_path_factory.mktemp("report")
    for pattern in PAGES:
        for path in (project / "reports").glob(pattern):
            shutil.copy(path, folder)
    designs = {"paired": results, "personas": candidates}
    studies = {name: designs[study.design] for name, study in STUDIES.items()}
    write_parts(_results(studies, folder), stimuli, untested, folder, [], [])
    render_site(folder, folder / "_site", quarto=None)
    return folder / "_site"


def _results(studies: Mapping[str, Results], folder: Path) -> dict[str, Path]:
    folders = {name: folder / "results" / name for name in studies}
    for name, found in studies.items():
        tables: dict[str, pd.DataFrame] = replace(found, study=name).tables
        write_tables(tables, folders[name])
        write_plan(found.plan, folders[name] / PLAN)
    return folders


@pytest.fixture(scope="session")
def screenshots() -> Path | None:
    """Folder for screenshots; None when nobody asked for them."""
    given = os.environ.get("SCREENSHOTS")
    if not given:
        return None
    folder = Path(given)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
