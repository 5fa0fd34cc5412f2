"""One page with the pandoc renderer: read it, refuse what it may not contain, write it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from isogloss.errors import ReportError
from isogloss.report.render.callouts import titled_callouts
from isogloss.report.render.document import Document, Node, nodes
from isogloss.report.render.labels import has_citations, linked_references, page_labels
from isogloss.report.render.layout import laid_out, reference_list
from isogloss.report.render.pandoc import (
    STRICT,
    Pandoc,
    as_document,
    formulas_without_mathml,
    raw_constructs,
    read_tree,
    write_html,
)
from isogloss.report.render.project import Configuration
from isogloss.report.render.source import Line, Source
from isogloss.report.render.subset import Surroundings, page_faults
from isogloss.report.render.template import TEMPLATE, Frame, frame_metadata


@dataclass(frozen=True)
class Page:
    """A page and the document that pandoc makes of it."""

    source: Source
    document: Document


def read_page(pandoc: Pandoc, source: Source) -> Page:
    """Read a page; ReportError, naming the line, when it holds anything raw."""
    text = as_text(source.lines)
    if found := raw_constructs(pandoc, text):
        line = first_line(
            source.lines, lambda lines: found[0] in raw_constructs(pandoc, as_text(lines))
        )
        raise line.error(f"{found[0]}; pages are Markdown only, escape the text with backslashes")
    return Page(source, read_document(pandoc, text))


def read_document(pandoc: Pandoc, text: str) -> Document:
    """Read Markdown with everything raw turned off, and prepare its callouts."""
    document = as_document(read_tree(pandoc, text, STRICT))
    return Document(document.api_version, titled_callouts(document.blocks))


def check_page(pandoc: Pandoc, page: Page, surroundings: Surroundings) -> None:
    """Raise ReportError, naming the line, for the first thing outside the subset."""

    def faults(document: Document) -> list[str]:
        return [*page_faults(document, surroundings), *formula_faults(pandoc, document)]

    found = faults(page.document)
    if not found:
        return

    def shows(lines: tuple[Line, ...]) -> bool:
        return found[0] in faults(read_document(pandoc, as_text(lines)))

    raise first_line(page.source.lines, shows).error(found[0])


def formula_faults(pandoc: Pandoc, document: Document) -> list[str]:
    """List the first formula, if any, that cannot be shown as MathML."""
    formulas: list[Node] = [
        {"t": "Para", "c": [node]} for node in nodes(document.blocks) if node["t"] == "Math"
    ]
    if not formulas:
        return []
    failed = formulas_without_mathml(pandoc, formulas, document.api_version)
    return [f"the formula {failed} cannot be shown as MathML"] if failed else []


def first_line(lines: tuple[Line, ...], shows: Callable[[tuple[Line, ...]], bool]) -> Line:
    """Return the line that completes a fault: the last of the shortest beginning that shows it."""
    low, high = 0, len(lines) - 1
    while low < high:
        middle = (low + high) // 2
        if shows(lines[: middle + 1]):
            high = middle
        else:
            low = middle + 1
    return lines[low]


def as_text(lines: tuple[Line, ...]) -> str:
    """Return lines as one text."""
    return "\n".join(line.text for line in lines) + "\n"


def write_page(
    pandoc: Pandoc, page: Page, project: Path, configuration: Configuration, style: str
) -> str:
    """Return a checked page as self-contained HTML."""
    labels = page_labels(page.document)
    document = laid_out(linked_references(page.document, labels), labels, project)
    if has_citations(document) and not _has_reference_place(document):
        document = Document(document.api_version, [*document.blocks, *reference_list()])
    try:
        return write_html(
            pandoc,
            document,
            frame_metadata(page_frame(pandoc, page, configuration, style)),
            TEMPLATE,
            bibliography=project / configuration.bibliography,
            toc_depth=configuration.format.html.toc_depth,
        )
    except ReportError as error:
        raise ReportError(f"{page.source.name}: {error}") from None


def page_frame(pandoc: Pandoc, page: Page, configuration: Configuration, style: str) -> Frame:
    """Return what surrounds a page: navigation, title, style and the renderer's name."""
    renderer = f"pandoc {pandoc.version}"
    here = f"{page.source.stem}.qmd"
    navigation = tuple(
        (item.href.removesuffix(".qmd") + ".html", item.text, item.href == here)
        for item in configuration.website.navbar.left
    )
    return Frame(
        language=configuration.lang,
        site=configuration.website.title,
        heading=page.source.header.title,
        summary=page.source.header.description,
        contents_title=configuration.format.html.toc_title,
        navigation=navigation,
        style=style,
        footer=footer_text(renderer),
        renderer=renderer,
    )


def footer_text(renderer: str) -> str:
    """Return the sentence at the foot of a page that says what made it."""
    return f"Rendered by {renderer} from the recorded results. The page computes nothing."


def _has_reference_place(document: Document) -> bool:
    return any(node["t"] == "Div" and node["c"][0][0] == "refs" for node in nodes(document.blocks))
