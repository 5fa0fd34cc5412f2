"""Read the baseline texts, and say of each whether it can be put into a guise."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from isogloss.errors import ItemError
from isogloss.stimuli.draft.records import Item
from isogloss.validate.facts import bounded
from isogloss.validate.items import read_table
from isogloss.validate.surface import control_characters, mojibake, placeholders
from isogloss.validate.tokens import count_words

MOST_CHARACTERS = 1000
"""Longest text and longest context where nothing else is said; as validation's own default."""

DEFAULT_CONTEXT = "question"
"""Column that is taken for the context where none is named."""

_LATIN_ENDS = 0x250
"""First code point behind the Latin blocks in which English and its loans are written."""
_LEAST_LATIN = 0.5


def read_baselines(
    path: Path,
    reference: str,
    context: str | None = None,
    *,
    count: int | None = None,
    most: int = MOST_CHARACTERS,
) -> list[Item]:
    """Read the items of a CSV file, or `count` evenly spread over it; a text at fault is kept.

    `reference` and `context` name columns; without `context` it is `question`, where the file has
    that column. A text or context of more than `most` characters is at fault. Raises `ItemError`
    naming the file and the line, row or column when the table as a whole cannot be used.
    """
    table = read_table(path, [])
    if context is None and DEFAULT_CONTEXT in table.columns:
        context = DEFAULT_CONTEXT
    for column in ("item_id", reference, *([] if context is None else [context])):
        if column not in table.columns:
            known = ", ".join(map(str, table.columns))
            raise ItemError(f"{path}: no column {column!r}; the file has {known}")
    _check_ids(table["item_id"].tolist(), path)
    contexts = [""] * len(table) if context is None else table[context].tolist()
    rows = zip(table["item_id"], contexts, table[reference], strict=True)
    return _spread([_item(*row, most) for row in rows], count)


def fault_of(text: str, context: str = "", *, most: int = MOST_CHARACTERS) -> str:
    """Say why no candidate should be asked for, or return an empty text.

    Quotation marks, line ends, emoji and words of another script are no fault. A text without
    words, in another script as a whole, of more than `most` characters, or damaged is one.
    """
    if not text.strip():
        return "the text is empty"
    for name, content in (("text", text), ("context", context)):
        if len(content) > most:
            return f"the {name} has {len(content)} characters, more than {most}"
        damage = _damage(content)
        if damage:
            return f"the {name} has {damage}"
    if not count_words(text):
        return "the text has no words"
    if _latin_share(text) < _LEAST_LATIN:
        return "the text is not in Latin script; guises are defined for English"
    return ""


def _item(item_id: str, context: str, text: str, most: int) -> Item:
    context = context.strip()
    return Item(item_id, context, text, fault_of(text, context, most=most))


def _spread(items: list[Item], count: int | None) -> list[Item]:
    if count is None or count >= len(items):
        return items
    return [items[number * len(items) // count] for number in range(count)]


def _check_ids(ids: Sequence[str], path: Path) -> None:
    if not ids:
        raise ItemError(f"{path}: no items; the table has a header only")
    blank = [row for row, item_id in enumerate(ids, start=1) if not item_id.strip()]
    if blank:
        raise ItemError(f"{path}: row {blank[0]}, column item_id: empty; fill it")
    repeated = pd.Series(ids).duplicated()
    if repeated.any():
        row = int(repeated.to_numpy().argmax())
        raise ItemError(f"{path}: row {row + 1}: item_id {ids[row]!r} was used before; rename one")


def _damage(text: str) -> str:
    found = {
        "hidden characters": control_characters(text),
        "garbled characters": mojibake(text),
        "an unfilled placeholder": placeholders(text),
    }
    return "; ".join(f"{what}: {bounded(parts)}" for what, parts in found.items() if parts)


def _latin_share(text: str) -> float:
    """Share of the letters that are of the Latin script; 1 without letters."""
    letters = [ord(char) for char in text if char.isalpha()]
    return sum(code < _LATIN_ENDS for code in letters) / len(letters) if letters else 1.0
