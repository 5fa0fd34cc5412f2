"""Cross-references: which labels a page has, what number each bears, and links in their place."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from isogloss.report.render.document import (
    Attributes,
    Document,
    Node,
    attributes,
    nodes,
    rewrite,
    string,
)

KINDS = {"tbl": "Table", "fig": "Figure", "sec": "Section"}
"""Words that a reference shows, by the prefix of the label."""

LABELLED_BY = {"Table": "tbl", "Figure": "fig", "Header": "sec"}
NO_BREAK_SPACE = "\u00a0"


@dataclass(frozen=True)
class Labels:
    """The numbers on a page: of its labels, and of its numbered headings by identifier."""

    numbers: Mapping[str, str]
    sections: Mapping[str, str]


def kind_of(label: str) -> str | None:
    """Return the prefix that makes a citation a cross-reference, or None."""
    prefix, dash, _ = label.partition("-")
    return prefix if dash and prefix in KINDS else None


def page_labels(document: Document) -> Labels:
    """Number tables and figures in order, and headings below level 1 hierarchically."""
    numbers: dict[str, str] = {}
    sections: dict[str, str] = {}
    counts: Counter[str] = Counter()
    levels: list[int] = []
    for node in nodes(document.blocks):
        own = attributes(node)
        numbered = node["t"] == "Header" and "unnumbered" not in own.classes
        if numbered and node["c"][0] > 1:
            levels = _next_section(levels, node["c"][0] - 1)
            sections[own.identifier] = ".".join(str(level) for level in levels)
        kind = kind_of(own.identifier)
        if kind is None or LABELLED_BY.get(node["t"]) != kind:
            continue
        counts[kind] += 1
        number = sections.get(own.identifier) if kind == "sec" else str(counts[kind])
        if number is not None:
            numbers[own.identifier] = number
    return Labels(numbers, sections)


def _next_section(levels: list[int], depth: int) -> list[int]:
    padded = [*levels, *([0] * depth)][:depth]
    return [*padded[:-1], padded[-1] + 1]


def reference_faults(document: Document, citations: frozenset[str]) -> list[str]:
    """List references to labels the page has not, unknown citations, and labels given twice."""
    numbers = page_labels(document).numbers
    faults = []
    seen: set[str] = set()
    for node in nodes(document.blocks):
        identifier = attributes(node).identifier
        if identifier and identifier in seen:
            faults.append(f"the label {identifier} is used twice; give each its own")
        seen.add(identifier)
        if node["t"] == "Cite":
            faults.extend(_citation_faults(node, numbers, citations))
    return faults


def _citation_faults(
    node: Node, numbers: Mapping[str, str], citations: frozenset[str]
) -> list[str]:
    faults = []
    parts = node["c"][0]
    kinds = {kind_of(part["citationId"]) for part in parts}
    if None in kinds and len(kinds) > 1:
        faults.append("a citation and a cross-reference share brackets; separate them")
    for part in parts:
        key = part["citationId"]
        if kind_of(key) is None:
            if key not in citations:
                faults.append(f"@{key} is in no bibliography; add it to references.bib")
        elif key not in numbers:
            faults.append(f"@{key} refers to nothing numbered on this page; label it {{#{key}}}")
        elif part["citationPrefix"] or part["citationSuffix"]:
            faults.append(f"@{key} stands among other words in its brackets; move them out")
    return faults


def linked_references(document: Document, labels: Labels) -> Document:
    """Return the document with each cross-reference as a link, such as *Table 2*."""

    def link(node: Node) -> list[Node]:
        if node["t"] != "Cite" or kind_of(node["c"][0][0]["citationId"]) is None:
            return [node]
        links = [_link(part, labels.numbers) for part in node["c"][0]]
        return [part for one in links for part in (string(", "), one)][1:]

    return Document(document.api_version, rewrite(document.blocks, link))


def _link(citation: Node, numbers: Mapping[str, str]) -> Node:
    label = citation["citationId"]
    number = numbers[label]
    bare = citation["citationMode"]["t"] == "SuppressAuthor"
    text = number if bare else f"{KINDS[str(kind_of(label))]}{NO_BREAK_SPACE}{number}"
    own = Attributes(classes=("cross-reference",))
    return {"t": "Link", "c": [own.as_json(), [string(text)], [f"#{label}", ""]]}


def has_citations(document: Document) -> bool:
    """Say whether a page cites anything from the bibliography."""
    return any(
        node["t"] == "Cite" and kind_of(node["c"][0][0]["citationId"]) is None
        for node in nodes(document.blocks)
    )
