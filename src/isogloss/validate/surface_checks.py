"""Checks of single cells: faults of form that need no comparison."""

from collections.abc import Callable, Sequence

from isogloss.validate import surface
from isogloss.validate.facts import bounded
from isogloss.validate.outcomes import none_of, outcome
from isogloss.validate.records import Check, CheckName, Pair


def check_surface(pair: Pair, max_characters: int) -> list[Check]:
    """Check every cell of a pair for what was not meant to be read."""
    empty = [column for column, text in pair.cells.items() if not text.strip()]
    return [
        none_of(pair, "text_present", len(empty), f"empty: {', '.join(empty)}"),
        _faults(pair, "placeholder", surface.placeholders, "unfilled placeholder"),
        _faults(pair, "control_characters", surface.control_characters, "hidden character"),
        _faults(pair, "mojibake", surface.mojibake, "garbled character"),
        _text_length(pair, max_characters),
        _faults(pair, "reply_prose", surface.reply_prose, "words about the text"),
    ]


def check_repairs(pair: Pair, columns: Sequence[str], repair: str) -> Check:
    """Record that cells of the pair were repaired; the pair passes."""
    return Check(
        item_id=pair.item_id,
        contrast=pair.contrast,
        check="wrapped_quotes",
        value=len(columns),
        threshold="= 0",
        passed=True,
        repaired=bool(columns),
        reason=f"repaired: {repair} in {', '.join(columns)}" if columns else "",
    )


def _text_length(pair: Pair, most: int) -> Check:
    longest = max(pair.cells, key=lambda column: len(pair.cells[column]))
    length = len(pair.cells[longest])
    reason = f"{longest} has {length} characters, more than {most}"
    return outcome(pair, "text_length", length, f"<= {most}", length <= most, reason)


def _faults(
    pair: Pair, name: CheckName, find: Callable[[str], tuple[str, ...]], what: str
) -> Check:
    found = {column: find(text) for column, text in pair.cells.items()}
    named = [f"{bounded(parts)} in {column}" for column, parts in found.items() if parts]
    return none_of(pair, name, sum(map(len, found.values())), f"{what}: {', '.join(named)}")
