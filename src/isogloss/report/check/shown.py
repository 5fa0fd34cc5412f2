"""What a page shows, whether read from its source or from its HTML."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from isogloss.report.provenance.numerals import digit_words

CONTEXT = 32
"""Characters on either side of a number that say where it stands."""


@dataclass(frozen=True)
class Token:
    """A word with a digit, or a text that carries its source."""

    text: str
    source: str = ""
    """Title of its span; empty for a word that stands in the text alone."""
    start: int = 0
    """Place in its passage."""
    exempt: bool = False
    """Whether it is the number of a section, table or figure, which the renderer counts."""

    @property
    def key(self) -> tuple[str, str]:
        """What two pages must have in common."""
        return (self.text, self.source)


@dataclass(frozen=True)
class Word:
    """A run of characters between blanks that is no number."""

    text: str
    start: int
    """Place in its passage."""

    @property
    def key(self) -> tuple[str, str]:
        """What two pages must have in common; no number has this source."""
        return (self.text, "a word")


@dataclass(frozen=True)
class Passage:
    """A text with its numbers in order."""

    text: str = ""
    tokens: tuple[Token, ...] = ()
    headings: tuple[tuple[int, str], ...] = ()
    """Place and words of each heading in it."""
    begins: int = 0
    """Place before which nothing is compared."""

    def items(self, *, words: bool) -> list[Word | Token]:
        """Return the numbers in order, with the words between them if asked."""
        if not words:
            return [*self.tokens]
        found: list[Word | Token] = []
        place = self.begins
        for token in self.tokens:
            found += [*self._words(place, token.start), token]
            place = token.start + len(token.text)
        return [*found, *self._words(place, len(self.text))]

    def _words(self, low: int, high: int) -> Iterator[Word]:
        for match in re.finditer(r"\S+", self.text[low:high]):
            yield Word(match[0], low + match.start())

    def context(self, token: Token | Word) -> str:
        """Return a number or word with the words around it."""
        low, high = token.start - CONTEXT, token.start + len(token.text) + CONTEXT
        before = "…" if low > 0 else ""
        after = "…" if high < len(self.text) else ""
        return f"{before}{self.text[max(low, 0) : high].strip()}{after}"

    def section(self, token: Token | Word) -> str:
        """Return the words of the heading above a number or word."""
        above = [words for place, words in self.headings if place <= token.start]
        return above[-1] if above else ""


@dataclass(frozen=True)
class Cell:
    """A cell of a table."""

    text: str
    cited: tuple[tuple[str, str], ...] = ()
    """Texts in it that carry a source, with the source."""


@dataclass(frozen=True)
class Table:
    """A table with its caption."""

    rows: tuple[tuple[Cell, ...], ...]
    """The first row is the header."""
    caption: Passage = field(default_factory=Passage)


@dataclass(frozen=True)
class Figure:
    """A figure with its caption."""

    image: str
    """Name of the file, or the `data:` address or markup of the image."""
    caption: Passage
    alternative: Passage
    """Text in place of the image."""


@dataclass(frozen=True)
class Shown:
    """Everything on a page that can hold a number."""

    prose: Passage
    """All text but tables, figures, citations, references, and the frame of the page."""
    tables: Mapping[str, Table]
    """By label; a table without one has its place among those, such as `table 2`."""
    figures: Mapping[str, Figure]
    """By label."""
    references: Passage
    """Citations and the list of references."""
    frame: Passage
    """Navigation, title and foot."""


class Scribe:
    """Puts a passage together, piece by piece."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._text = ""
        self._run: list[str] = []
        self._tokens: list[Token] = []
        self._headings: list[tuple[int, str]] = []

    def write(self, text: str) -> None:
        """Add plain text; white space becomes single blanks."""
        self._run.append(text)

    def write_token(self, text: str, source: str = "", *, exempt: bool = False) -> None:
        """Add a text that carries a source, or a number that the renderer counts."""
        self._close()
        shown = squeezed(text)
        self._tokens.append(Token(shown, source, len(self._text), exempt))
        self._text += shown

    def write_heading(self, words: str) -> None:
        """Note that a heading begins here."""
        self._close()
        self._headings.append((len(self._text), squeezed(words)))

    def passage(self) -> Passage:
        """Return what was written."""
        self._close()
        return Passage(self._text, tuple(self._tokens), tuple(self._headings))

    def _close(self) -> None:
        """Find the numbers of the plain text since the last token."""
        run = re.sub(r"\s+", " ", "".join(self._run))
        self._run.clear()
        if not self._text or self._text.endswith(" "):
            run = run.lstrip(" ")
        start = len(self._text)
        self._tokens += [Token(match[0], start=start + match.start()) for match in digit_words(run)]
        self._text += run


def squeezed(text: str) -> str:
    """Return a text with white space as single blanks, and none at its ends."""
    return " ".join(text.split())


def passage_of(text: str) -> Passage:
    """Return the passage of a plain text."""
    scribe = Scribe()
    scribe.write(text)
    return scribe.passage()
