"""What a page should show, read from its Markdown by pandoc."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from isogloss.report.check.shown import Cell, Figure, Passage, Scribe, Shown, Table, squeezed
from isogloss.report.provenance.sources import CITING
from isogloss.report.render.callouts import titled_callouts
from isogloss.report.render.document import Document, Node, attributes, is_node, nodes
from isogloss.report.render.labels import KINDS, Labels, kind_of, page_labels
from isogloss.report.render.pandoc import STRICT, Pandoc, as_document, run
from isogloss.report.render.source import Source

_BLANKS = frozenset({"Space", "SoftBreak", "LineBreak"})
_QUOTES = {"SingleQuote": ("\u2018", "\u2019"), "DoubleQuote": ("\u201c", "\u201d")}
_BLOCKS = frozenset(
    {
        *("BlockQuote", "BulletList", "CodeBlock", "DefinitionList", "Div", "Header"),
        *("HorizontalRule", "LineBlock", "OrderedList", "Para", "Plain"),
    }
)


@dataclass(frozen=True)
class Expected:
    """What a page should show, and how its labels are numbered."""

    shown: Shown
    own: Shown
    """What the page says itself, without what it includes."""
    labels: Labels


def expected_page(pandoc: Pandoc, source: Source, bibliography: Path) -> Expected:
    """Read a page whose includes and variables are in place."""
    whole, labels = _read(pandoc, source, ["--citeproc", f"--bibliography={bibliography}"])
    lines = tuple(
        line if line.file == source.name else replace(line, text="") for line in source.lines
    )
    own, _ = _read(pandoc, replace(source, lines=lines), [])
    return Expected(whole, own, labels)


def _read(pandoc: Pandoc, source: Source, options: list[str]) -> tuple[Shown, Labels]:
    text = "\n".join(line.text for line in source.lines) + "\n"
    tree = run(pandoc.path, ["--sandbox", "-f", STRICT, "-t", "json", *options], text)
    document = as_document(tree)
    blocks = titled_callouts(document.blocks)
    labels = page_labels(Document(document.api_version, blocks))
    reader = _Reader(labels.numbers, labels.sections)
    reader.read(blocks)
    return reader.shown(f"{source.header.title} {source.header.description}"), labels


class _Reader:
    def __init__(self, numbers: Mapping[str, str], sections: Mapping[str, str]) -> None:
        self._numbers, self._sections = numbers, sections
        self._prose, self._references = Scribe(), Scribe()
        self._tables: dict[str, Table] = {}
        self._figures: dict[str, Figure] = {}
        self._notes: list[Any] = []

    def shown(self, frame: str) -> Shown:
        notes, self._notes = self._notes, []
        self.read(notes)
        scribe = Scribe()
        scribe.write(frame)
        return Shown(
            self._prose.passage(),
            self._tables,
            self._figures,
            self._references.passage(),
            scribe.passage(),
        )

    def read(self, tree: Any) -> None:
        """Read blocks of the page into its prose, its tables and its figures."""
        for node in _children(tree):
            if node["t"] == "Table":
                label = attributes(node).identifier or f"table {len(self._tables) + 1}"
                self._tables[label] = self._table(node)
            elif node["t"] == "Figure":
                self._figures[attributes(node).identifier] = self._figure(node)
            elif node["t"] == "DefinitionList":
                for term, definitions in node["c"]:
                    self.read(term)
                    self._prose.write(" ")
                    self.read(definitions)
            elif node["t"] == "Div" and attributes(node).identifier == "refs":
                self._references.write(_plain(node) + " ")
            else:
                self._write(node, self._prose)

    def _write(self, node: Node, scribe: Scribe) -> None:
        kind, own = node["t"], attributes(node)
        if kind == "Str":
            scribe.write(node["c"])
        elif kind in _BLANKS:
            scribe.write(" ")
        elif kind in ("Code", "CodeBlock", "Math"):
            scribe.write(node["c"][1])
        elif kind == "Cite":
            self._write_citation(node, scribe)
        elif kind == "Note":
            self._notes.append(node["c"])
        elif kind == "Span" and (title := _source_title(node)):
            scribe.write_token(_plain(node), title)
        elif kind == "Quoted":
            quotes = _QUOTES[node["c"][0]["t"]]
            scribe.write(quotes[0])
            self._inside(node, scribe)
            scribe.write(quotes[1])
        else:
            if kind == "Header":
                self._write_number(own.identifier, _plain(node), scribe)
            self._inside(node, scribe)
        if kind in _BLOCKS:
            scribe.write(" ")

    def _inside(self, node: Node, scribe: Scribe) -> None:
        if scribe is self._prose and node["t"] in _BLOCKS:
            self.read(node.get("c", []))
            return
        for inner in _children(node.get("c", [])):
            self._write(inner, scribe)

    def _write_number(self, identifier: str, words: str, scribe: Scribe) -> None:
        scribe.write_heading(words)
        if number := self._sections.get(identifier):
            scribe.write_token(number, exempt=True)
            scribe.write(" ")

    def _write_citation(self, node: Node, scribe: Scribe) -> None:
        keys = [part["citationId"] for part in node["c"][0]]
        if kind_of(keys[0]) is None:
            self._references.write(_plain(node) + " ")
            scribe.write(" ")
            return
        for key in keys:
            scribe.write(f"{KINDS[str(kind_of(key))]} ")
            scribe.write_token(self._numbers.get(key, "?"), exempt=True)
            scribe.write(" ")

    def _passage(self, tree: Any) -> Passage:
        scribe = Scribe()
        for node in _children(tree):
            self._write(node, scribe)
        return scribe.passage()

    def _table(self, node: Node) -> Table:
        _, (_, caption), _, (_, head), bodies, (_, foot) = node["c"]
        rows = [*head, *(row for body in bodies for part in body[2:] for row in part), *foot]
        cells = tuple(tuple(self._cell(cell[4]) for cell in row[1]) for row in rows)
        return Table(cells, self._passage(caption))

    def _cell(self, blocks: Any) -> Cell:
        passage = self._passage(blocks)
        cited = tuple(token.key for token in passage.tokens if token.source)
        return Cell(squeezed(passage.text), cited)

    def _figure(self, node: Node) -> Figure:
        images = [one for one in nodes(node["c"][2]) if one["t"] == "Image"]
        alternative = Scribe()
        alternative.write(dict(attributes(images[0]).pairs).get("fig-alt", ""))
        caption = self._passage(node["c"][1][1])
        return Figure(images[0]["c"][2][0], caption, alternative.passage())


def _source_title(span: Node) -> str:
    own = attributes(span)
    return dict(own.pairs).get("title", "") if CITING & set(own.classes) else ""


def _children(tree: Any) -> Iterator[Node]:
    """Yield the outermost nodes of a tree."""
    if is_node(tree):
        yield tree
        return
    inside = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    for part in inside:
        yield from _children(part)


def _plain(node: Node) -> str:
    """Return the words of a node."""
    if node["t"] in _BLANKS:
        return " "
    if node["t"] == "Str":
        return str(node["c"])
    if node["t"] in ("Code", "CodeBlock", "Math"):
        return str(node["c"][1])
    text = "".join(_plain(inner) for inner in _children(node.get("c", [])))
    return f"{text} " if node["t"] in _BLOCKS else text
