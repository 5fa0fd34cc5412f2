"""The file of word lists: what it holds, and what is wrong with one that does not fit."""

from pathlib import Path

import pytest

from isogloss.errors import ConfigurationError, ItemError
from isogloss.weat.lists import load_lists

GOOD = """
sources: {me: here}
lists: {a: [x1, x2], b: [y1]}
tests: {T: {title: t, x: a, y: b, a: a, b: b}}
"""


def test_the_shipped_file(project: Path) -> None:
    lists = load_lists(project / "data" / "weat" / "classic.yaml")
    assert list(lists.tests) == [f"W{n}" for n in range(1, 11)]
    sizes = [
        tuple(len(lists.named(name).words) for name in (t.x, t.y, t.a, t.b))
        for t in lists.tests.values()
    ]
    # Caliskan, Bryson and Narayanan (2017), columns N_T and N_A of their table.
    each = (25, 25, 32, 16, 16, 8, 8, 8, 6, 8)
    attributes = (25, 25, 25, 25, 8, 8, 8, 8, 7, 8)
    for number, (n_x, n_y, n_a, n_b) in enumerate(sizes):
        assert n_x == n_y
        assert n_a == n_b == attributes[number]
        if number not in (3, 4):  # these lists have 18 names, of which the authors used 16
            assert n_x == each[number]
    for name in ("male", "female"):
        words = lists.named(f"{name}_attributes").words
        assert words == lists.named(f"{name}_terms_2").words
        assert len(words) == 8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("x: a", "x: c"), "test T: there is no list 'c'"),
        (("y1", "no"), r"lists\.b\.0"),
        (("[y1]", "[]"), r"lists\.b"),
        (("sources", "source"), "source"),
        (("a: [", "a: {"), "cannot be read"),
        (("b: [y1]", "a: [y1]"), "given twice"),
    ],
)
def test_faults_are_named(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = tmp_path / "lists.yaml"
    path.write_text(GOOD.replace(*change, 1), encoding="utf-8")
    with pytest.raises(ItemError, match=message) as raised:
        load_lists(path)
    assert str(path) in str(raised.value)


def test_a_list_that_does_not_exist_is_named_with_those_that_do(tmp_path: Path) -> None:
    path = tmp_path / "lists.yaml"
    path.write_text(GOOD, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="no word list 'c'; there are a, b"):
        load_lists(path).named("c")
