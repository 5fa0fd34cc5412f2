"""The wordings in gendered styles keep to the items that they are made of."""

import csv
from pathlib import Path

import pytest

STYLES = ("psychosocial", "object_words", "connection", "status", "qualifiers", "emotional")
Rows = list[dict[str, str]]


def read(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def styles(project: Path) -> Rows:
    return read(project / "data" / "stimuli" / "hedging" / "styles.csv")


def test_every_item_is_there_with_its_confident_answer(styles: Rows, project: Path) -> None:
    items = read(project / "data" / "stimuli" / "hedging" / "items.csv")
    keys = ("item_id", "category", "question")
    assert [[row[key] for key in keys] for row in styles] == [
        [row[key] for key in keys] for row in items
    ]
    assert [row["plain"] for row in styles] == [row["confident"] for row in items]


def test_no_two_wordings_are_the_same(styles: Rows) -> None:
    texts = [row[style] for row in styles for style in ("plain", *STYLES)]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("style", STYLES)
def test_lengths_are_close_to_the_plain_answer(styles: Rows, style: str) -> None:
    ratios = [len(row[style].split()) / len(row["plain"].split()) for row in styles]
    assert min(ratios) >= 0.75
    assert max(ratios) <= 1.45
