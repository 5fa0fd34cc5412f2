"""Units of measurement that one text has and the other has not."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from isogloss.validate.facts import Difference
from isogloss.validate.measures import UNITS
from isogloss.validate.quantities import Quantity, read_quantities
from isogloss.validate.tokens import Token, tokenise

_BARE = frozenset({"hour", "day", "week", "month", "year", "minute", "ms", "mile", "km", "dollar"})
_ADVERBS = {
    "hourly": "hour",
    "daily": "day",
    "weekly": "week",
    "fortnightly": "fortnight",
    "monthly": "month",
    "yearly": "year",
    "annual": "year",
    "annually": "year",
}
_PER = frozenset({"per", "each", "every", "a", "an"})
_VAGUE = frozenset(
    {"these", "those", "some", "one", "other", "early", "modern", "old", "recent", "few"}
)


def compare_units(text: str, reference: str) -> Difference:
    """Compare the units of two texts, whatever their numbers.

    Found are a number with another unit than in the other text (`3 ms`, `3 second`), and units,
    behind a number or without one (`from hours to minutes`, `every week`, `weekly`), where each
    text has one that the other has not. A unit that only one text has came or went with its
    number, and is not found; neither is another number of one unit.
    """
    mine, theirs = read_quantities(text), read_quantities(reference)
    added, lost = _swapped(mine, theirs)
    told = {quantity.unit for quantity in (*added, *lost)}
    counted, other_counted = _counted(mine), _counted(theirs)
    bare, other_bare = set(_bare(text)), set(_bare(reference))
    more = (counted | bare) - other_counted - other_bare - told
    less = (other_counted | other_bare) - counted - bare - told
    if not (more and less):  # a unit that came or went with its number is a matter of numbers
        more, less = set(), set()
    return Difference(
        lost=tuple(sorted([*(q.written for q in lost), *less])),
        added=tuple(sorted([*(q.written for q in added), *more])),
    )


def _swapped(
    mine: Sequence[Quantity], theirs: Sequence[Quantity]
) -> tuple[list[Quantity], list[Quantity]]:
    """Return the quantities whose number both texts have, and with another unit."""
    added = list((Counter(mine) - Counter(theirs)).elements())
    lost = list((Counter(theirs) - Counter(mine)).elements())
    amounts = {q.amount for q in added} & {q.amount for q in lost}
    return (
        [quantity for quantity in added if quantity.amount in amounts],
        [quantity for quantity in lost if quantity.amount in amounts],
    )


def _counted(quantities: Iterable[Quantity]) -> set[str]:
    return {q.unit for q in quantities if q.unit is not None and q.unit in _KNOWN}


def _bare(text: str) -> Iterator[str]:
    tokens = tokenise(text)
    for i, token in enumerate(tokens):
        if token.word in _ADVERBS:
            yield _ADVERBS[token.word]
        elif UNITS.get(token.word) in _BARE and _is_bare_unit(tokens, i):
            yield UNITS[token.word]


def _is_bare_unit(tokens: Sequence[Token], i: int) -> bool:
    word, before = tokens[i].word, tokens[i - 1].word if i else ""
    if before in _VAGUE or len(word) < 3:
        return False
    return word.endswith("s") or (before in _PER and word not in ("minute", "second"))


_KNOWN = frozenset(UNITS.values()) | {"°C", "°F", "°"}
