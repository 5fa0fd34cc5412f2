"""What one text states and the other does not: quantities and names."""

from collections import Counter
from dataclasses import dataclass

from isogloss.validate.entities import compare_names
from isogloss.validate.quantities import find_quantities

LONGEST_LIST = 80
"""Most characters that a list of lost or added words may take in a reason."""


@dataclass(frozen=True)
class Difference:
    """Multiset difference of a text from its reference."""

    lost: tuple[str, ...]
    """What the reference has and the text has not, sorted, each as often as it is missing."""
    added: tuple[str, ...]
    """What the text has and the reference has not, sorted, each as often as it is surplus."""

    @property
    def size(self) -> int:
        """Number of elements lost or added."""
        return len(self.lost) + len(self.added)

    def describe(self, what: str) -> str:
        """Return the difference in words, for instance `number lost: 40%; number added: 5`."""
        parts = [("lost", self.lost), ("added", self.added)]
        return "; ".join(f"{what} {how}: {bounded(names)}" for how, names in parts if names)


def differ(text: Counter[str], reference: Counter[str]) -> Difference:
    """Return what was lost from, and added to, the reference's multiset."""
    return Difference(
        lost=tuple(sorted((reference - text).elements())),
        added=tuple(sorted((text - reference).elements())),
    )


def compare_quantities(text: str, reference: str) -> Difference:
    """Compare the quantities of two texts as multisets; see `find_quantities`."""
    return differ(Counter(find_quantities(text)), Counter(find_quantities(reference)))


def compare_entities(text: str, reference: str) -> Difference:
    """Compare the names in two texts as multisets; see `compare_names`."""
    return differ(*compare_names(text, reference))


def bounded(words: tuple[str, ...]) -> str:
    """Join words with commas, cut to `LONGEST_LIST` characters."""
    joined = ", ".join(words)
    return joined if len(joined) <= LONGEST_LIST else joined[: LONGEST_LIST - 1] + "…"
