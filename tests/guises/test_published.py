"""The published pairs of habitual be and the published word stems, read from the mirror."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from isogloss.guises.measure import Finder

pytestmark = pytest.mark.mirror


@pytest.fixture(scope="module")
def pairs(mirror: Path) -> list[list[str]]:
    path = mirror / "dialect_prejudice" / "habitual.txt"
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def test_habitual_be_is_found_on_its_side_only(
    pairs: list[list[str]], finders: Mapping[str, Finder]
) -> None:
    find = finders["aae"].find
    assert len(pairs) == 699
    found = [any(marker.device == "habitual_be" for marker in find(aae)) for aae, _ in pairs]
    assert sum(found) == 699
    assert [sae for _, sae in pairs if find(sae)] == []


@pytest.mark.parametrize(
    ("name", "key"), [("agentic", "masculine_coded_words"), ("communal", "feminine_coded_words")]
)
def test_every_published_stem_counts(
    name: str, key: str, mirror: Path, finders: Mapping[str, Finder]
) -> None:
    lists = json.loads((mirror / "gender_decoder" / "wordlists.json").read_text(encoding="utf-8"))
    assert [stem for stem in lists[key] if not finders[name].find(stem)] == []


@pytest.mark.parametrize(("name", "other"), [("agentic", "communal"), ("communal", "agentic")])
def test_published_postings_hold_their_own_words(
    name: str, other: str, mirror: Path, finders: Mapping[str, Finder]
) -> None:
    path = mirror / "recruitment_2609_18106" / "gender_postings.csv"
    with path.open(encoding="utf-8", newline="") as file:
        texts = [row["description"] for row in csv.DictReader(file) if row["word_theme"] == name]
    assert len(texts) == 20
    counts = [(len(finders[name].find(text)), len(finders[other].find(text))) for text in texts]
    assert all(mine >= 3 and theirs <= 1 for mine, theirs in counts)


@pytest.mark.parametrize("name", ["hedged", "aae", "qualifiers", "emotional"])
def test_published_postings_and_questions_are_plain(
    name: str, mirror: Path, finders: Mapping[str, Finder]
) -> None:
    """Standard English written by others: what is found there at all is a handful of words."""
    postings = mirror / "recruitment_2609_18106" / "gender_postings.csv"
    questions = mirror / "hedging" / "hedging_questions.csv"
    texts: list[str] = []
    for path, column in ((postings, "description"), (questions, "Question")):
        with path.open(encoding="utf-8", newline="") as file:
            texts += [row[column] for row in csv.DictReader(file)]
    assert len(texts) == 140
    assert sum(len(finders[name].find(text)) for text in texts) <= (0 if name == "aae" else 14)
