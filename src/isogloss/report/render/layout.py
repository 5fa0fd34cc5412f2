"""How numbered parts of a page look: headings, figures, and tables that scroll on their own."""

from pathlib import Path

from isogloss.report.render.document import (
    Attributes,
    Document,
    Node,
    attributes,
    division,
    plain,
    rewrite,
    span,
    string,
)
from isogloss.report.render.images import data_address
from isogloss.report.render.labels import KINDS, NO_BREAK_SPACE, Labels

DEFAULT_WIDTH = {"t": "ColWidthDefault"}
SPACE: Node = {"t": "Space"}


def laid_out(document: Document, labels: Labels, project: Path) -> Document:
    """Return the document with numbers in headings and captions, and images as data."""

    def change(node: Node) -> list[Node]:
        match node["t"]:
            case "Header":
                return [_numbered_heading(node, labels)]
            case "Figure":
                return [_captioned_figure(node, labels)]
            case "Image":
                return [_embedded_image(node, project)]
            case "Link":
                return [_page_link(node)]
            case "Table":
                return [_scrolling_table(node, labels)]
            case _:
                return [node]

    return Document(document.api_version, rewrite(document.blocks, change))


def _numbered_heading(node: Node, labels: Labels) -> Node:
    level, own, words = node["c"]
    number = labels.sections.get(attributes(node).identifier)
    if number is None:
        return node
    return {"t": "Header", "c": [level, own, [span(number, "section-number"), SPACE, *words]]}


def _numbered_caption(blocks: list[Node], label: str, labels: Labels) -> list[Node]:
    kind = KINDS[label.partition("-")[0]]
    number = span(f"{kind}{NO_BREAK_SPACE}{labels.numbers[label]}.", "caption-number")
    first, *others = blocks
    return [{"t": first["t"], "c": [number, SPACE, *first["c"]]}, *others]


def _captioned_figure(node: Node, labels: Labels) -> Node:
    own, (short, caption), blocks = node["c"]
    numbered = _numbered_caption(caption, own[0], labels)
    name = f"{KINDS['fig']} {labels.numbers[own[0]]}"
    scroll = Attributes(classes=("figure-scroll",), pairs=_focusable(("aria-label", name)))
    return {"t": "Figure", "c": [own, [short, numbered], [division(blocks, scroll)]]}


def _embedded_image(node: Node, project: Path) -> Node:
    alternative = dict(attributes(node).pairs)["fig-alt"]
    address = data_address(project, node["c"][2][0])
    return {"t": "Image", "c": [Attributes().as_json(), [string(alternative)], [address, ""]]}


def _page_link(node: Node) -> Node:
    own, words, (address, title) = node["c"]
    page, dash, fragment = address.partition("#")
    return {
        "t": "Link",
        "c": [
            own,
            words,
            [page.removesuffix(".qmd") + ".html" * page.endswith(".qmd") + dash + fragment, title],
        ],
    }


def _scrolling_table(node: Node, labels: Labels) -> Node:
    label = attributes(node).identifier
    _, (_, caption), columns, *rows = node["c"]
    columns = [[alignment, DEFAULT_WIDTH] for alignment, _ in columns]
    if not label:
        own = Attributes(classes=("table-scroll",), pairs=_focusable(("aria-label", "Table")))
        return division([{**node, "c": [*node["c"][:2], columns, *rows]}], own)
    named = ("aria-labelledby", f"{label}-caption")
    table = [Attributes(pairs=(named,)).as_json(), [None, []], columns, *rows]
    title = Attributes(f"{label}-caption", ("table-caption",))
    scroll = Attributes(classes=("table-scroll",), pairs=_focusable(named))
    return division(
        [
            division(_numbered_caption(caption, label, labels), title),
            division([{"t": "Table", "c": table}], scroll),
        ],
        Attributes(label, ("numbered-table",)),
    )


def _focusable(name: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    return (("tabindex", "0"), ("role", "region"), name)


def reference_list() -> list[Node]:
    """Return the heading and the place of the reference list."""
    heading = Attributes("references", ("unnumbered",)).as_json()
    return [
        {"t": "Header", "c": [2, heading, [string("References")]]},
        division([plain([])], Attributes("refs")),
    ]
