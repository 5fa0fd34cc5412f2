from isogloss.report.render.document import (
    Attributes,
    attributes,
    division,
    nodes,
    plain,
    plain_text,
    rewrite,
    span,
    string,
)

TREE = [
    plain([string("one"), {"t": "Space"}, span("two", "verdict-different")]),
    division([], Attributes("x")),
]


def test_nodes_come_in_document_order_outer_first() -> None:
    assert [node["t"] for node in nodes(TREE)] == ["Plain", "Str", "Space", "Span", "Str", "Div"]


def test_rewrite_replaces_inner_nodes_before_outer_ones_and_leaves_the_tree_alone() -> None:
    def double(node):
        return [node, node] if node["t"] in ("Str", "Span") else [node]

    changed = rewrite(TREE, double)
    assert plain_text(changed) == "oneone twotwotwotwo"
    assert plain_text(TREE) == "one two"


def test_attributes_of_a_node_without_any_are_empty() -> None:
    assert attributes(string("a")) == Attributes()
    assert attributes(division([], Attributes("i", ("c",), (("k", "v"),)))) == Attributes(
        "i", ("c",), (("k", "v"),)
    )
