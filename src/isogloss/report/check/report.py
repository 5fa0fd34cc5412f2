"""The whole report: parts against tables, pages against parts, sentences against declarations."""

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from isogloss.report.check.compare import Difference, differences
from isogloss.report.check.declared import (
    Declaration,
    Declarations,
    Undeclared,
    read_declarations,
    undeclared,
    unused,
)
from isogloss.report.check.page import shown_page
from isogloss.report.check.parts import PartDifference, part_differences
from isogloss.report.check.source import Expected, expected_page
from isogloss.report.parts import PartInputs, part_texts
from isogloss.report.render.pandoc import Pandoc, find_pandoc
from isogloss.report.render.project import (
    Configuration,
    page_names,
    read_configuration,
    read_variables,
    without_pages,
)
from isogloss.report.render.source import Line, Source, read_source
from isogloss.report.study_pages import absent_pages

_GENERATOR = re.compile(rb"<meta\s[^>]*name=\"generator\"[^>]*>")
_VERSIONED = re.compile(r"[a-z]+[ -](\d+(?:\.\d+)+)")


@dataclass(frozen=True)
class PageCheck:
    """What was found on one page."""

    name: str
    """Name of the page without suffix."""
    numbers: int
    """Numbers, tables and figures that were compared."""
    differences: tuple[Difference, ...]
    undeclared: tuple[Undeclared, ...]


@dataclass(frozen=True)
class ReportDifferences:
    """What was found in the whole report."""

    parts: tuple[PartDifference, ...]
    pages: tuple[PageCheck, ...]
    missing: tuple[str, ...]
    """Pages that were not rendered."""
    strangers: tuple[str, ...]
    """HTML files of the site that belong to no page."""
    unused: tuple[tuple[str, Declaration], ...]
    """Declarations whose text the page has no more, by page."""


def check_report(inputs: PartInputs, reports: Path, site: Path) -> ReportDifferences:
    """Compare the pages of `site`, and the parts in `reports`, with what `inputs` give.

    Raises `ReportError` where a source cannot be read, and `RecordError` where a page cannot.
    """
    texts = part_texts(inputs, reports)
    absent = absent_pages([study.study for study in inputs.studies])
    pandoc, declared = find_pandoc(), read_declarations(reports)
    configuration = without_pages(read_configuration(reports), absent)
    sources = _sources(reports, texts, page_names(reports, absent))
    expected = _expected(pandoc, sources, reports / configuration.bibliography)
    here = [source for source in sources if (site / f"{source.stem}.html").is_file()]
    allowed = tuple(_allowed(expected, configuration, reports))
    pages = tuple(
        _page(source, expected[source.stem], reports, site, declared, allowed, pandoc)
        for source in here
    )
    names = {f"{source.stem}.html" for source in sources}
    return ReportDifferences(
        tuple(part_differences(texts, reports)),
        pages,
        tuple(f"{source.stem}.html" for source in sources if source not in here),
        tuple(sorted(path.name for path in site.glob("*.html") if path.name not in names)),
        tuple(_unused(expected, declared)),
    )


def _expected(pandoc: Pandoc, sources: Sequence[Source], bibliography: Path) -> dict[str, Expected]:
    """Read pages side by side, since most of the time goes into pandoc's processes."""
    with ThreadPoolExecutor() as pool:
        pages = pool.map(lambda source: expected_page(pandoc, source, bibliography), sources)
        return {source.stem: page for source, page in zip(sources, pages, strict=True)}


def _sources(reports: Path, texts: Mapping[str, str], names: Iterable[str]) -> tuple[Source, ...]:
    """Pages with the parts as they should be, whatever stands in the folder."""
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder)
        for path in reports.glob("*.qmd"):
            shutil.copyfile(path, stage / path.name)
        for name, text in texts.items():
            (stage / name).parent.mkdir(parents=True, exist_ok=True)
            (stage / name).write_text(text, encoding="utf-8")
        variables = read_variables(stage)
        return tuple(read_source(stage, name, variables) for name in names)


def _page(
    source: Source,
    expected: Expected,
    reports: Path,
    site: Path,
    declared: Declarations,
    allowed: tuple[str, ...],
    pandoc: Pandoc,
) -> PageCheck:
    name = f"{source.stem}.html"
    content = (site / name).read_bytes()
    wanted = expected.shown
    found = shown_page(content, {*wanted.tables, *wanted.figures}, f"{site.name}/{name}")
    versions = tuple(_renderer(content))
    known = (*allowed, *versions)
    same = f"pandoc {pandoc.version}" in versions
    own = [line for line in source.lines if line.file == source.name]
    numbers = sum(len(row) for table in wanted.tables.values() for row in table.rows)
    return PageCheck(
        source.stem,
        numbers + len(wanted.prose.tokens) + len(wanted.figures),
        tuple(differences(expected, found, reports, known, same_pandoc=same)),
        tuple(undeclared(expected.own, declared.get(source.stem, ()), own)),
    )


def _allowed(
    expected: Mapping[str, Expected], configuration: Configuration, reports: Path
) -> Iterator[str]:
    """Texts whose numbers may stand in the frame and among the references of any page."""
    yield (reports / configuration.bibliography).read_text(encoding="utf-8")
    yield configuration.website.title
    yield from (item.text for item in configuration.website.navbar.left)
    yield from (page.shown.frame.text for page in expected.values())


def _renderer(content: bytes) -> Iterator[str]:
    """Name and version of the renderer as the page's head has them; they stand at its foot too."""
    for tag in _GENERATOR.findall(content[:100_000]):
        text = tag.decode("utf-8", errors="replace")
        yield from (match[0] for match in _VERSIONED.finditer(text))
        yield from (match[1] for match in _VERSIONED.finditer(text))


def _unused(
    expected: Mapping[str, Expected], declared: Declarations
) -> Iterator[tuple[str, Declaration]]:
    for name, page in expected.items():
        yield from ((name, one) for one in unused(page.own, declared.get(name, ())))


def line_name(line: Line | None, page: str) -> str:
    """Return the file and the number of a line, or the page where the line is not known."""
    return f"{page}.qmd" if line is None else f"{line.file}:{line.number}"
