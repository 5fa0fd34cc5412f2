"""Whether a page shows texts of a hateful source, or texts with a content note without it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from isogloss.publish.findings import Checked, Finding, Status
from isogloss.publish.sensitive import HatefulSource, NotedSet, Sensitive
from isogloss.publish.site import Page, Site

NAME = "content"

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

WINDOW = 8
"""Words in a row that are taken for the same text: long enough not to meet by chance."""

LEAST = 4
"""Texts of fewer words are not looked for, since they would be found everywhere."""

Windows = Mapping[int, frozenset[tuple[str, ...]]]
"""Rows of words by their length."""


@dataclass(frozen=True)
class _Read:
    """The words of a page, and the line on which each stands."""

    page: Page
    words: tuple[str, ...]
    lines: tuple[int, ...]

    def first(self, windows: Windows) -> int | None:
        """Return the place of the first word of the first row that is among `windows`."""
        places = (place for size, rows in windows.items() for place in self._meets(size, rows))
        return min(places, default=None)

    def _meets(self, size: int, rows: frozenset[tuple[str, ...]]) -> Iterator[int]:
        last = len(self.words) - size + 1
        return (n for n in range(last) if self.words[n : n + size] in rows)


def check(site: Site, sensitive: Sensitive) -> Checked:
    """Find pages with eight words in a row (or a whole shorter text) of a hateful source.

    Further, a run that reads such a source, and pages that show a wording of an item set with a
    content note without having that note before it.

    This compares with known texts and judges none: whether a page says something hateful of its
    own, people have to read. The texts found are not repeated in what is printed.
    """
    reads = [_read(page) for page in site.pages]
    findings = [one for source in sensitive.hateful for one in _of_source(source, reads)]
    findings += [one for noted in sensitive.noted for one in _of_set(noted, reads)]
    unknown = [one for one in sensitive.hateful if one.texts is None]
    compared = len(sensitive.hateful) - len(unknown)
    summary = (
        f"{compared} of {len(sensitive.hateful)} hateful sources compared, "
        f"{len(sensitive.noted)} item sets with a content note"
    )
    status: Status = "passed"
    if findings:
        status = "found"
    elif any(one.used for one in unknown):
        status = "not_checked"
    notes = (f"{one.name}: not compared: {one.reason}" for one in unknown)
    return Checked(NAME, status, summary, tuple(findings), tuple(notes))


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, without what stands between them."""
    return tuple(word.replace("’", "'") for word in WORD.findall(text.casefold()))


def windows(texts: Iterable[str]) -> Windows:
    """Return the rows of `WINDOW` words of each text, and whole texts that are shorter."""
    rows: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    for text in texts:
        given = words(text)
        size = min(len(given), WINDOW)
        if size >= LEAST:
            rows[size].update(given[n : n + size] for n in range(len(given) - size + 1))
    return {size: frozenset(found) for size, found in rows.items()}


def _read(page: Page) -> _Read:
    shown = [(passage.line, passage.text) for passage in page.markup.passages]
    shown += [
        (element.line, value)
        for element in page.markup.elements
        for name, value in element.attributes.items()
        if name in ("alt", "aria-label", "content", "title") or name.startswith("data-")
    ]
    pairs = [(word, line) for line, text in shown for word in words(text)]
    return _Read(page, tuple(word for word, _ in pairs), tuple(line for _, line in pairs))


def _of_source(source: HatefulSource, reads: Iterable[_Read]) -> Iterator[Finding]:
    if source.used:
        said = f"the run reads the hateful source {source.name}; publish a run without it"
        yield Finding("", None, said)
    rows = windows(source.texts or ())
    for read in reads:
        place = read.first(rows)
        if place is not None:
            said = f"shows a text of the hateful source {source.name}; take it out"
            yield read.page.finding(read.lines[place], said)


def _of_set(noted: NotedSet, reads: Iterable[_Read]) -> Iterator[Finding]:
    rows, note = windows(noted.texts), {len(words(noted.note)): frozenset({words(noted.note)})}
    for read in reads:
        text, warning = read.first(rows), read.first(note)
        if text is not None and (warning is None or warning > text):
            said = f"shows a text of {noted.name} without its content note before it"
            yield read.page.finding(read.lines[text], said)
