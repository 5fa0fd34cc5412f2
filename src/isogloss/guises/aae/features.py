"""All features, in the order in which they are looked for."""

from collections.abc import Callable, Iterator

from isogloss.guises.aae import copula, negation, nouns, verbs
from isogloss.guises.aae.reading import Found, Reading
from isogloss.guises.marker import Marker

_FIND: dict[str, Callable[[Reading], Iterator[Found]]] = {
    "habitual_be": verbs.habitual_be,
    "zero_copula": copula.zero_copula,
    "negative_concord": negation.negative_concord,
    "aint": negation.aint,
    "zero_third_s": verbs.zero_third_s,
    "completive_done": verbs.completive_done,
    "remote_been": verbs.remote_been,
    "preterite_had": verbs.preterite_had,
    "possessive_they": nouns.possessive_they,
    "existential_it": nouns.existential_it,
    "was_levelling": verbs.was_levelling,
    "finna": nouns.finna,
    "yall": nouns.yall,
    "multiple_modals": nouns.multiple_modals,
    "zero_possessive": nouns.zero_possessive,
    "zero_plural": nouns.zero_plural,
    "demonstrative_them": nouns.demonstrative_them,
    "steady": verbs.steady,
    "associative_plural": nouns.associative_plural,
}

FEATURES = tuple(_FIND)
"""Names of the features."""


def find_features(text: str) -> tuple[Marker, ...]:
    """Return the features in a text from left to right.

    Where a word is left out, the marker spans the words that show it (`she working`). Markers of
    different features may overlap; of one feature there is at most one at a place.
    """
    reading = Reading(text)
    found = {hit for find in _FIND.values() for hit in find(reading)}
    ordered = sorted(found, key=lambda hit: (hit.first, hit.behind, hit.device))
    return tuple(_marker(reading, hit) for hit in ordered)


def _marker(reading: Reading, hit: Found) -> Marker:
    start, end = reading.tokens[hit.first].start, reading.tokens[hit.behind - 1].end
    return Marker(start, end, reading.text[start:end], hit.device)
