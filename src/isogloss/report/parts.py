"""Everything that pages include, written from result tables."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from isogloss.report.audit import ModelRecord, SourceRecord, audit_part
from isogloss.report.count_tables import (
    decision_tests_table,
    decisions_table,
    exclusions_table,
    means_table,
    missing_table,
    missing_tests_table,
    validation_table,
)
from isogloss.report.figure_style import write_svg
from isogloss.report.figures import (
    decisions_figure,
    distributions_figure,
    effects_figure,
    overview_figure,
    subgroups_figure,
)
from isogloss.report.headline import headline
from isogloss.report.mixed_tables import mixed_fits_table, mixed_table
from isogloss.report.results import Results, read_results
from isogloss.report.stimuli_tables import STIMULI_TEXTS, StimuliResults
from isogloss.report.tables import (
    effects_table,
    mitigation_table,
    overview_table,
    paper_table,
    subgroups_table,
)
from isogloss.report.values import Values, stimuli_values, study_values, write_variables

GENERATED = "_generated"
VARIABLES = "_variables.yml"
STIMULI = "stimuli"
"""Folder of the parts about item sets, and the name of their values."""

TEXTS: dict[str, Callable[[Results], str]] = {
    "headline": headline,
    "effects": effects_table,
    "subgroups": subgroups_table,
    "mixed": mixed_table,
    "mixed-fits": mixed_fits_table,
    "paper": paper_table,
    "mitigation": mitigation_table,
    "means": means_table,
    "decisions": decisions_table,
    "decision-tests": decision_tests_table,
    "missing": missing_table,
    "missing-tests": missing_tests_table,
    "exclusions": exclusions_table,
    "validation": validation_table,
}
"""Markdown parts of a study's page, each written as `<name>.md`, whatever the results hold."""

FIGURES: dict[str, Callable[[Results], Figure]] = {
    "distributions": distributions_figure,
    "effects": effects_figure,
    "subgroups": subgroups_figure,
    "decisions": decisions_figure,
}
"""Figures of a study's page, each written as `<name>.svg`."""


def part_names(studies: Sequence[str]) -> list[str]:
    """Return every file that `write_parts` writes, relative to the folder of pages."""
    of_studies = [
        f"{GENERATED}/{study}/{name}"
        for study in studies
        for name in (*(f"{n}.md" for n in TEXTS), *(f"{n}.svg" for n in FIGURES))
    ]
    shared = [f"{GENERATED}/{name}" for name in ("overview.svg", "overview.md", "audit.md")]
    stimuli = [f"{GENERATED}/{STIMULI}/{name}.md" for name in STIMULI_TEXTS]
    return [*of_studies, *stimuli, *shared, VARIABLES]


def write_parts(
    results: Mapping[str, Path],
    stimuli: StimuliResults,
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
    write_svg(overview_figure(everything), generated / "overview.svg")
    _write(overview_table(everything), generated / "overview.md")
    _write(audit_part(sources, models), generated / "audit.md")
    values: Values = {study.study: study_values(study) for study in everything}
    values[STIMULI] = stimuli_values(stimuli)
    write_variables(values, reports / VARIABLES)
    return [reports / name for name in part_names(list(results))]


def write_study_parts(results: Results, reports: Path) -> None:
    """Write the parts of one study's page."""
    folder = reports / GENERATED / results.study
    for name, text in TEXTS.items():
        _write(text(results), folder / f"{name}.md")
    for name, figure in FIGURES.items():
        write_svg(figure(results), folder / f"{name}.svg")


def _write(text: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
