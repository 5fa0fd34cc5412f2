"""The postings of an item set, whichever way its table holds them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from isogloss.errors import ItemError
from isogloss.postings.posting import Posting
from isogloss.studies.base import Contrast, ItemTable
from isogloss.validate.table import rows_of

AGENTIC = Contrast("agentic - communal", "agentic", "communal")
CODED = Contrast("coded_exclusion - inclusive", "coded_exclusion", "inclusive")
CONTRASTS = (AGENTIC, CODED)


@dataclass(frozen=True)
class Wording:
    """A posting in one guise."""

    item_id: str
    guise: str
    posting: Posting
    valid: bool
    """Whether validation accepted the wording, or its pair where it has a counterpart."""


def contrast_of(table: ItemTable) -> Contrast:
    """Return the contrast that an item set is about; raise `ItemError` when it is about none."""
    columns = set(table.items.columns)
    themes = set(table.items["word_theme"]) if "word_theme" in columns else set()
    for contrast in CONTRASTS:
        guises = {contrast.guise, contrast.reference}
        if guises <= columns or (themes and themes <= guises):
            return contrast
    known = ", ".join(contrast.name for contrast in CONTRASTS)
    raise ItemError(f"item set {table.item_set}: its columns hold no postings for one of {known}")


def shares_title(table: ItemTable) -> bool:
    """Whether both wordings of an item have one title, which then tells nothing apart."""
    return "title" in table.items.columns and "word_theme" not in table.items.columns


def wordings(table: ItemTable) -> list[Wording]:
    """Return every posting of an item set, in the order of the table.

    A table has a row for each pair with a column for each guise (titles in `title`, or in a column
    for each guise), or a row for each posting with its guise in `word_theme`.
    """
    contrast = contrast_of(table)
    return [one for row in rows_of(table.items) for one in _of_row(row, contrast, table.valid)]


def _of_row(
    row: Mapping[str, str], contrast: Contrast, valid: Mapping[tuple[str, str], bool]
) -> Iterator[Wording]:
    item_id = row["item_id"]
    if "word_theme" in row:
        guise = row["word_theme"]
        posting = Posting(row["title"], row["description"])
        yield Wording(item_id, guise, posting, valid.get((item_id, guise), False))
        return
    for guise in (contrast.reference, contrast.guise):
        title = row.get(f"{guise}_title", row.get("title", ""))
        accepted = valid.get((item_id, contrast.name), False)
        yield Wording(item_id, guise, Posting(title, row[guise]), accepted)
