"""The whole report: read every page, check it, render it, and only then write the site."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from isogloss.errors import ReportError
from isogloss.report.render.addresses import fetched_addresses
from isogloss.report.render.page import (
    Page,
    check_page,
    footer_text,
    read_page,
    write_page,
)
from isogloss.report.render.pandoc import Pandoc, citation_keys, find_pandoc
from isogloss.report.render.project import (
    Configuration,
    page_names,
    read_configuration,
    read_variables,
    without_pages,
)
from isogloss.report.render.quarto import quarto_version, render_with_quarto
from isogloss.report.render.source import read_source
from isogloss.report.render.subset import Surroundings, identifiers
from isogloss.report.render.template import style_rules

Engine = Literal["quarto", "pandoc"]


@dataclass(frozen=True)
class Rendering:
    """What was rendered, and with what."""

    engine: Engine
    version: str
    """Version of Quarto or of pandoc."""
    pages: tuple[Path, ...]
    """The files written."""
    warnings: tuple[str, ...] = ()
    """What the renderer said that is no fault."""


@dataclass(frozen=True)
class _Made:
    engine: Engine
    version: str
    pages: Mapping[str, str]
    warnings: tuple[str, ...] = ()


def render_site(
    project: Path, out: Path, *, quarto: Path | None, absent: Collection[str] = ()
) -> Rendering:
    """Render every page of `project` into `out`, with Quarto when its executable is given.

    Pages whose name without suffix is in `absent` are neither rendered nor in the navigation.

    Every page is first held to the same subset, whichever renderer runs, so that a page both
    accept means the same in both. `out` is changed only when every page has been rendered.
    HTML files in it that belong to no page are removed.

    Raises ReportError, naming page and line where there is one, for anything outside the subset
    or unresolved, and when a finished page would fetch anything.
    """
    configuration = without_pages(read_configuration(project), absent)
    pandoc = find_pandoc()
    pages = read_pages(pandoc, project, configuration, absent)
    if quarto is None:
        made = _made_with_pandoc(pandoc, project, configuration, pages)
    else:
        made = _made_with_quarto(quarto, project, pages, absent)
    for name, text in made.pages.items():
        if fetched := fetched_addresses(text):
            raise ReportError(f"{name}: the page would fetch {fetched[0]}")
    return Rendering(made.engine, made.version, write_files(made.pages, out), made.warnings)


def read_pages(
    pandoc: Pandoc, project: Path, configuration: Configuration, absent: Collection[str] = ()
) -> tuple[Page, ...]:
    """Read and check every page of the project that is not in `absent`."""
    bibliography = project / configuration.bibliography
    if not bibliography.is_file():
        raise ReportError(f"_quarto.yml: the bibliography {configuration.bibliography} is missing")
    variables = read_variables(project)
    pages = tuple(
        read_page(pandoc, read_source(project, name, variables))
        for name in page_names(project, absent)
    )
    places = {page.source.stem: identifiers(page.document) for page in pages}
    for item in configuration.website.navbar.left:
        if item.href.removesuffix(".qmd") not in places:
            raise ReportError(f"_quarto.yml: the navigation names {item.href}, which is no page")
    surroundings = Surroundings(project, places, citation_keys(pandoc, bibliography))
    for page in pages:
        check_page(pandoc, page, surroundings)
    return pages


def _made_with_pandoc(
    pandoc: Pandoc, project: Path, configuration: Configuration, pages: tuple[Page, ...]
) -> _Made:
    name = configuration.format.html.theme[1]
    path = project / name
    if not path.is_file():
        raise ReportError(f"_quarto.yml: the theme {name} is missing")
    try:
        style = style_rules(path.read_text(encoding="utf-8"), name)
    except UnicodeDecodeError as error:
        raise ReportError(
            f"{name}: not UTF-8 text (byte {error.start}); save it as UTF-8"
        ) from None
    html = {
        f"{page.source.stem}.html": write_page(pandoc, page, project, configuration, style)
        for page in pages
    }
    return _Made("pandoc", pandoc.version, html)


def _made_with_quarto(
    quarto: Path, project: Path, pages: tuple[Page, ...], absent: Collection[str]
) -> _Made:
    version = quarto_version(quarto)
    made = render_with_quarto(quarto, project, footer_text(f"Quarto {version}"), absent)
    names = [f"{page.source.stem}.html" for page in pages]
    for name in names:
        if name not in made.pages:
            raise ReportError(f"Quarto made no {name}")
    return _Made("quarto", version, {name: made.pages[name] for name in names}, made.warnings)


def write_files(rendered: Mapping[str, str], out: Path) -> tuple[Path, ...]:
    """Write the pages into a folder, and remove its other HTML files."""
    out.mkdir(parents=True, exist_ok=True)
    for path in out.glob("*.html"):
        if path.name not in rendered:
            path.unlink()
    written = tuple(out / name for name in sorted(rendered))
    for path in written:
        path.write_bytes(rendered[path.name].encode())
    return written
