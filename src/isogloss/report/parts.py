"""Everything that pages include, written from result tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from matplotlib.figure import Figure

from isogloss.analysis.files import PLAN, Design
from isogloss.report.audit import ModelRecord, SourceRecord, audit_part
from isogloss.report.designs import DESIGNS, design_of
from isogloss.report.drawing import drawn_from, drawn_from_markdown
from isogloss.report.figure_style import write_svg
from isogloss.report.overview import overview_figure, overview_table
from isogloss.report.results import Results, read_results
from isogloss.report.stimuli_tables import STIMULI_TEXTS, StimuliResults
from isogloss.report.study_pages import pages_list
from isogloss.report.values import Values, stimuli_values, variables_text
from isogloss.report.weat_figures import WEAT_FIGURES
from isogloss.report.weat_tables import FOLDER as WEAT_TABLES
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


@dataclass(frozen=True)
class PartInputs:
    """Everything that the parts are made from."""

    studies: tuple[Results, ...]
    stimuli: StimuliResults
    weat: WeatResults
    sources: Sequence[SourceRecord]
    models: Sequence[ModelRecord]
    identifier: str = ""
    """What the package of the run is called; empty where nothing is to be said of it."""


@dataclass(frozen=True)
class PartFigure:
    """A figure among the parts."""

    draw: Callable[[], Figure]
    files: tuple[str, ...]
    """Tables that it is drawn from, relative to the project's folder."""


def write_parts(
    results: Mapping[str, Path],
    stimuli: StimuliResults,
    weat: WeatResults,
    reports: Path,
    sources: Sequence[SourceRecord],
    models: Sequence[ModelRecord],
) -> list[Path]:
    """Read the results of each study from its folder, and write every part.

    Returns the files of `part_names`. Raises `ReportError` naming a result file that is missing or
    damaged.
    """
    studies = tuple(read_results(folder, study) for study, folder in results.items())
    return write_all(PartInputs(studies, stimuli, weat, sources, models), reports)


def write_all(inputs: PartInputs, reports: Path) -> list[Path]:
    """Write the parts of every study's page and of the pages about all studies.

    Returns the files of `part_names`.
    """
    for name, figure in part_figures(inputs).items():
        write_svg(figure.draw(), _made_folder(reports / name), drawn_from(figure.files))
    for name, text in part_texts(inputs, reports).items():
        _made_folder(reports / name).write_text(text, encoding="utf-8")
    designs = {study.study: study.plan.design for study in inputs.studies}
    return [reports / name for name in part_names(designs)]


def part_texts(inputs: PartInputs, reports: Path) -> dict[str, str]:
    """Return every part that is text by its name relative to the folder of pages, `reports`.

    The folder is read for the titles of the pages.
    """
    shared = {
        "overview.md": overview_table(inputs.studies),
        "pages.md": pages_list(reports, [study.study for study in inputs.studies]),
        "audit.md": audit_part(inputs.sources, inputs.models, inputs.identifier),
    }
    return {
        **{name: text for study in inputs.studies for name, text in _study_texts(study)},
        **{
            f"{GENERATED}/{STIMULI}/{name}.md": text(inputs.stimuli)
            for name, text in STIMULI_TEXTS.items()
        },
        **{f"{GENERATED}/{WEAT}/{name}.md": text(inputs.weat) for name, text in WEAT_TEXTS.items()},
        **{f"{GENERATED}/{name}": text for name, text in shared.items()},
        VARIABLES: variables_text(part_values(inputs)),
    }


def part_figures(inputs: PartInputs) -> dict[str, PartFigure]:
    """Return every figure by its name relative to the folder of pages."""
    return {
        **{name: figure for study in inputs.studies for name, figure in _study_figures(study)},
        **{
            f"{GENERATED}/{WEAT}/{name}.svg": PartFigure(
                partial(drawing, inputs.weat),
                tuple(f"{WEAT_TABLES}/{table}" for table in _csv(drawing.tables)),
            )
            for name, drawing in WEAT_FIGURES.items()
        },
        f"{GENERATED}/overview.svg": PartFigure(
            partial(overview_figure, inputs.studies),
            tuple(
                study.file(file)
                for study in inputs.studies
                for file in (*_csv(design_of(study).headline_tables), PLAN)
            ),
        ),
    }


def part_values(inputs: PartInputs) -> Values:
    """Return the values of all pages."""
    figures: Values = {
        _key(name): drawn_from_markdown(figure.files)
        for name, figure in part_figures(inputs).items()
    }
    return {
        **{study.study: design_of(study).values(study) for study in inputs.studies},
        STIMULI: stimuli_values(inputs.stimuli),
        "figures": figures,
    }


def _study_texts(study: Results) -> Iterator[tuple[str, str]]:
    for name, text in design_of(study).texts.items():
        yield f"{GENERATED}/{study.study}/{name}.md", text(study)


def _study_figures(study: Results) -> Iterator[tuple[str, PartFigure]]:
    for name, drawing in design_of(study).figures.items():
        files = tuple(study.file(file) for file in (*_csv(drawing.tables), PLAN))
        yield f"{GENERATED}/{study.study}/{name}.svg", PartFigure(partial(drawing, study), files)


def _csv(tables: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{name}.csv" for name in tables)


def _key(name: str) -> str:
    """Name of the value that says what a figure is drawn from: `hedging-effects`."""
    return Path(name).relative_to(GENERATED).with_suffix("").as_posix().replace("/", "-")


def _made_folder(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
