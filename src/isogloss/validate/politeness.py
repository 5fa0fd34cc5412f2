"""Politeness markers of a text: requests, thanks, apologies, forms of address, greetings."""

from dataclasses import dataclass

from isogloss.validate.lexicon import Lexicon
from isogloss.validate.markers import Marker, find_markers
from isogloss.validate.tokens import count_words


@dataclass(frozen=True)
class Politeness:
    """Politeness markers of a text, and how dense they are."""

    words: int
    """Number of words of the text."""
    markers: tuple[Marker, ...]
    """The markers, in the order of the text."""

    @property
    def per_thousand(self) -> float | None:
        """Markers per 1,000 words, `1000 markers / words`; None for a text without words."""
        return 1000 * len(self.markers) / self.words if self.words else None

    @property
    def found(self) -> tuple[str, ...]:
        """The words of the markers, in the order of the text."""
        return tuple(marker.phrase for marker in self.markers)


def measure_politeness(text: str, lexicon: Lexicon) -> Politeness:
    """Find the markers of a lexicon of politeness (`data/lexicons/politeness.yaml`) in a text.

    The strategies are among those of Brown and Levinson (1987) and Danescu-Niculescu-Mizil et al.
    (2013). One marker in 40 words is 25 per 1,000: in short texts the density is coarse, and the
    number of markers says more.
    """
    return Politeness(count_words(text), find_markers(text, lexicon))
