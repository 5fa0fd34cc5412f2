"""Callouts: `::: {.callout-note title="..."}`, or with a heading as its first block."""

from isogloss.report.render.document import (
    Attributes,
    Node,
    attributes,
    division,
    plain,
    rewrite,
    string,
)

DEFAULT_TITLES = {
    "callout-note": "Note",
    "callout-tip": "Tip",
    "callout-important": "Important",
    "callout-warning": "Warning",
}
TITLE = "callout-title"


def titled_callouts(blocks: list[Node]) -> list[Node]:
    """Return the blocks with each callout as a division whose first block is its title."""
    changed: list[Node] = rewrite(blocks, _titled)
    return changed


def is_callout(node: Node) -> bool:
    """Say whether a node is a callout that `titled_callouts` has prepared."""
    return node["t"] == "Div" and "callout" in attributes(node).classes


def _titled(node: Node) -> list[Node]:
    own = attributes(node)
    known = len(own.classes) == 1 and own.classes[0] in DEFAULT_TITLES
    if node["t"] != "Div" or not known or {key for key, _ in own.pairs} - {"title"}:
        return [node]
    kind, blocks = own.classes[0], node["c"][1]
    words = [string(dict(own.pairs).get("title") or DEFAULT_TITLES[kind])]
    if blocks and blocks[0]["t"] == "Header" and not own.pairs:
        words, blocks = blocks[0]["c"][2], blocks[1:]
    title = division([plain(words)], Attributes(classes=(TITLE,)))
    outer = Attributes(own.identifier, ("callout", kind), (("role", "note"),))
    return [division([title, *blocks], outer)]
