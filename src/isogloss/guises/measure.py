"""Devices of a guise in a text: where they stand, which they are, and how dense."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from isogloss.errors import ItemError
from isogloss.guises.aae import FEATURES, find_features
from isogloss.guises.definition import GuiseDefinition, Measure
from isogloss.guises.marker import Marker
from isogloss.validate.articles import find_articles
from isogloss.validate.lexicon import Lexicon, load_lexicon
from isogloss.validate.markers import find_markers

ARTICLE = "article"
"""The device that the measure `articles` counts: an article that is still there."""


class Finder(Protocol):
    """Finds the devices of one guise."""

    def find(self, text: str) -> tuple[Marker, ...]:
        """Return the devices in a text from left to right; none for a text without words."""


@dataclass(frozen=True)
class LexiconFinder:
    """Finds the expressions of a lexicon whose classes are devices of a guise."""

    lexicon: Lexicon
    devices: frozenset[str]
    """Classes that count; markers of other classes are passed over."""

    def find(self, text: str) -> tuple[Marker, ...]:
        """Return the expressions from left to right; the class is the device."""
        return tuple(
            Marker(found.start, found.end, text[found.start : found.end], found.marker_class)
            for found in find_markers(text, self.lexicon)
            if found.marker_class in self.devices
        )


@dataclass(frozen=True)
class ArticleFinder:
    """Finds the articles of a text: what a guise without articles must not have."""

    def find(self, text: str) -> tuple[Marker, ...]:
        """Return the articles that are left, from left to right."""
        return tuple(
            Marker(start, end, text[start:end], ARTICLE) for start, end in find_articles(text)
        )


@dataclass(frozen=True)
class FeatureFinder:
    """Finds features of African American English by the words around them."""

    devices: frozenset[str]
    """Features that count."""

    def find(self, text: str) -> tuple[Marker, ...]:
        """Return the features from left to right."""
        return tuple(found for found in find_features(text) if found.device in self.devices)


def finder_of(guise: GuiseDefinition, project: Path) -> Finder:
    """Return what finds the devices of a guise; `project` is the root of its lexicon's path.

    Raises `ItemError` when the lexicon cannot be used, or a device is no class of the lexicon and
    no feature of the measure.
    """
    return _MEASURES[guise.measure](guise, project)


def density(markers: int, words: int) -> float:
    """Return markers per 1,000 words; raise `ValueError` for a text without words."""
    if words < 1:
        raise ValueError("a text without words has no density of markers")
    return 1000 * markers / words


def _of_lexicon(guise: GuiseDefinition, project: Path) -> Finder:
    assert guise.lexicon is not None  # held by the definition
    lexicon = load_lexicon(project / guise.lexicon)
    return LexiconFinder(lexicon, _devices(guise, lexicon.classes, f"class of {guise.lexicon}"))


def _of_articles(guise: GuiseDefinition, _project: Path) -> Finder:
    _devices(guise, (ARTICLE,), "feature of the measure articles")
    return ArticleFinder()


def _of_aae(guise: GuiseDefinition, _project: Path) -> Finder:
    return FeatureFinder(_devices(guise, FEATURES, "feature of the measure aae"))


def _devices(guise: GuiseDefinition, known: tuple[str, ...], what: str) -> frozenset[str]:
    for device in guise.devices:
        if device.name not in known:
            raise ItemError(
                f"guise {guise.name}: device {device.name!r} is no {what}; "
                f"those are {', '.join(known)}"
            )
    return frozenset(device.name for device in guise.devices)


_MEASURES: dict[Measure, Callable[[GuiseDefinition, Path], Finder]] = {
    "lexicon": _of_lexicon,
    "articles": _of_articles,
    "aae": _of_aae,
}
