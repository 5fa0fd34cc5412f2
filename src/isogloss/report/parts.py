"""Everything that pages include, written from result tables."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from isogloss.analysis.files import Design
from isogloss.report.audit import ModelRecord, SourceRecord, audit_part
from isogloss.report.designs import DESIGNS, design_of
from isogloss.report.figure_style import write_svg
from isogloss.report.overview import overview_figure, overview_table
from isogloss.report.results import Results, read_results
from isogloss.report.stimuli_tables import STIMULI_TEXTS, StimuliResults
from isogloss.report.study_pages import pages_list
from isogloss.report.values import Values, stimuli_values, write_variables
from isogloss.report.weat_figures import WEAT_FIGURES
from isogloss.report.weat_tables import WEAT_TEXTS, WeatResults

GENERATED = "_generated"
VARIABLES = "_variables.yml"
STIMULI = "stimuli"
"""Folder of the parts about item sets, and the name of their values."""

WEAT = "weat"
"""Folder of the parts about association tests."""


def part_names(studies: Mapping[str, Design]) -> list[str]:
    """Return every file that `write_parts` writes, relative to the folder of pages.

    `studies` gives the design of each study.
    """
    of_studies = [
        f"{GENERATED}/{study}/{name}"
        for study, design in studies.items()
        for name in (
            *(f"{n}.md" for n in DESIGNS[design].texts),
            *(f"{n}.svg" for n in DESIGNS[design].figures),
        )
    ]
    shared = [
        f"{GENERATED}/{name}" for name in ("overview.svg", "overview.md", "pages.md", "audit.md")
    ]
    stimuli = [f"{GENERATED}/{STIMULI}/{name}.md" for name in STIMULI_TEXTS]
    weat = [
        f"{GENERATED}/{WEAT}/{name}"
        for name in (*(f"{n}.md" for n in WEAT_TEXTS), *(f"{n}.svg" for n in WEAT_FIGURES))
    ]
    return [*of_studies, *stimuli, *weat, *shared, VARIABLES]


def write_parts(
    results: Mapping[str, Path],
    stimuli: StimuliResults,
    weat: WeatResults,
    reports: Path,
    sources: Sequence[SourceRecord],
    models: Sequence[ModelRecord],
) -> list[Path]:
    """Write the parts of every study's page and of the pages about all studies.

    `results` gives the folder of result tables of each study. Returns the files of `part_names`.
    Raises `ReportError` naming a result file that is missing or damaged.
    """
    everything = [read_results(folder, study) for study, folder in results.items()]
    for study in everything:
        write_study_parts(study, reports)
    generated = reports / GENERATED
    for name, text in STIMULI_TEXTS.items():
        _write(text(stimuli), generated / STIMULI / f"{name}.md")
    write_weat_parts(weat, reports)
    write_svg(overview_figure(everything), generated / "overview.svg")
    _write(overview_table(everything), generated / "overview.md")
    _write(pages_list(reports, list(results)), generated / "pages.md")
    _write(audit_part(sources, models), generated / "audit.md")
    values: Values = {study.study: design_of(study).values(study) for study in everything}
    values[STIMULI] = stimuli_values(stimuli)
    write_variables(values, reports / VARIABLES)
    designs = {study.study: study.plan.design for study in everything}
    return [reports / name for name in part_names(designs)]


def write_study_parts(results: Results, reports: Path) -> None:
    """Write the parts of one study's page."""
    folder, parts = reports / GENERATED / results.study, design_of(results)
    for name, text in parts.texts.items():
        _write(text(results), folder / f"{name}.md")
    for name, figure in parts.figures.items():
        write_svg(figure(results), folder / f"{name}.svg")


def write_weat_parts(weat: WeatResults, reports: Path) -> None:
    """Write the parts about association tests."""
    folder = reports / GENERATED / WEAT
    for name, text in WEAT_TEXTS.items():
        _write(text(weat), folder / f"{name}.md")
    for name, figure in WEAT_FIGURES.items():
        write_svg(figure(weat), folder / f"{name}.svg")


def _write(text: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
