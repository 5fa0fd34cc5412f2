"""Parts without the places that their numbers come from, as a test of their contents reads them."""

import re

from isogloss.report.provenance import Cited
from isogloss.report.values import Values

SPAN = re.compile(r'\[((?:\\.|[^\[\]\\])*)\]\{\.num title="[^"]*"\}')
SOURCE_LINE = re.compile(r"\n\[Source: \[[^\]]*\]\([^)]*\)\]\{\.source\}\n")


def bare(markdown: str) -> str:
    """Markdown with the text of each span that carries a source, and no list of files."""
    return SOURCE_LINE.sub("", SPAN.sub(r"\1", markdown))


def texts_of(values: Values) -> dict[str, object]:
    """What values show, under their names."""
    return {name: _shown(value) for name, value in values.items()}


def _shown(value: "str | Cited | Values") -> object:
    if isinstance(value, dict):
        return texts_of(value)
    return bare(value.text if isinstance(value, Cited) else value)
