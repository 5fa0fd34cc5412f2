"""Postings are read from each form of table with their guise, title and verdict."""

from pathlib import Path

import pandas as pd
import pytest

from isogloss.errors import ItemError
from isogloss.postings.posting import Posting
from isogloss.stimuli.read import read_stimuli
from isogloss.stimuli.sets import load_sets
from isogloss.studies.base import ItemTable
from isogloss.studies.recruitment.items import (
    AGENTIC,
    CODED,
    Wording,
    contrast_of,
    shares_title,
    wordings,
)


def test_pairs_with_two_titles(gender: ItemTable) -> None:
    assert (contrast_of(gender), shares_title(gender)) == (AGENTIC, False)
    first, second, third, _ = wordings(gender)[:4]
    baker = Posting("Caring Baker 1", "Support the bakery 1.")
    assert first == Wording("job1", "communal", baker, valid=True)
    assert second.posting == Posting("Driven Baker 1", "Lead the bakery 1.")
    assert (third.item_id, third.valid) == ("job2", False)


def test_pairs_with_one_title(exclusion: ItemTable) -> None:
    assert (contrast_of(exclusion), shares_title(exclusion)) == (CODED, True)
    first, second = wordings(exclusion)[:2]
    assert first.posting.title == second.posting.title == "Baker 1"
    assert (first.guise, second.guise) == ("inclusive", "coded_exclusion")


def test_postings_that_are_no_pairs(unpaired: ItemTable) -> None:
    assert (contrast_of(unpaired), shares_title(unpaired)) == (AGENTIC, False)
    found = [(one.item_id, one.guise, one.valid) for one in wordings(unpaired)]
    assert found == [
        ("1", "agentic", True),
        ("2", "agentic", True),
        ("3", "communal", True),
        ("4", "communal", False),
    ]


def test_a_table_of_something_else_is_an_error() -> None:
    table = ItemTable("own", pd.DataFrame([{"item_id": "a", "hedged": "maybe"}]), {})
    with pytest.raises(ItemError, match="item set own: its columns hold no postings"):
        contrast_of(table)


@pytest.mark.parametrize("name", ["gender", "exclusion"])
def test_the_authored_sets_hold_forty_postings(project: Path, name: str) -> None:
    declared = load_sets(project / "data" / "stimuli")[f"recruitment/{name}"].content
    items = read_stimuli(declared, project / str(declared.file))
    found = wordings(ItemTable(name, items, {}))
    assert len({one.posting for one in found}) == len(found) == 40
    assert all(one.posting.title and one.posting.description for one in found)


@pytest.mark.mirror
@pytest.mark.parametrize(
    ("name", "file", "shared"),
    [
        ("published-gender", "gender_postings.csv", False),
        ("published-exclusion", "race_pairs.csv", True),
    ],
)
def test_the_published_sets_hold_forty_postings(
    project: Path, mirror: Path, name: str, file: str, shared: bool
) -> None:
    declared = load_sets(project / "data" / "stimuli")[f"recruitment/{name}"].content
    items = read_stimuli(declared, mirror / "recruitment_2609_18106" / file)
    table = ItemTable(name, items, {})
    guises = [one.guise for one in wordings(table)]
    contrast = contrast_of(table)
    assert guises.count(contrast.guise) == guises.count(contrast.reference) == 20
    assert shares_title(table) == shared
