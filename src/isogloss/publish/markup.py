"""A page as a tree of elements with their lines, and where its markup is not well-formed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()  # noqa: SIM905
)
"""Elements without content, whose end tag must not stand there."""

END_OPTIONAL = frozenset(
    """
    body caption colgroup dd dt head html li optgroup option p rp rt tbody td tfoot th thead tr
    """.split()  # noqa: SIM905
)
"""Elements whose end tag HTML lets one leave out."""

CLOSES_PARAGRAPH = frozenset(
    """
    address article aside blockquote details div dl fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hr main menu nav ol p pre search section table ul
    """.split()  # noqa: SIM905
)
"""Elements that end a paragraph which is still open."""

INLINE = frozenset(
    """
    a abbr b bdi bdo cite code data del dfn em i img ins kbd mark math mi mn mo mrow ms msub
    msubsup msup mtext q s samp small span strong sub sup time u var wbr
    """.split()  # noqa: SIM905
)
"""Elements that text runs through; every other one begins and ends a passage of its own."""

UNREAD = frozenset({"script", "style", "template", "noscript"})
"""Elements whose text a reader does not see."""

_ENDS = {
    "dd": ("dd", "dt"),
    "dt": ("dd", "dt"),
    "li": ("li",),
    "option": ("option",),
    "td": ("td", "th"),
    "th": ("td", "th"),
    "tr": ("tr",),
}
"""By element: those that its start ends when one of them is the innermost open one."""


@dataclass(eq=False)
class Element:
    """An element of a page."""

    tag: str
    attributes: dict[str, str]
    line: int
    parent: "Element | None"
    text: str = ""
    """The text directly inside, without that of inner elements."""

    def within(self, *tags: str) -> "Element | None":
        """Return the nearest element around this one that has one of the tags, or None."""
        around = self.parent
        while around is not None and around.tag not in tags:
            around = around.parent
        return around


@dataclass(frozen=True)
class Passage:
    """Text that a reader sees in one piece, such as a paragraph or a cell."""

    line: int
    text: str


@dataclass(frozen=True)
class Fault:
    """A place where the markup is not well-formed."""

    line: int
    text: str


@dataclass(frozen=True)
class Markup:
    """What a page is made of, in the order of its text."""

    elements: tuple[Element, ...]
    passages: tuple[Passage, ...]
    faults: tuple[Fault, ...]
    doctype: str
    """The document type as it stands, empty when there is none."""

    def all(self, *tags: str) -> Iterator[Element]:
        """Yield the elements with one of the tags."""
        return (element for element in self.elements if element.tag in tags)


def read_markup(text: str) -> Markup:
    """Read a page; what is not well-formed becomes a fault and never an error."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.end()
    return Markup(
        tuple(reader.elements), tuple(reader.passages()), tuple(reader.faults), reader.doctype
    )


@dataclass
class _Piece:
    line: int
    parts: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.faults: list[Fault] = []
        self.doctype = ""
        self._open: list[Element] = []
        self._pieces: list[_Piece] = []
        self._fresh = True

    def passages(self) -> list[Passage]:
        joined = ((piece.line, " ".join("".join(piece.parts).split())) for piece in self._pieces)
        return [Passage(line, text) for line, text in joined if text]

    def end(self) -> None:
        self._report_open(self._open)

    def handle_decl(self, decl: str) -> None:
        self.doctype = decl

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag, attrs)
        if tag not in VOID:
            self._open.append(self.elements[-1])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag, attrs)
        foreign = self.elements[-1].within("svg", "math") is not None or tag in ("svg", "math")
        if tag not in VOID and not foreign:
            self._fault(f"<{tag}/> does not close itself; write </{tag}>")
            self._open.append(self.elements[-1])

    def handle_endtag(self, tag: str) -> None:
        self._fresh = self._fresh or tag not in INLINE
        depth = next((i for i in reversed(range(len(self._open))) if self._open[i].tag == tag), -1)
        if depth < 0:
            self._fault(f"</{tag}> closes nothing")
            return
        self._report_open(self._open[depth + 1 :], f"</{tag}>")
        del self._open[depth:]

    def handle_data(self, data: str) -> None:
        if self._open:
            self._open[-1].text += data
        if any(element.tag in UNREAD for element in self._open):
            return
        if self._fresh and not data.strip():
            return
        if self._fresh:
            self._pieces.append(_Piece(self.getpos()[0] + _leading_lines(data)))
            self._fresh = False
        self._pieces[-1].parts.append(data)

    def _start(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._fresh = self._fresh or tag not in INLINE
        names = [name for name, _ in attrs]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self._fault(f"<{tag}> has the attribute {name} twice")
        self._close_implied(tag)
        given = {name: value or "" for name, value in reversed(attrs)}
        parent = self._open[-1] if self._open else None
        self.elements.append(Element(tag, given, self.getpos()[0], parent))

    def _close_implied(self, tag: str) -> None:
        """Close what the start of an element ends although no end tag stands there."""
        ended = ("p",) if tag in CLOSES_PARAGRAPH else _ENDS.get(tag, ())
        if self._open and self._open[-1].tag in ended:
            self._open.pop()

    def _report_open(self, elements: Sequence[Element], before: str = "the end") -> None:
        for element in elements:
            if element.tag not in END_OPTIONAL:
                self._fault(f"<{element.tag}> of line {element.line} is not closed before {before}")

    def _fault(self, text: str) -> None:
        self.faults.append(Fault(self.getpos()[0], text))


def _leading_lines(data: str) -> int:
    """Number of line ends before the first visible character."""
    return data[: len(data) - len(data.lstrip())].count("\n")
