"""What a reader takes out of a file."""

from dataclasses import dataclass
from typing import Literal

TitleSource = Literal["heading", "title style", "title element", "front matter", "first line"]
"""Where a title was found."""


@dataclass(frozen=True)
class Extracted:
    """The text of a file as it was read, before characters and blanks are cleaned."""

    text: str
    """Lines parted by `\\n`, paragraphs by an empty line; nothing that a reader does not see."""
    title: str | None = None
    """The title, where the format marks one."""
    title_source: TitleSource | None = None
    """What marks it."""
    pages: int | None = None
    """Number of pages, where the format has any."""
    warnings: tuple[str, ...] = ()
    """What was left out or changed, one sentence each."""
