"""Numbers that stand in the sentences of pages, and the file that says why each is a constant."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from isogloss.errors import RecordError
from isogloss.report.check.shown import Passage, Shown, Token, squeezed
from isogloss.report.provenance.numerals import is_number
from isogloss.report.render.project import read_yaml
from isogloss.report.render.source import Line

FILE = "prose_numbers.yaml"
"""Name of the file, in the folder of pages."""

_QUOTES = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")


class Declaration(BaseModel):
    """A text that holds numbers which come from no result."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    text: str = Field(min_length=1)
    """Words of the page, as they are shown, around and with the numbers."""
    why: str = Field(min_length=1)
    """Why they are constants, or where they are settled."""


Declarations = Mapping[str, Sequence[Declaration]]
"""What is declared, by the name of a page without suffix."""


@dataclass(frozen=True)
class Undeclared:
    """A number in a sentence that nothing backs."""

    text: str
    context: str
    line: Line | None
    """Line of the source, where it could be told."""


def read_declarations(reports: Path) -> Declarations:
    """Read the file of a folder of pages; without one, nothing is declared.

    Raises `RecordError` when it has another form.
    """
    path = reports / FILE
    if not path.is_file():
        return {}
    try:
        content = read_yaml(path) or {}
        return TypeAdapter(dict[str, tuple[Declaration, ...]]).validate_python(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the whole file"
        raise RecordError(
            f"{path}: {place}: {first['msg']}; give a list of text and why for each page"
        ) from error


def undeclared(
    shown: Shown, declared: Sequence[Declaration], lines: Sequence[Line]
) -> Iterator[Undeclared]:
    """Yield the numbers of a page's own sentences that neither carry a source nor are declared.

    `shown` is what the page says without what it includes, `lines` are the lines it was read from.
    """
    fragments = [_normal(one.text) for one in declared]
    for passage in _passages(shown):
        covered = _covered(passage.text, fragments)
        for token in passage.tokens:
            if _stands_alone(token) and not any(low <= token.start < high for low, high in covered):
                yield Undeclared(token.text, passage.context(token), _line(token, passage, lines))


def unused(shown: Shown, declared: Sequence[Declaration]) -> list[Declaration]:
    """Return the declarations whose text the page does not have."""
    texts = [_normal(passage.text) for passage in _passages(shown)]
    return [one for one in declared if not any(_normal(one.text) in text for text in texts)]


def _passages(shown: Shown) -> Iterator[Passage]:
    yield shown.frame
    yield shown.prose
    for table in shown.tables.values():
        yield table.caption
    for figure in shown.figures.values():
        yield figure.caption
        yield figure.alternative


def _stands_alone(token: Token) -> bool:
    return not token.source and not token.exempt and is_number(token.text)


def _covered(text: str, fragments: Sequence[str]) -> list[tuple[int, int]]:
    normal = _normal(text, strip=False)
    return [
        match.span() for fragment in fragments for match in re.finditer(re.escape(fragment), normal)
    ]


def _normal(text: str, *, strip: bool = True) -> str:
    """Return a text with plain quotes, which keeps its length unless it is stripped."""
    plain = text.translate(_QUOTES)
    return squeezed(plain) if strip else plain


def _line(token: Token, passage: Passage, lines: Sequence[Line]) -> Line | None:
    """Return the line that has a number, and most of the words around it.

    A table's cells are no candidates.
    """
    word = re.compile(rf"(?<![\w.,]){re.escape(token.text)}(?!\w)")
    around = set(passage.context(token).split())
    having = [one for one in lines if word.search(one.text) and not one.text.startswith("|")]
    return max(having, key=lambda one: len(around & set(one.text.split())), default=None)
