"""Web pages: the text that a browser shows, as far as the page itself tells."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree, html

from isogloss.audit.formats.decode import decode_page
from isogloss.audit.formats.extracted import Extracted, TitleSource
from isogloss.errors import PostingError
from isogloss.validate.tokens import count_words

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NEVER_SHOWN = {
    "head", "title", "script", "style", "template", "noscript", "iframe", "object", "embed",
    "applet", "audio", "video", "canvas", "svg", "math", "img", "map", "datalist", "noframes",
}  # fmt: skip
_NOT_OF_THE_TEXT = {"nav", "select", "textarea", "button", "menu"}
_PARAGRAPHS = {
    *_HEADINGS, "p", "div", "section", "article", "main", "header", "footer", "aside", "ul", "ol",
    "dl", "table", "blockquote", "pre", "figure", "form", "fieldset", "hr", "details", "address",
    "body", "hgroup", "search", "center",
}  # fmt: skip
_LINES = {"li", "tr", "td", "th", "dt", "dd", "caption", "figcaption", "legend", "summary",
          "option", "label", "thead", "tbody", "tfoot"}  # fmt: skip
_CONCEALED = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?![.\d])"
    r"|opacity\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"\s+")
_PARAGRAPH, _BREAK = "\x1e", "\x1f"
_MARKS = re.compile(f"[{_PARAGRAPH}{_BREAK}]")
_GAPS = re.compile(f"[ \n{_PARAGRAPH}{_BREAK}]+")

Element = Any
"""An element of lxml, which has no types."""


def read_html(content: bytes) -> Extracted:
    """Read a web page; nothing that it refers to is fetched, and none of its scripts run.

    Raises `PostingError` when it is no text in UTF-8 or in an older encoding that it declares, or
    is nested too deeply to be read whole.
    """
    text, warnings = decode_page(content)
    found = extract(text)
    return Extracted(found.text, found.title, found.title_source, None, warnings + found.warnings)


def extract(page: str) -> Extracted:
    """Take the text that is shown out of the source of a page, and its title.

    Left out are scripts, styles, comments, navigation, form fields, pictures, and what an
    attribute hides (`hidden`, or a `style` that shows nothing). What a style sheet hides cannot be
    told. The title is the first level-one heading, then the page's title, then any heading.
    """
    root = _parse(page)
    if root is None:
        return Extracted("")
    text = _joined(_pieces(root))
    title, source = _title(root)
    return Extracted(text, title, source, warnings=tuple(_warnings(root)))


def _parse(page: str) -> Element:
    parser = html.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        root = html.document_fromstring(page.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:
        return None
    if any(entry.level_name == "FATAL" for entry in parser.error_log):
        raise PostingError(
            "the HTML is nested too deeply or damaged, so that a part of it would be lost; "
            "save the posting as text"
        )
    return root


def _joined(pieces: Iterator[str]) -> str:
    return _GAPS.sub(_gap, "".join(pieces)).strip()


def _gap(found: re.Match[str]) -> str:
    gap = found.group()
    if _PARAGRAPH in gap or gap.count(_BREAK) > 1:
        return "\n\n"
    return "\n" if "\n" in gap or _BREAK in gap else " "


def _pieces(element: Element) -> Iterator[str]:
    """Yield the shown text below an element, with marks for the ends of lines and paragraphs."""
    if element.tag == "br":
        yield _BREAK
        return
    edge = _edge(element.tag)
    yield edge
    if element.tag in _HEADINGS:
        yield _line(element)
    else:
        yield _text(element.text, element)
        for child in element:
            if _is_shown(child):
                yield from _pieces(child)
            yield _text(child.tail, element)
    yield edge


def _edge(tag: object) -> str:
    return _PARAGRAPH if tag in _PARAGRAPHS else "\n" if tag in _LINES else ""


def _text(text: str | None, element: Element) -> str:
    plain = _MARKS.sub(" ", text or "")
    if element.tag == "pre":
        return plain.replace("\r", "").replace("\n", _BREAK)
    return _BLANKS.sub(" ", plain)


def _line(heading: Element) -> str:
    """Return the shown text of a heading on one line."""
    pieces = [heading.text or ""]
    for child in heading:
        pieces += [*(_pieces(child) if _is_shown(child) else ()), child.tail or ""]
    return " ".join(_MARKS.sub(" ", "".join(pieces)).split())


def _is_shown(element: Element) -> bool:
    return (
        isinstance(element.tag, str)
        and element.tag not in _NEVER_SHOWN
        and not _is_put_aside(element)
    )


def _is_put_aside(element: Element) -> bool:
    return (
        element.tag in _NOT_OF_THE_TEXT
        or element.get("hidden") is not None
        or element.get("role") == "navigation"
        or (element.tag == "dialog" and element.get("open") is None)
        or _CONCEALED.search(element.get("style") or "") is not None
    )


def _shown(element: Element) -> Iterator[Element]:
    """Yield the shown elements below one, in the order of the page."""
    for child in element:
        if _is_shown(child):
            yield child
            yield from _shown(child)


def _title(root: Element) -> tuple[str | None, TitleSource | None]:
    headings = [element for element in _shown(root) if element.tag in _HEADINGS]
    first = [line for line in map(_line, headings) if line]
    level_one = [line for head in headings if head.tag == "h1" and (line := _line(head))]
    own = [element for element in root.iter("title") if element.getparent().tag != "svg"]
    named = " ".join(own[0].text_content().split()) if own else ""
    if level_one:
        return level_one[0], "heading"
    if named:
        return named, "title element"
    return (first[0], "heading") if first else (None, None)


def _warnings(root: Element) -> Iterator[str]:
    aside = sum(count_words(element.text_content()) for element in _put_aside(root))
    if aside:
        yield f"Words that are hidden, or of navigation and forms, were left out: {aside}."
    if any(element.tag == "table" for element in _shown(root)):
        yield "The cells of tables were read one after another."


def _put_aside(element: Element) -> Iterator[Element]:
    for child in element:
        if not isinstance(child.tag, str) or child.tag in _NEVER_SHOWN:
            continue
        if _is_put_aside(child):
            yield child
        else:
            yield from _put_aside(child)
