"""What a page may contain. Everything else is a fault, said in one sentence each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from isogloss.report.provenance.sources import TITLE as SOURCE_TITLE
from isogloss.report.render.callouts import DEFAULT_TITLES, TITLE
from isogloss.report.render.document import (
    Attributes,
    Document,
    Node,
    attributes,
    nodes,
    plain_text,
)
from isogloss.report.render.images import image_fault
from isogloss.report.render.labels import kind_of, reference_faults

CLASSES = {
    "CodeBlock": {"bash", "console", "json", "python", "text", "yaml"},
    "Div": {"callout", TITLE, *DEFAULT_TITLES},
    "Header": {"unnumbered", "unlisted"},
    "Link": {"uri"},
    "Span": {"num", "source", "verdict-different", "verdict-equivalent", "verdict-inconclusive"},
}
"""Classes that may be given, by type of node."""

PAIRS = {
    "Div": {"role": re.compile("note")},
    "Image": {"fig-alt": re.compile(r".*", re.DOTALL)},
    "Span": {"title": SOURCE_TITLE},
}
"""Attributes that may be given, by type of node, and the form of their values."""

RESERVED = frozenset({"page-content", "page-contents"})
"""Identifiers of the page's own frame."""


@dataclass(frozen=True)
class Surroundings:
    """What a page may refer to: the project's files, its pages, the bibliography's keys."""

    project: Path
    pages: Mapping[str, frozenset[str]]
    """Identifiers on each page, by the page's name without suffix."""
    citations: frozenset[str]


def page_faults(document: Document, surroundings: Surroundings) -> list[str]:
    """List what in a page lies outside the subset; an empty list means it can be rendered."""
    every_node = list(nodes(document.blocks))
    own = identifiers(document)
    faults = [fault for node in every_node for fault in attribute_faults(node)]
    faults += heading_faults(every_node)
    faults += figure_faults(every_node, surroundings.project)
    faults += [
        fault
        for node in every_node
        if node["t"] == "Link"
        if (fault := link_fault(node["c"][2][0], own, surroundings.pages))
    ]
    return faults + reference_faults(document, surroundings.citations)


def attribute_faults(node: Node) -> list[str]:
    """List classes, attributes and identifiers that this type of node may not have."""
    own = attributes(node)
    kind = node["t"]
    faults = [
        f"the class .{name} is not one that pages may use"
        for name in own.classes
        if name not in CLASSES.get(kind, set())
    ]
    allowed: Mapping[str, re.Pattern[str]] = PAIRS.get(kind, {})
    faults += [
        f"the attribute {key}={value!r} is not one that pages may use"
        for key, value in own.pairs
        if key not in allowed or not allowed[key].fullmatch(value)
    ]
    if own.identifier in RESERVED:
        faults.append(f"the identifier #{own.identifier} belongs to the page's frame; rename it")
    return faults + label_faults(node, own)


def label_faults(node: Node, own: Attributes) -> list[str]:
    """List captions that are missing or have lost their label."""
    if node["t"] == "Table":
        caption = plain_text(node["c"][1])
        if own.identifier and kind_of(own.identifier) != "tbl":
            return [f"the label {own.identifier} of a table must begin with tbl-"]
        if own.identifier and not caption.strip():
            return [f"the table {own.identifier} needs a caption"]
        if "{#" in caption:
            return ["a label inside a table's caption; it must come last: `: caption {#tbl-name}`"]
    if node["t"] == "Div" and not own.classes and own.identifier != "refs":
        return ["a block between ::: lines that is not a callout"]
    return []


def heading_faults(every_node: list[Node]) -> list[str]:
    """List headings at level 1, which is the title's, and levels that are skipped."""
    faults = []
    previous = 1
    for node in every_node:
        if node["t"] != "Header":
            continue
        level, words = node["c"][0], plain_text(node["c"][2])
        if level == 1:
            faults.append(f'the heading "{words}" is at level 1, which is the title\'s; use ##')
        elif level > previous + 1:
            faults.append(f'the heading "{words}" skips a level')
        previous = level
    return faults


def figure_faults(every_node: list[Node], project: Path) -> list[str]:
    """List images that are no labelled figure, have no alternative text, or cannot be shown."""
    faults = []
    images = [node for node in every_node if node["t"] == "Image"]
    figures = [node for node in every_node if node["t"] == "Figure"]
    labelled = [image for figure in figures for image in nodes(figure) if image["t"] == "Image"]
    for image in images:
        address = image["c"][2][0]
        pairs = dict(attributes(image).pairs)
        if fault := image_fault(project, address):
            faults.append(fault)
        elif not any(image is one for one in labelled):
            faults.append(f"the image {address} must stand alone, with a caption")
        elif not pairs.get("fig-alt", "").strip():
            faults.append(f'the image {address} needs an alternative text: fig-alt="..."')
    for figure in figures:
        if kind_of(attributes(figure).identifier) != "fig":
            faults.append("a figure needs a label that begins with fig-: {#fig-name}")
    return faults


def identifiers(document: Document) -> frozenset[str]:
    """Return every identifier on a page that a link can lead to."""
    return frozenset(attributes(node).identifier for node in nodes(document.blocks)) - {""}


def link_fault(address: str, own: frozenset[str], pages: Mapping[str, frozenset[str]]) -> str:
    """Say why a link may not be followed, or nothing.

    A link leads to an identifier of its own page, or to a page of the site by its name ending in
    .qmd or .html, with or without an identifier there.
    """
    match = re.fullmatch(r"(?:([\w-]+)\.(?:qmd|html))?(?:#(.+))?", address)
    if match is None or not address:
        return f"the link {address} leads outside the site; name the work in references.bib instead"
    page, fragment = match[1], match[2]
    if page is not None and page not in pages:
        return f"the link {address} leads to a page that does not exist"
    there = own if page is None else pages[page]
    if fragment is not None and fragment not in there:
        return f"the link {address} leads to a place that does not exist"
    return ""
