"""The document tree that pandoc reads and writes as JSON, and the few ways a page is walked over.

A node is a mapping with a type under `t` and its content under `c`
(https://hackage.haskell.org/package/pandoc-types).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Node = dict[str, Any]
Tree = Any
"""A node, or whatever nests inside one: lists, strings, numbers."""

ATTRIBUTE_POSITION = {
    "Code": 0,
    "CodeBlock": 0,
    "Div": 0,
    "Figure": 0,
    "Header": 1,
    "Image": 0,
    "Link": 0,
    "Span": 0,
    "Table": 0,
}


@dataclass(frozen=True)
class Attributes:
    """Identifier, classes and key-value pairs of a node."""

    identifier: str = ""
    classes: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> list[Any]:
        """Return the list that pandoc writes for these attributes."""
        return [self.identifier, list(self.classes), [list(pair) for pair in self.pairs]]


@dataclass(frozen=True)
class Document:
    """A page as pandoc read it: the blocks of its body, without metadata."""

    api_version: tuple[int, ...]
    blocks: list[Node]


def is_node(tree: Tree) -> bool:
    """Say whether a part of the tree is a node with a type."""
    return isinstance(tree, dict) and "t" in tree


def nodes(tree: Tree) -> Iterator[Node]:
    """Yield every node of the tree in document order, an outer node before what is inside it."""
    if is_node(tree):
        yield tree
    inside = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    for part in inside:
        yield from nodes(part)


def rewrite(tree: Tree, change: Callable[[Node], list[Node]]) -> Tree:
    """Return the tree with each node replaced by what `change` makes of it, inner nodes first."""
    if isinstance(tree, dict):
        return {key: rewrite(part, change) for key, part in tree.items()}
    if not isinstance(tree, list):
        return tree
    changed: list[Tree] = []
    for part in tree:
        inner = rewrite(part, change)
        changed.extend(change(inner) if is_node(inner) else [inner])
    return changed


def attributes(node: Node) -> Attributes:
    """Return the attributes of a node; types that cannot have any have empty ones."""
    position = ATTRIBUTE_POSITION.get(node["t"])
    if position is None:
        return Attributes()
    identifier, classes, pairs = node["c"][position]
    return Attributes(identifier, tuple(classes), tuple((key, value) for key, value in pairs))


def plain_text(tree: Tree) -> str:
    """Return the words of a tree without their formatting."""
    words = {"Space": " ", "SoftBreak": " ", "LineBreak": " "}
    text = ""
    for node in nodes(tree):
        if node["t"] == "Str":
            text += node["c"]
        elif node["t"] in ("Code", "Math"):
            text += node["c"][1]
        else:
            text += words.get(node["t"], "")
    return text


def string(text: str) -> Node:
    """Return a text node, which every writer escapes."""
    return {"t": "Str", "c": text}


def span(text: str, name: str) -> Node:
    """Return text in a span with one class."""
    return {"t": "Span", "c": [Attributes(classes=(name,)).as_json(), [string(text)]]}


def division(blocks: list[Node], attributes: Attributes) -> Node:
    """Return blocks in a division."""
    return {"t": "Div", "c": [attributes.as_json(), blocks]}


def plain(inlines: list[Node]) -> Node:
    """Return inlines as a block without the margins of a paragraph."""
    return {"t": "Plain", "c": inlines}
