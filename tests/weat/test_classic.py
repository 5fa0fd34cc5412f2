"""The classic tests on 50-dimensional GloVe vectors give the figures that are known for them."""

from pathlib import Path

import pytest
from tests.weat.conftest import toy

from isogloss.weat.classic import classic_rows, look_up_all, text_vocabulary_rows, vocabulary_rows
from isogloss.weat.lists import WordLists, load_lists
from isogloss.weat.options import Options
from isogloss.weat.records import ClassicRow
from isogloss.weat.static_vectors import StaticVectors

KNOWN = {
    "W1": 1.08, "W2": 1.54, "W3": 0.95, "W4": 0.96, "W5": 1.07,
    "W6": 1.71, "W7": 1.50, "W8": 1.48, "W9": 1.12, "W10": 0.68,
}  # fmt: skip
"""Effect sizes with ddof 1, to two decimals."""
TWO_DECIMALS = 0.01

WEFE = {
    "W1": 1.0916444997999712,
    "W2": 1.5596376765251105,
    "W3": 0.9605673816587893,
    "W4": 0.9729513249537073,
    "W5": 1.087224025768425,
    "W6": 1.7637851135361726,
    "W7": 1.5441682235538026,
    "W8": 1.5335827164593683,
    "W9": 1.167817601461057,
    "W10": 0.7022415113644392,
}
"""What WEFE 1.0.1 gives for the same lists and vectors in lower case; its ddof is 0."""
SINGLE_PRECISION = 1e-6
"""WEFE computes cosines in the 32 bits of the vectors."""


@pytest.fixture(scope="module")
def lists(project: Path) -> WordLists:
    return load_lists(project / "data" / "weat" / "classic.yaml")


def rows(glove: StaticVectors, lists: WordLists, ddof: int) -> dict[str, ClassicRow]:
    options = Options(ddof=ddof, n_permutations=2_000, n_bootstrap=200)
    found = classic_rows("glove", lists, look_up_all(lists.lists, glove), 4, options)
    return {row.test: row for row in found}


def test_effect_sizes_are_those_known(glove: StaticVectors, lists: WordLists) -> None:
    found = rows(glove, lists, ddof=1)
    sizes = {name: row.outcome.effect_size for name, row in found.items()}
    assert sizes == pytest.approx(KNOWN, abs=TWO_DECIMALS)
    assert {name: row.missing for name, row in found.items() if row.missing} == {
        "W1": "flowers: gladiola"
    }
    assert all(
        row.outcome.low < row.outcome.effect_size < row.outcome.high for row in found.values()
    )
    assert {row.adjusted.family_size for row in found.values()} == {10}
    assert found["W6"].outcome.exact
    assert not found["W1"].outcome.exact
    assert found["W1"].outcome.p_value == 1 / 2001


def test_effect_sizes_are_those_of_wefe(glove: StaticVectors, lists: WordLists) -> None:
    sizes = {name: row.outcome.effect_size for name, row in rows(glove, lists, ddof=0).items()}
    assert sizes == pytest.approx(WEFE, abs=SINGLE_PRECISION)


def test_without_lower_case_the_names_are_not_found(glove: StaticVectors, lists: WordLists) -> None:
    """And the row says so, instead of testing what is left."""
    exact = StaticVectors("glove", glove.index, glove.array, "as_written")
    found = rows(exact, lists, ddof=1)
    row = found["W6"]
    assert row.outcome.status == "not_estimable"
    assert row.outcome.reason.startswith("word list male_names: 0 of 8 words have a vector")
    assert "male_names: John; " in row.missing
    assert row.outcome.effect_size != row.outcome.effect_size
    assert row.adjusted.family_size == 10
    assert found["W1"].outcome.status == "ok"


def test_every_word_is_listed_once_with_what_became_of_it(
    glove: StaticVectors, lists: WordLists
) -> None:
    looked_up = look_up_all(lists.lists, glove)
    listed = vocabulary_rows("glove", looked_up, has_vocabulary=True)
    wanted = {(one.name, word) for one in lists.lists.values() for word in one.words}
    assert {(row.list, row.word) for row in listed} == wanted
    assert len(listed) == len(wanted)
    assert [row.word for row in listed if row.status == "missing"] == ["gladiola"]
    encoded = vocabulary_rows("encoder", looked_up, has_vocabulary=False)
    assert {row.status for row in encoded} == {"encoded", "missing"}


def test_words_of_texts_are_counted() -> None:
    found = text_vocabulary_rows("toy", "texts", ["b", "a", "b"], toy(a=[1, 0]))
    assert [(row.word, row.status, row.occurrences) for row in found] == [
        ("a", "found", 1),
        ("b", "missing", 2),
    ]
