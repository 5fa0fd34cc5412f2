"""The study's two item sets: written for this project, and published with the paper."""

from pathlib import Path

import pandas as pd

from isogloss.errors import ItemError
from isogloss.validate.items import read_table

OWN = ["item_id", "category", "question", "confident", "hedged", "accent"]
PUBLISHED = {"Question": "question", "Confident_Answer": "confident", "Hedging_Answer": "hedged"}
_CATEGORIES = ["category", "title", "guiding_question"]


def read_own(items: Path, categories: Path) -> pd.DataFrame:
    """Read the authored items and the categories they refer to."""
    table = read_table(items, OWN)
    titles = read_table(categories, _CATEGORIES).set_index("category")
    repeated = titles.index[titles.index.duplicated()]
    if len(repeated):
        raise ItemError(f"{categories}: category {repeated[0]!r} has two rows; remove one")
    unknown = sorted(set(table["category"]) - set(titles.index))
    if unknown:
        raise ItemError(f"{items}: category {unknown[0]!r} is not in {categories}; add it there")
    table.insert(2, "guiding_question", table["category"].map(titles["guiding_question"]))
    table["category"] = table["category"].map(titles["title"])
    return table


def read_published(path: Path) -> pd.DataFrame:
    """Read the published questions, which have no category and no accent variant.

    Item ids follow the order of the file.
    """
    table = read_table(path, list(PUBLISHED)).rename(columns=PUBLISHED)
    table.insert(0, "item_id", [f"published-{number:03d}" for number in range(1, len(table) + 1)])
    table.insert(1, "category", "")
    table.insert(2, "guiding_question", "")
    return table[["item_id", "category", "guiding_question", "question", "confident", "hedged"]]
