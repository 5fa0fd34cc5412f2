"""Numbers on a rendered page, and which of them a person means."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from isogloss.errors import RecordError
from isogloss.report.check.page import labels_of, shown_page
from isogloss.report.check.shown import Passage, Shown, Table
from isogloss.report.provenance import Source, parse_sources
from isogloss.report.provenance.numerals import digit_words

MOST_LISTED = 30
"""Printed numbers that are listed when several are meant."""

_LABEL = re.compile(r"(?:tbl|fig)-[\w.-]+")


@dataclass(frozen=True)
class Printed:
    """A text on a page that carries its sources."""

    page: str
    """Name of the page without suffix."""
    address: str
    """What names it, and nothing else, after `#`."""
    text: str
    where: str
    """Where on the page it is, in words."""
    title: str
    """Title of its span."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """Places in files that it was taken from."""
        return parse_sources(self.title)


def find_printed(site: Path, page: str, wanted: str) -> list[Printed]:
    """Return the numbers of a page that `wanted` names.

    `wanted` is a number as it is printed, the label of a table with a row and perhaps a column
    (`tbl-x:3`, `tbl-x:3:Difference`), the label of a whole table or figure, or an address that was
    listed.

    Raises `RecordError` when the page was not rendered, or nothing on it is meant.
    """
    name = f"{page.removesuffix('.html').removesuffix('.qmd')}"
    path = site / f"{name}.html"
    if not re.fullmatch(r"[\w-]+", name) or not path.is_file():
        there = ", ".join(sorted(one.stem for one in site.glob("*.html")))
        pages = f"its pages are: {there}" if there else "render the report first"
        raise RecordError(f"{site} has no page {name}; {pages}")
    content = path.read_bytes()
    shown = shown_page(content, labels_of(content), path.name)
    everything = [replace(one, page=name) for one in _printed(shown)]
    found = _chosen(everything, shown, name, wanted.strip())
    if not found:
        raise RecordError(
            f"{name} has no number {wanted} that carries a source; give it as it is printed, or "
            "the label of a table with a row: tbl-name:3"
        )
    return found


def _chosen(everything: Sequence[Printed], shown: Shown, page: str, wanted: str) -> list[Printed]:
    if whole := _whole(everything, shown, page, wanted):
        return [whole]
    exact = [one for one in everything if one.address == wanted]
    if exact or _LABEL.match(wanted) or wanted.startswith("text:"):
        below = [one for one in everything if one.address.startswith(f"{wanted}:")]
        return exact or ([_row(below, wanted)] if below else [])
    text = _plain(wanted)
    full = [one for one in everything if _plain(one.text) == text]
    within = (one for one in everything if text in _numbers(one.text))
    return full or list(within)


def _whole(everything: Sequence[Printed], shown: Shown, page: str, wanted: str) -> Printed | None:
    """Return a whole figure or table as one."""
    if wanted in shown.figures:
        files = [t for t in shown.figures[wanted].caption.tokens if parse_sources(t.source)]
        title = "; ".join(token.source for token in files)
        return Printed(page, wanted, "figure", f"{wanted}", title) if title else None
    if wanted not in shown.tables:
        return None
    cells = [s for one in everything if one.address.startswith(f"{wanted}:") for s in one.sources]
    names = dict.fromkeys(source.file for source in cells)
    return Printed(page, wanted, "table", wanted, "; ".join(names)) if names else None


def _row(cells: Sequence[Printed], wanted: str) -> Printed:
    """Return the numbers of a row as one."""
    first = cells[0]
    return Printed(
        first.page,
        wanted,
        " | ".join(one.text for one in cells),
        first.where.rpartition(", column ")[0],
        "; ".join(dict.fromkeys(one.title for one in cells)),
    )


def _printed(shown: Shown) -> Iterator[Printed]:
    yield from _of_passage(shown.prose, "text")
    for label, table in shown.tables.items():
        yield from _of_table(table, label)
        yield from _of_passage(table.caption, f"{label}:caption")
    for label, figure in shown.figures.items():
        yield from _of_passage(figure.caption, f"{label}:caption")


def _of_passage(passage: Passage, name: str) -> Iterator[Printed]:
    cited = [token for token in passage.tokens if parse_sources(token.source)]
    for place, token in enumerate(cited, start=1):
        context = passage.context(token)
        yield Printed("", f"{name}:{place}", token.text, context, token.source)


def _of_table(table: Table, label: str) -> Iterator[Printed]:
    header = [cell.text for cell in table.rows[0]] if table.rows else []
    for row, cells in enumerate(table.rows):
        for column, cell in enumerate(cells):
            title = "; ".join(dict.fromkeys(title for _, title in cell.cited))
            if title:
                name = header[column] if column < len(header) else str(column + 1)
                where = f"{label}, row {row}, column {name}"
                yield Printed("", f"{label}:{row}:{name}", cell.text, where, title)


def _plain(text: str) -> str:
    return " ".join(text.replace("\u2212", "-").split())


def _numbers(text: str) -> set[str]:
    """Numbers in a text, each with its sign, and those with a plus sign without it as well."""
    found = {match[0] for match in digit_words(_plain(text))}
    return found | {number.removeprefix("+") for number in found}
