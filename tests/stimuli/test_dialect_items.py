"""Form of the authored dialect pairs: counts, ids, lengths, and features that are really there."""

import csv
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from isogloss.guises.aae import FEATURES
from isogloss.guises.definition import load_guise
from isogloss.guises.measure import Finder, finder_of
from isogloss.validate.tokens import count_words

COLUMNS = ["item_id", "register", "sae", "aae", "features"]
CORE = (
    *("habitual_be", "zero_copula", "negative_concord", "aint", "zero_third_s"),
    *("completive_done", "remote_been", "preterite_had", "possessive_they", "existential_it"),
    *("was_levelling", "finna", "yall"),
)
"""Features that stand in enough pairs to be looked at one by one."""
FEWEST, MOST_WORDS, FEWEST_WORDS = 5, 25, 10
EYE_DIALECT = re.compile(
    r"\b(?:dat|dis|dem|dey|wit|da|mo|fo|sho|gon|aks|nuffin|\w+in')(?!\w)", re.IGNORECASE
)

Row = Mapping[str, str]


@pytest.fixture(scope="module")
def rows(project: Path) -> list[Row]:
    """The pairs as they stand in the file."""
    path = project / "data" / "stimuli" / "dialect" / "items.csv"
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        assert reader.fieldnames == COLUMNS
        return list(reader)


@pytest.fixture(scope="module")
def finder(project: Path) -> Finder:
    """What finds the features in a text."""
    return finder_of(load_guise(project / "data" / "guises" / "aae.yaml"), project)


def listed(row: Row) -> set[str]:
    return set(row["features"].split(";"))


def test_ten_registers_have_six_pairs_each_numbered_from_one(rows: list[Row]) -> None:
    counts = Counter(row["register"] for row in rows)
    assert len(counts) == 10
    expected = [f"{name}-{n:02d}" for name in counts for n in range(1, 7)]
    assert [row["item_id"] for row in rows] == expected
    assert all(row["item_id"].startswith(row["register"] + "-") for row in rows)


def test_no_text_stands_twice(rows: list[Row]) -> None:
    texts = [row[guise] for row in rows for guise in ("sae", "aae")]
    assert len(set(texts)) == 120


@pytest.mark.parametrize("guise", ["sae", "aae"])
def test_texts_are_clean_and_of_sentence_length(rows: list[Row], guise: str) -> None:
    for row in rows:
        text = row[guise]
        assert re.fullmatch(r"[A-Z][A-Za-z',\- ]*[.?]", text), row["item_id"]
        assert FEWEST_WORDS <= count_words(text) <= MOST_WORDS, row["item_id"]
        assert not EYE_DIALECT.search(text), row["item_id"]


def test_both_wordings_end_alike(rows: list[Row]) -> None:
    assert [row["item_id"] for row in rows if row["sae"][-1] != row["aae"][-1]] == []


def test_features_are_known_and_one_to_three(rows: list[Row]) -> None:
    for row in rows:
        assert listed(row) <= set(FEATURES), row["item_id"]
        assert 1 <= len(row["features"].split(";")) == len(listed(row)) <= 3, row["item_id"]


def test_every_core_feature_stands_in_several_pairs(rows: list[Row]) -> None:
    counts = Counter(name for row in rows for name in listed(row))
    assert {name: counts[name] for name in CORE if counts[name] < FEWEST} == {}


def test_found_features_are_listed_and_the_reference_has_none(
    rows: list[Row], finder: Finder
) -> None:
    for row in rows:
        found = {marker.device for marker in finder.find(row["aae"])}
        assert found, row["item_id"]
        assert found <= listed(row), row["item_id"]
        assert not finder.find(row["sae"]), row["item_id"]


def test_most_listed_features_are_found(rows: list[Row], finder: Finder) -> None:
    pairs = [(row["aae"], name) for row in rows for name in listed(row)]
    found = [name in {marker.device for marker in finder.find(text)} for text, name in pairs]
    assert sum(found) >= 0.8 * len(found)
