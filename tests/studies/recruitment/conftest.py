"""Item tables in the three forms that hold postings."""

import pandas as pd
import pytest
from tests.studies.fake_model import FakeModel

from isogloss.studies.base import ItemTable

PAIRED, SHARED = "agentic - communal", "coded_exclusion - inclusive"


@pytest.fixture
def fake() -> FakeModel:
    """A stand-in for a model whose probabilities are seen."""
    return FakeModel()


@pytest.fixture
def gender() -> ItemTable:
    """Four pairs with a title for each wording; the second pair failed validation."""
    rows = [
        {
            "item_id": f"job{n}",
            "occupation": "baker",
            "agentic_title": f"Driven Baker {n}",
            "agentic": f"Lead the bakery {n}.",
            "communal_title": f"Caring Baker {n}",
            "communal": f"Support the bakery {n}.",
        }
        for n in range(1, 5)
    ]
    valid = {(row["item_id"], PAIRED): row["item_id"] != "job2" for row in rows}
    return ItemTable("gender", pd.DataFrame(rows), valid)


@pytest.fixture
def exclusion() -> ItemTable:
    """Three pairs that share their title."""
    rows = [
        {
            "item_id": f"job{n}",
            "title": f"Baker {n}",
            "inclusive": f"All are welcome at bakery {n}.",
            "coded_exclusion": f"Fit in with the lads of bakery {n}.",
        }
        for n in range(1, 4)
    ]
    valid = {(row["item_id"], SHARED): True for row in rows}
    return ItemTable("exclusion", pd.DataFrame(rows), valid)


@pytest.fixture
def unpaired() -> ItemTable:
    """Two agentic and two communal postings, each an item of its own; one of them failed."""
    rows = [
        {
            "item_id": f"{n}",
            "word_theme": "agentic" if n < 3 else "communal",
            "title": f"Baker {n}",
            "description": f"Bakery {n}.",
        }
        for n in range(1, 5)
    ]
    valid = {(row["item_id"], row["word_theme"]): row["item_id"] != "4" for row in rows}
    return ItemTable("published-gender", pd.DataFrame(rows), valid)
