"""Form of the authored statements about groups: counts, notes, lengths, and the group named."""

import csv
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from isogloss.validate.tokens import count_words

Row = Mapping[str, str]

NAMED = {
    "women": r"\bwomen\b",
    "older_people": r"\b(?:older|elderly)\b",
    "immigrants": r"\bimmigrants?\b",
    "muslims": r"\bmuslims?\b",
    "jewish_people": r"\bjewish\b",
    "black_people": r"\bblack\b",
    "disabled_people": r"\b(?:disabled|disabilities|wheelchair users)\b",
    "gay_people": r"\b(?:gay|lesbian)\b",
    "poor_people": r"\b(?:poor|low incomes)\b",
    "little_schooling": r"\b(?:schooling|without a degree|left school|never finished school)\b",
}
"""How a statement says whom it is about; it must name its own group."""


def read(project: Path, name: str, columns: list[str]) -> list[Row]:
    path = project / "data" / "stimuli" / "second_order" / name
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        assert reader.fieldnames == columns
        return list(reader)


@pytest.fixture(scope="module")
def targets(project: Path) -> list[Row]:
    """The groups that the statements are about."""
    return read(project, "targets.csv", ["target", "group", "contrasted", "note"])


@pytest.fixture(scope="module")
def rows(project: Path) -> list[Row]:
    """The statements as they stand in the file."""
    return read(project, "items.csv", ["item_id", "target", "statement", "content_note"])


def test_ten_groups_have_six_statements_each_numbered_from_one(
    targets: list[Row], rows: list[Row]
) -> None:
    names = [row["target"] for row in targets]
    assert len(set(names)) == 10
    expected = [f"{name}-{n:02d}" for name in names for n in range(1, 7)]
    assert [row["item_id"] for row in rows] == expected
    assert Counter(row["target"] for row in rows) == dict.fromkeys(names, 6)


def test_every_group_is_contrasted_with_another_and_says_on_what_ground(
    targets: list[Row],
) -> None:
    for row in targets:
        assert all(row[name] for name in ("group", "contrasted", "note")), row["target"]
        assert row["group"] != row["contrasted"], row["target"]


def test_statements_are_single_sentences_of_fitting_length(rows: list[Row]) -> None:
    for row in rows:
        assert re.fullmatch(r"[A-Z][A-Za-z', ]*\.", row["statement"]), row["item_id"]
        assert 8 <= count_words(row["statement"]) <= 20, row["item_id"]
    assert len({row["statement"] for row in rows}) == len(rows)


def test_a_statement_names_its_own_group(rows: list[Row]) -> None:
    for row in rows:
        assert re.search(NAMED[row["target"]], row["statement"], re.IGNORECASE), row["item_id"]


def test_every_statement_carries_a_note_that_names_its_group(
    targets: list[Row], rows: list[Row]
) -> None:
    groups = {row["target"]: row["group"] for row in targets}
    for row in rows:
        assert groups[row["target"]] in row["content_note"], row["item_id"]
        assert "false as a generalisation" in row["content_note"], row["item_id"]
