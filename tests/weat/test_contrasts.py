"""Contrasts of texts: paired where they are, with every text that is lost counted and explained."""

import numpy as np
import pytest
from tests.weat.conftest import toy

from isogloss.errors import StatisticsError
from isogloss.weat import associations, weat
from isogloss.weat.classic import look_up_all
from isogloss.weat.contrasts import (
    AssociationRow,
    ContrastRow,
    TextContrast,
    Texts,
    adjust_contrasts,
    contrast_rows,
)
from isogloss.weat.lists import WordList
from isogloss.weat.options import Options

VECTORS = toy(
    lead=[5, 1], drive=[4, 1], win=[3, 1], bold=[2, 1], care=[1, 4], help=[1, 3], share=[1, 2],
    warm=[2, 3], he=[1, 0], him=[9, 1], she=[0, 1], her=[1, 9],
)  # fmt: skip
LISTS = {"m": WordList("m", ("he", "him")), "f": WordList("f", ("she", "her"))}
IDS = ("i1", "i2", "i3", "i4")
X = Texts("firm", IDS, ("Lead!", "Drive and lead", "win", "Bold"))
Y = Texts("soft", IDS, ("care", "Help; care", "share share", "warm"))


def found(x: Texts, y: Texts, min_words: int = 2) -> tuple[list[ContrastRow], list[AssociationRow]]:
    contrast = TextContrast("c", "some/set", "title", x, y, "m", "f")
    looked_up = look_up_all(LISTS, VECTORS)
    return contrast_rows("toy", VECTORS, contrast, looked_up, min_words, Options())


def test_paired_texts_are_tested_as_pairs_and_as_published() -> None:
    rows, _ = found(X, Y)
    assert [row.outcome.design for row in rows] == ["paired", "unpaired"]
    array, index = VECTORS.array, VECTORS.index
    x = np.array([array[0], (array[1] + array[0]) / 2, array[2], array[3]])
    y = np.array([array[4], (array[5] + array[4]) / 2, array[6], array[7]])
    a, b = array[[index["he"], index["him"]]], array[[index["she"], index["her"]]]
    for row in rows:
        expected = weat(x, y, a, b, design=row.outcome.design)  # type: ignore[arg-type]
        assert row.outcome.effect_size == expected.effect_size
        assert row.outcome.p_value == expected.p_value
    # Of the twelve words only "and" is without vector.
    assert rows[0].coverage == 11 / 12
    assert [row.outcome.p_value for row in rows] == [2 / 16, 2 / 70]


def test_each_text_has_its_association() -> None:
    _, rows = found(X, Y)
    assert [(row.guise, row.item_id) for row in rows] == [
        (guise, item) for guise in ("firm", "soft") for item in IDS
    ]
    a, b = VECTORS.array[[8, 9]], VECTORS.array[[10, 11]]
    assert rows[0].association == associations(VECTORS.array[[0]], a, b)[0]
    assert (rows[1].n_words, rows[1].n_found, rows[1].coverage) == (3, 2, 2 / 3)


def test_a_text_without_vector_is_counted_and_its_partner_left_out() -> None:
    rows, texts = found(Texts("firm", IDS, ("Unheard of", *X.texts[1:])), Y)
    paired, unpaired = rows
    assert (paired.outcome.n_x, paired.outcome.n_y, paired.n_without_vector) == (3, 3, 1)
    assert (unpaired.outcome.n_x, unpaired.outcome.n_y, unpaired.n_without_vector) == (3, 4, 1)
    lost = texts[0]
    assert (lost.status, lost.reason) == ("not_estimable", "no word of the text has a vector")
    assert np.isnan(lost.association)


def test_texts_of_different_items_have_no_pairs() -> None:
    rows, _ = found(X, Texts("soft", ("j1", "j2", "j3", "j4"), Y.texts))
    assert [row.outcome.design for row in rows] == ["unpaired"]


@pytest.mark.parametrize(
    ("y", "min_words", "reason"),
    [
        (Texts("soft", IDS, ("care", "Lead!", "share", "warm")), 2, "1 texts stand in both guises"),
        (Texts("soft", IDS, ("care", "?", "no", "of")), 2, "1 soft texts have a vector, 2 are"),
        (Y, 3, "word list m: 2 of 2 words have a vector, 3 are needed"),
    ],
)
def test_what_cannot_be_tested_says_why(y: Texts, min_words: int, reason: str) -> None:
    row = found(X, y, min_words)[0][-1]
    assert row.outcome.status == "not_estimable"
    assert row.outcome.reason.startswith(reason)
    assert np.isnan([row.outcome.effect_size, row.outcome.p_value, row.outcome.low]).all()


def test_attributes_that_share_a_word_are_refused() -> None:
    looked_up = look_up_all({"m": LISTS["m"], "f": WordList("f", ("she", "HE"))}, VECTORS)
    contrast = TextContrast("c", "some/set", "title", X, Y, "m", "f")
    with pytest.raises(StatisticsError, match="'he' is in both word lists m and f"):
        contrast_rows("toy", VECTORS, contrast, looked_up, 2, Options())


def test_p_is_adjusted_within_contrast_and_design() -> None:
    rows = adjust_contrasts([*found(X, Y)[0], *found(X, Y)[0]])
    assert [row.adjusted.family for row in rows] == ["c | paired", "c | unpaired"] * 2
    assert [row.adjusted.p_adjusted for row in rows] == pytest.approx([4 / 16, 4 / 70] * 2)
    assert {row.adjusted.family_size for row in rows} == {2}
