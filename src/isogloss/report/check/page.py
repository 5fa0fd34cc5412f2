"""What a page shows, read from its HTML, whichever renderer made it.

Relied upon are pandoc's and Quarto's common ground: `main` around the content, the labels of tables
and figures as identifiers, the class of spans that carry a source, and the class of citations.
"""

from collections.abc import Collection, Iterator

from lxml import etree, html

from isogloss.errors import RecordError
from isogloss.report.check.shown import (
    Cell,
    Figure,
    Passage,
    Scribe,
    Shown,
    Table,
    passage_of,
    squeezed,
)
from isogloss.report.provenance.sources import CITING

INLINE = frozenset(
    {
        *("a", "abbr", "annotation", "b", "cite", "code", "em", "i", "kbd", "mark", "math"),
        *("q", "s", "samp", "semantics", "small", "span", "strong", "sub", "sup", "time", "u"),
        *("var", "wbr"),
    }
)
"""Elements that do not end a word."""

UNSEEN = frozenset({"script", "style", "template", "noscript"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def shown_page(content: bytes, labels: Collection[str], name: str) -> Shown:
    """Read a page; `labels` are those of its tables and figures.

    Raises `RecordError` when it is no HTML, or has no main part.
    """
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True)
    try:
        root = html.document_fromstring(content, parser=parser)
    except (etree.LxmlError, ValueError) as error:
        raise RecordError(f"{name} is not a readable page: render the report again") from error
    mains = [one for one in root.iter("main") if isinstance(one.tag, str)]
    if len(mains) != 1:
        raise RecordError(f"{name} has {len(mains)} main parts, not one: render the report again")
    reader = _Reader(frozenset(labels), mains[0])
    reader.read_main(mains[0])
    reader.read_frame(root)
    return reader.shown()


class _Reader:
    def __init__(self, labels: frozenset[str], main: html.HtmlElement) -> None:
        self._labels, self._main = labels, main
        self._prose, self._references, self._frame = Scribe(), Scribe(), Scribe()
        self._tables: dict[str, Table] = {}
        self._figures: dict[str, Figure] = {}

    def shown(self) -> Shown:
        return Shown(
            self._prose.passage(),
            self._tables,
            self._figures,
            self._references.passage(),
            self._frame.passage(),
        )

    def read_frame(self, root: html.HtmlElement) -> None:
        """Read what stands around the main part."""
        for body in root.iter("body"):
            self._walk(body, self._frame, outside=True)

    def read_main(self, element: html.HtmlElement) -> None:
        """Read the main part into prose, tables and figures."""
        self._walk(element, self._prose, outside=False)

    def _walk(self, element: html.HtmlElement, scribe: Scribe, *, outside: bool) -> None:
        tag = str(element.tag)
        if tag in HEADINGS and not outside:
            scribe.write_heading(_text(element))
        if tag == "math":
            scribe.write(_formula(element))
            return
        scribe.write(element.text or "")
        for child in element:
            self._visit(child, scribe, outside=outside)
            scribe.write(child.tail or "")
        if tag not in INLINE:
            scribe.write(" ")

    def _visit(self, child: html.HtmlElement, scribe: Scribe, *, outside: bool) -> None:
        if not isinstance(child.tag, str) or child.tag in UNSEEN:
            return
        if child.tag not in INLINE:
            scribe.write(" ")
        if outside:
            if child is not self._main:
                self._walk(child, scribe, outside=True)
        elif child.tag == "nav" or _is_title(child):
            self._walk(child, self._frame, outside=True)
        elif child.get("id") in self._labels or child.tag in ("table", "img", "svg"):
            self._read_float(child)
        elif _is_of_references(child) or "citation" in _classes(child):
            self._references.write(_text(child) + " ")
            scribe.write(" ")
        elif _is_cited(child):
            scribe.write_token(_text(child), child.get("title", ""))
        else:
            self._walk(child, scribe, outside=False)

    def _read_float(self, element: html.HtmlElement) -> None:
        label = element.get("id") if element.get("id") in self._labels else ""
        tables = [one for one in element.iter("table") if isinstance(one.tag, str)]
        images = [one for one in element.iter("img", "svg") if not _within_svg(one, element)]
        caption = self._caption(element)
        for place, table in enumerate(tables):
            name = label if label and place == 0 else f"table {len(self._tables) + 1}"
            self._tables[name] = Table(_rows(table), caption)
        for place, image in enumerate(images):
            name = label if label and place == 0 else f"figure {len(self._figures) + 1}"
            self._figures[name] = Figure(_image(image), caption, passage_of(_alternative(image)))

    def _caption(self, element: html.HtmlElement) -> Passage:
        """Everything in a table or figure but the table's cells and the image."""
        scribe = Scribe()
        self._write_caption(element, scribe)
        return scribe.passage()

    def _write_caption(self, element: html.HtmlElement, scribe: Scribe) -> None:
        if not isinstance(element.tag, str) or element.tag in UNSEEN or element.tag == "svg":
            return
        if element.tag in ("thead", "tbody", "tfoot", "tr"):
            return
        if _is_cited(element):
            scribe.write_token(_text(element), element.get("title", ""))
            return
        scribe.write(element.text or "")
        for child in element:
            self._write_caption(child, scribe)
            scribe.write(child.tail or "")
        if element.tag not in INLINE:
            scribe.write(" ")


def _rows(table: html.HtmlElement) -> tuple[tuple[Cell, ...], ...]:
    return tuple(tuple(_cell(cell) for cell in row.iter("td", "th")) for row in table.iter("tr"))


def _cell(element: html.HtmlElement) -> Cell:
    spans = (span for span in element.iter("span") if _is_cited(span))
    return Cell(_text(element), tuple((_text(span), span.get("title", "")) for span in spans))


def _image(element: html.HtmlElement) -> str:
    if element.tag == "img":
        return str(element.get("src", ""))
    return str(etree.tostring(element, encoding="unicode", with_tail=False))


def _alternative(element: html.HtmlElement) -> str:
    return str(element.get("alt") or element.get("aria-label") or "")


def _within_svg(element: html.HtmlElement, top: html.HtmlElement) -> bool:
    above = (one for one in element.iterancestors() if one.tag == "svg")
    return any(one is top or top in one.iterancestors() for one in above)


def _is_title(element: html.HtmlElement) -> bool:
    return bool(element.tag == "header")


def _is_of_references(element: html.HtmlElement) -> bool:
    heading = element.tag in HEADINGS and _text(element) == "References"
    return bool(element.get("id") == ("references" if heading else "refs"))


def _is_cited(element: html.HtmlElement) -> bool:
    return bool(CITING & set(_classes(element)) and element.get("title"))


def _classes(element: html.HtmlElement) -> list[str]:
    return str(element.get("class") or "").split()


def _text(element: html.HtmlElement) -> str:
    return squeezed("".join(_texts(element)))


def _texts(element: html.HtmlElement) -> Iterator[str]:
    if not isinstance(element.tag, str) or element.tag in UNSEEN:
        return
    if element.tag == "math":
        yield _formula(element)
        return
    if element.tag == "br" or element.tag not in INLINE:
        yield " "
    yield element.text or ""
    for child in element:
        yield from _texts(child)
        yield child.tail or ""
    if element.tag not in INLINE:
        yield " "


def _formula(element: html.HtmlElement) -> str:
    """Return the formula as it was written, which MathML keeps beside what it shows."""
    written = [one.text or "" for one in element.iter("annotation")]
    return written[0] if written else "".join(element.itertext())


def labels_of(content: bytes) -> frozenset[str]:
    """Return the labels of a page's tables and figures, where its source is not at hand."""
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True)
    root = html.document_fromstring(content, parser=parser)
    return frozenset(
        str(element.get("id"))
        for element in root.iter()
        if str(element.get("id") or "").startswith(("tbl-", "fig-"))
        and next(element.iter("table", "img", "svg"), None) is not None
    )
